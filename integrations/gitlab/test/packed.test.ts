import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Service, startService } from '@shipworthy/cli/test-service';
import { expect } from 'chai';
import { removeJobs, runJob } from './runner.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

describe('the GitLab components with the packed command', () => {
  let service: Service;
  let folder: string;
  let tarball: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shipworthy-packed-'));
    execFileSync(process.execPath, [join(ROOT, 'scripts', 'bundle-cli.mjs')], { stdio: 'ignore' });
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
    const cwd = join(ROOT, 'packages', 'cli');
    const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd, encoding: 'utf8' }));
    tarball = join(folder, filename);
    service = await startService();
  });
  after(async () => {
    await removeJobs();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('install it by npx, and ask the gate', async () => {
    const variables = {
      SHIPWORTHY_API_URL: service.url,
      SHIPWORTHY_API_KEY: service.key,
      // In place of the version from the registry, of which nothing is asked here.
      SHIPWORTHY_PACKAGE: tarball,
      npm_config_offline: 'true',
      npm_config_cache: join(folder, 'cache'),
      npm_config_update_notifier: 'false',
    };
    const { exit, dotenv, log } = await runJob('gate', { app: 'checkout' }, { variables, realNpx: true });
    expect([exit, dotenv.SHIPWORTHY_VERDICT], log).to.deep.equal([3, 'hold']);
    expect(log).to.not.contain(service.key);
  });
});
