import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerProcess, startServer } from '@shipworthy/example-own-pipeline/server-process';
import { expect } from 'chai';
import { root } from './documents.js';
import { runBlock } from './shell.js';
import { COMMIT, storeVerdict } from './verdict-commands.js';

describe('the how-to of verdicts', () => {
  let folder = '';
  let server: ServerProcess | undefined;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'how-to-verdict-'));
    server = await startServer(folder, 'a token of this test');
  });
  after(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('leads to a verdict that is verified when the server is gone', async () => {
    if (server === undefined) throw new Error('The server did not start.');
    const verify = await storeVerdict(server, folder);
    await server.stop();
    const told = { CHECKOUT: root, CI_COMMIT: COMMIT };
    const said = await runBlock(verify, folder, told);
    expect(said)
      .to.match(/^checkout\/next: (hold|unknown) /)
      .and.to.contain(`about: gitCommit ${COMMIT}\n`);
    const other = await runBlock(verify, folder, { ...told, CI_COMMIT: 'f'.repeat(40) }).catch(String);
    expect(other).to.contain('The verdict is not about commit');
  });
});
