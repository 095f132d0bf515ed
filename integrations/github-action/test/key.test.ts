import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Service, startService } from '@shipworthy/cli/test-service';
import { expect } from 'chai';
import { bundleAction } from './bundled.js';
import { Job } from './job.js';
import { REPORT } from './report.js';
import type { EventName } from './runner-env.js';

describe('the action without the secret', () => {
  let service: Service;
  before(async () => {
    bundleAction();
    service = await startService();
  });
  after(() => service.stop());
  const on = async (event: EventName, actor: string, given: Readonly<Record<string, string>>) => {
    const job = await Job.start(event, {}, actor);
    await writeFile(join(job.workspace, 'report.xml'), REPORT);
    const ended = await job.step({ 'api-url': service.url, app: 'checkout', ...given });
    const post = await ended.post();
    await job.remove();
    return { ...ended, postLog: post.log };
  };

  for (const [event, actor] of [
    ['fork', 'mallory'],
    ['deletedFork', 'mallory'],
    ['pullRequest', 'dependabot[bot]'],
  ] as const)
    it(`is a notice and no failure on ${event} by ${actor}, and the outputs say so`, async () => {
      const gate = await on(event, actor, { command: 'gate' });
      expect([gate.exit, gate.outputs.verdict, gate.outputs.score]).to.deep.equal([0, 'skipped', '']);
      expect(gate.log).to.match(/^::notice title=Shipworthy::gate: GitHub hands this run no secrets/m);
      const tests = await on(event, actor, { command: 'tests', files: 'report.xml' });
      expect([tests.exit, tests.outputs.report]).to.deep.equal([0, 'skipped']);
      const started = await on(event, actor, { command: 'deploy-start', environment: 'fork' });
      expect([started.exit, started.outputs.report, started.postLog]).to.deep.equal([0, 'skipped', '']);
    });

  it('runs what deploys all the same, and ends as that ended', async () => {
    const given = { command: 'deploy', environment: 'preview', 'strict-report': 'true' };
    for (const exit of [0, 7]) {
      const ended = await on('fork', 'mallory', { ...given, run: `echo deployed; exit ${exit}` });
      expect([ended.exit, ended.outputs.report, ended.outputs['exit-code']]).to.deep.equal([
        exit,
        'skipped',
        `${exit}`,
      ]);
      expect(ended.log)
        .to.match(/^deployed$/m)
        .and.match(/^::notice title=Shipworthy::deploy: GitHub hands/m);
    }
  });

  it('asks on a fork that was given the key', async () => {
    const { exit, outputs } = await on('fork', 'mallory', { command: 'gate', 'api-key': service.key });
    expect([exit, outputs.verdict]).to.deep.equal([3, 'hold']);
  });

  for (const [event, actor] of [
    ['push', 'ada'],
    ['push', 'dependabot[bot]'],
    ['pullRequest', 'ada'],
    ['forkTarget', 'mallory'],
  ] as const)
    it(`is a failure on ${event} by ${actor}, where GitHub hands out secrets`, async () => {
      const { exit, outputs } = await on(event, actor, { command: 'gate' });
      expect([exit, outputs.verdict]).to.deep.equal([4, 'error']);
    });
});
