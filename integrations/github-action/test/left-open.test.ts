import { type Service, startService } from '@shipworthy/cli/test-service';
import { expect } from 'chai';
import { bundleAction } from './bundled.js';
import { Job, manifest } from './job.js';

describe('a deployment that a job leaves open', () => {
  let service: Service;
  let job: Job;
  before(async () => {
    bundleAction();
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    job = await Job.start('push');
  });
  afterEach(() => job.remove());
  const settings = () => ({ 'api-url': service.url, 'api-key': service.key, app: 'checkout' });
  const start = (environment: string) => job.step({ ...settings(), command: 'deploy-start', environment });
  const statuses = async (environment: string) => {
    const path = { team_id: service.teamId, project_id: service.projectId };
    const { body } = await service.person.listDeployments({ path, query: { environment } });
    return body.data.map(({ status }) => status);
  };

  for (const [status, ends] of [
    ['cancelled', 'failure'],
    ['failure', 'failure'],
    ['success', 'success'],
  ] as const)
    it(`ends as ${ends} when the job is ${status}`, async () => {
      const { exit, outputs, post } = await start(status);
      expect([exit, outputs.report]).to.deep.equal([0, 'sent']);
      expect(await statuses(status)).to.deep.equal(['started']);
      job.status = status;
      const closed = await post();
      expect(closed.exit).to.equal(0);
      expect(closed.log).to.contain(`::notice title=Shipworthy::Deployment ${outputs['deployment-id']} was left open`);
      expect(await statuses(status)).to.deep.equal([ends]);
    });

  it('is left alone once a step has ended it, however the job goes on', async () => {
    const begun = await start('ended');
    const deployment = begun.outputs['deployment-id'] ?? '';
    const finished = await job.step({ ...settings(), command: 'deploy-finish', deployment });
    expect([finished.exit, await statuses('ended')], finished.log).to.deep.equal([0, ['success']]);
    job.status = 'failure';
    for (const { post } of [finished, begun]) expect((await post()).log).to.not.contain('left open');
    expect(await statuses('ended')).to.deep.equal(['success']);
  });

  it('takes the status of the job so far unless it is given', async () => {
    const deployment = (await start('so far')).outputs['deployment-id'] ?? '';
    job.status = 'failure';
    await job.step({ ...settings(), command: 'deploy-finish', deployment });
    expect(await statuses('so far')).to.deep.equal(['failure']);
    const again = await job.step({ ...settings(), command: 'deploy-finish', deployment, status: 'success' });
    expect([again.exit, again.outputs.report]).to.deep.equal([2, 'refused']);
  });

  it('keeps the end that was reported before', async () => {
    const { outputs, post } = await start('elsewhere');
    const path = { deployment_id: outputs['deployment-id'] ?? '' };
    await service.person.finishDeployment({ path, body: { status: 'success' } });
    job.status = 'failure';
    const closed = await post();
    expect([closed.exit, await statuses('elsewhere')]).to.deep.equal([0, ['success']]);
    expect(closed.log).to.not.contain('::warning');
  });

  it('does not fail the job when it cannot be ended', async () => {
    const { post } = await start('away');
    const given = { ...settings(), 'api-key': `swk_${'x'.repeat(43)}` };
    const state = { deployment: '7c9e6679-7425-40de-944b-e07fc1f90ae7' };
    const refused = await job.begin(manifest.runs.post, given, state).ended;
    expect(refused.exit).to.equal(0);
    expect(refused.log).to.contain('::warning title=Shipworthy::Deployment 7c9e6679');
    expect((await post()).exit).to.equal(0);
  });

  it('is not said to have ended where the server is away by then', async () => {
    const away = await startService();
    const given = { 'api-url': away.url, 'api-key': away.key, app: 'checkout', environment: 'production' };
    const { outputs, post } = await job.step({ ...given, command: 'deploy-start', timeout: '20' });
    await away.stop();
    job.status = 'cancelled';
    const { exit, log } = await post();
    expect([exit, outputs.report]).to.deep.equal([0, 'sent']);
    expect(log).to.contain(
      `::warning title=Shipworthy::Deployment ${outputs['deployment-id']} was left open; its end as failure could not be sent.`,
    );
    expect(log)
      .to.contain('::warning title=Shipworthy::What was kept could not be sent (exit 5)')
      .and.not.contain('so it ended as');
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    it(`is a failure when ${signal} cancels what deploys`, async () => {
      const given = {
        ...settings(),
        command: 'deploy',
        environment: signal,
        // bash ends by a SIGINT of its own only with a trap: without one it waits what a child that it runs makes of it.
        run: 'trap "exit 130" INT; echo ready; while :; do sleep 0.05; done',
      };
      const running = job.begin(manifest.runs.main, given);
      await running.said('ready\n');
      running.child.kill(signal);
      const { exit, outputs } = await running.ended;
      expect(exit).to.equal(signal === 'SIGINT' ? 130 : 143);
      expect([outputs.report, await statuses(signal)]).to.deep.equal(['sent', ['failure']]);
    });

  it('is ended by the post step when the runner kills the step at once', async () => {
    const given = { ...settings(), command: 'deploy', environment: 'killed', run: 'echo ready; sleep 1' };
    const running = job.begin(manifest.runs.main, given);
    await running.said('ready\n');
    running.child.kill('SIGKILL');
    await running.ended;
    expect(await statuses('killed')).to.deep.equal(['started']);
    job.status = 'cancelled';
    await (await job.postOf(given))();
    expect(await statuses('killed')).to.deep.equal(['failure']);
  });
});
