import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeReady, newProject, openCriticalBug } from '../service/releases.js';
import { type Service, startService } from '../service/service.js';
import { startShipworthy } from '../shipworthy-process.js';

describe('shipworthy gate as a process', () => {
  let service: Service;
  let folder: string;
  before(async () => {
    service = await startService();
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-gate-'));
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const gate = async (...argv: readonly string[]) => {
    const { name, path } = await newProject(service);
    await makeReady(service, name, path);
    const env = { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key };
    return { path, start: () => startShipworthy(folder, env, 'gate', '--app', name, ...argv) };
  };

  it('ends with the verdict as its exit code', async () => {
    const { path, start } = await gate();
    expect(await start().ended).to.include({ exit: 0, err: '' });
    await openCriticalBug(service, path);
    const { exit, out } = await start().ended;
    expect([exit, out.split('\n')[0]]).to.deep.equal([3, 'hold']);
  });

  for (const [signal, exit] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    it(`ends at once with ${exit} upon ${signal} while it waits`, async () => {
      const { path, start } = await gate('--wait', '10m');
      await openCriticalBug(service, path);
      const waiting = start();
      await waiting.said('waiting for go');
      waiting.child.kill(signal);
      expect((await waiting.ended).exit).to.equal(exit);
    });

  it('goes as soon as the gate does, with its real pauses', async () => {
    const { path, start } = await gate('--wait', '1m');
    const bug = await openCriticalBug(service, path);
    const waiting = start();
    await waiting.said('waiting for go');
    await service.person.changeIssue({ path: { ...path, issue_id: bug }, body: { state: 'done' } });
    expect((await waiting.ended).exit).to.equal(0);
  });
});
