import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@shipworthy/client';
import { setUp } from '@shipworthy/example-own-pipeline/person';
import { type ServerProcess, startServer } from '@shipworthy/example-own-pipeline/server-process';
import { setStage } from '@shipworthy/example-own-pipeline/stage';
import { expect } from 'chai';
import { root, runnable } from './documents.js';
import { runBlock } from './shell.js';

const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';

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
    const { url = '', setupToken = '' } = server ?? {};
    const { apiKey, path } = await setStage(await setUp(url, setupToken), 'checkout', new Date('2026-01-01T00:00:00Z'));
    const report = { app_name: 'checkout', environment: 'production', commit_sha: COMMIT, status: 'success' } as const;
    await createClient({ baseUrl: url, apiKey }).recordDeployment({ body: report });
    const [fetched = '', verified = ''] = runnable('docs/how-to/verify-a-verdict.md');
    await runBlock(fetched, folder, {
      SHIPWORTHY_API_URL: url,
      SHIPWORTHY_API_KEY: apiKey,
      TEAM_ID: path.team_id,
      PROJECT_ID: path.project_id,
      RELEASE_ID: path.release_id,
    });
    await server?.stop();
    const told = { CHECKOUT: root, CI_COMMIT: COMMIT };
    const said = await runBlock(verified, folder, told);
    expect(said)
      .to.match(/^checkout\/next: (hold|unknown) /)
      .and.to.contain(`about: gitCommit ${COMMIT}\n`);
    const other = await runBlock(verified, folder, { ...told, CI_COMMIT: 'f'.repeat(40) }).catch(String);
    expect(other).to.contain('The verdict is not about commit');
  });
});
