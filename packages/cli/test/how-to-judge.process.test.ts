import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { makeReady, openCriticalBug } from './service/releases.js';
import { type Service, startService } from './service/service.js';
import { COMMAND } from './shipworthy-process.js';

const HOW_TO = fileURLToPath(new URL('../../../../docs/how-to/', import.meta.url));
const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';

interface Block {
  readonly kind: string;
  readonly text: string;
}

const blocksOf = async (page: string): Promise<readonly Block[]> => {
  const text = await readFile(join(HOW_TO, page), 'utf8');
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, kind = '', inside = '']) => ({
    kind,
    text: inside,
  }));
};

describe('the how-tos of gate, score, what-if and import', () => {
  let service: Service;
  let folder: string;
  before(async () => {
    service = await startService();
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-how-to-'));
    // As npx does once the package is there.
    await writeFile(join(folder, 'npx'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${COMMAND}" "$@"\n`, {
      mode: 0o755,
    });
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const path = () => ({ team_id: service.teamId, project_id: service.projectId, release_id: service.releaseId });

  /** The output of a block, for any exit code. */
  const run = async (block: string): Promise<string> => {
    const env = {
      PATH: `${folder}:${process.env.PATH}`,
      HOME: folder,
      SHIPWORTHY_API_URL: service.url,
      SHIPWORTHY_API_KEY: service.key,
      CI_COMMIT: COMMIT,
    };
    const running = promisify(execFile)('bash', ['-euo', 'pipefail', '-c', block], { cwd: folder, env });
    return (await running).stdout;
  };
  const runAll = async (page: string): Promise<string[]> => {
    const said: string[] = [];
    for (const { kind, text } of await blocksOf(page)) {
      const [language, name] = kind.split(' ');
      if (language === 'sh' && name === 'command') said.push(await run(text));
      else if (name?.includes('.') && language !== 'ts') await writeFile(join(folder, name), text);
    }
    return said;
  };
  const addresses = (text: string) => text.replace(/https?:\/\/\S+/g, 'ADDRESS');

  it('import the past as they say', async () => {
    const said = await runAll('import-the-past.md');
    expect(said.map((text) => text.split('\n', 1)[0])).to.deep.equal([
      '2 created, 0 there already, 0 refused of 2 rows',
      '1 created, 0 there already, 0 refused of 1 rows',
      '1 created, 0 there already, 0 refused of 1 rows',
    ]);
    const { body } = await service.person.listDeployments({ path: path() });
    expect(body.data.map(({ version, status }) => [version, status])).to.deep.equal([
      ['2.5.0', 'success'],
      ['2.4.0', 'failure'],
      ['2.3.0', 'success'],
    ]);
  });

  it('gate a pipeline as they say, in go and in hold', async () => {
    await makeReady(service, 'checkout', path());
    await writeFile(join(folder, 'deploy.sh'), '#!/bin/sh\necho deployed\n', { mode: 0o755 });
    const said = await runAll('gate-a-pipeline.md');
    expect(said).to.have.length(4);
    const deployed = said.splice(1, 1);
    expect(deployed).to.deep.equal(['deployed\n']);
    for (const text of said) expect(text).to.match(/^go\n/);
    await openCriticalBug(service, path());
    const screen = (await blocksOf('gate-a-pipeline.md')).find(({ kind }) => kind === 'text');
    const held = await run('npx @shipworthy/cli gate --app checkout || test $? -eq 3');
    expect(addresses(held)).to.equal(addresses(screen?.text ?? ''));
  });

  it('ask what if as they say', async () => {
    const feature = { title: 'Refund', type: 'feature', state: 'todo', release_id: service.releaseId } as const;
    await service.person.createIssue({ path: path(), body: feature });
    const said = await runAll('what-if.md');
    const screen = (await blocksOf('what-if.md')).find(({ kind }) => kind === 'text');
    expect(said[0]?.split('\n').slice(0, 2)).to.deep.equal(screen?.text.trimEnd().split('\n'));
    expect(said[1]).to.contain('score = 100 * (');
    expect(said[2]).to.match(/^80\.0, 5 of 5 measured\n/);
  });
});
