import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type Service, startService } from './service/service.js';
import { COMMAND } from './shipworthy-process.js';

const HOW_TO = fileURLToPath(new URL('../../../../docs/how-to/report-from-a-pipeline.md', import.meta.url));

describe('how to report from a pipeline', () => {
  let service: Service;
  let folder: string;
  before(async () => {
    service = await startService();
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-how-to-'));
    // As npx does once the package is there.
    await writeFile(join(folder, 'npx'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${COMMAND}" "$@"\n`, {
      mode: 0o755,
    });
    await writeFile(join(folder, 'deploy.sh'), '#!/bin/sh\necho deployed\n', { mode: 0o755 });
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('shows lines that work unchanged', async () => {
    const text = await readFile(HOW_TO, 'utf8');
    const blocks = [...text.matchAll(/^```sh command\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
    expect(blocks).to.have.length(4);
    const env = {
      PATH: `${folder}:${process.env.PATH}`,
      HOME: folder,
      SHIPWORTHY_API_URL: service.url,
      SHIPWORTHY_API_KEY: service.key,
      CIRCLECI: 'true',
      CIRCLE_SHA1: '9fceb02d0ae598e95dc970b74767f19372d61af8',
    };
    for (const block of blocks)
      await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', block], { cwd: folder, env });
    const path = { team_id: service.teamId, project_id: service.projectId };
    const { body } = await service.person.listDeployments({ path });
    expect(body.data.map(({ status, environment, version }) => [status, environment, version])).to.deep.equal([
      ['success', 'production', null],
      ['success', 'staging', null],
      ['success', 'production', '2.4.1'],
    ]);
  });
});
