import { expect } from 'chai';
import type { FinalStatus } from '../../src/deployment/deployment.js';
import type { ReportOutcome } from '../../src/report/report-store.js';
import { cancelRelease } from '../../src/use-cases/cancel-release.js';
import { finishDeployment } from '../../src/use-cases/finish-deployment.js';
import { shipRelease } from '../../src/use-cases/ship-release.js';
import { pointers, refused } from '../refusal.js';
import { deployed } from './reporting.js';
import { type ReleaseScene, releaseScene } from './scene.js';

const started = async () => {
  const here = await releaseScene();
  const { deployment } = await deployed(here, { status: 'started' });
  return { ...here, deployment };
};
const finish = (
  here: ReleaseScene & { readonly deployment: { readonly id: string } },
  status: FinalStatus,
  durationSeconds: number | null = null,
  by = here.member,
) => finishDeployment(here)({ principal: by.principal, deploymentId: here.deployment.id, status, durationSeconds });

describe('Finishing a deployment', () => {
  it('does not count where its release ships while the end is on its way to the store', async () => {
    const here = await started();
    here.time.now += 90_000;
    const submit: typeof here.reports.submit = async (entry) => {
      here.time.now += 5;
      await shipRelease(here)({ by: here.member, ...here.at, note: null });
      return here.reports.submit(entry);
    };
    const { deployment, attribution } = await finish({ ...here, reports: { submit } }, 'failure');
    expect(attribution.releases[0]).to.include({ counts: false, reason: 'release_frozen' });
    expect(await here.lookups.deployment(deployment.id)).to.deep.equal(deployment);
    expect((await finish(here, 'failure')).attribution.releases[0]).to.include({
      counts: false,
      reason: 'release_frozen',
    });
  });
  for (const status of ['success', 'failure'] as const)
    it(`started -> ${status}: duration_seconds set, finished at the clock, counted from then on`, async () => {
      const here = await started();
      here.time.now += 90_000;
      const { deployment, attribution } = await finish(here, status, 88.5);
      expect(deployment).to.include({ status, durationSeconds: 88.5, finishedAt: here.time.now });
      expect(attribution.releases[0]?.counts).to.equal(true);
      expect(await here.lookups.deployment(deployment.id)).to.deep.equal(deployment);
      expect(await here.stores.deployments.recount()).to.deep.equal([]);
    });
  it('repeated with the same status answers the record unchanged', async () => {
    const here = await started();
    const first = await finish(here, 'success', 5);
    here.time.now += 1_000;
    for (const seconds of [5, null]) expect(await finish(here, 'success', seconds)).to.deep.equal(first);
    await refused(finish(here, 'success', 99), 'deployment-finished');
    expect(await here.lookups.deployment(here.deployment.id)).to.deep.equal(first.deployment);
  });
  it('is refused with the other status once final, also for a one-call record', async () => {
    const here = await started();
    await finish(here, 'success');
    expect((await refused(finish(here, 'failure'), 'deployment-finished')).details).to.deep.equal({
      status: 'success',
    });
    const { deployment } = await deployed(here, { status: 'failure' });
    await refused(finish({ ...here, deployment }, 'success'), 'deployment-finished');
  });
  it('of two at once lets exactly one win', async () => {
    for (let round = 0; round < 20; round += 1) {
      const here = await started();
      const ends = await Promise.allSettled([finish(here, 'success'), finish(here, 'failure')]);
      expect(ends.map((end) => end.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
      const [dossier] = await here.stores.facts.factsFor([here.release.id]);
      const { succeeded, failed, inProgress } = dossier?.facts.stability ?? {};
      expect([(succeeded ?? 0) + (failed ?? 0), inProgress]).to.deep.equal([1, 0]);
    }
  });
  it('does not move it out of the window it started in', async () => {
    const here = await started();
    here.time.now += 1_000;
    await cancelRelease(here)({ by: here.member, ...here.at });
    here.time.now += 1_000;
    const { attribution } = await finish(here, 'failure');
    expect(attribution.releases.map(({ id, counts }) => [id, counts])).to.deep.equal([[here.release.id, true]]);
  });
  it('refuses a bad duration, viewers, and whoever does not see it', async () => {
    const here = await started();
    const error = await refused(finish(here, 'success', -1), 'invalid');
    expect(pointers(error.details.faults)).to.deep.equal(['/duration_seconds']);
    await refused(finish(here, 'success', null, here.viewer), 'forbidden');
    await refused(finish(here, 'success', null, here.stranger), 'not-found');
    const unknown = await refused(finish({ ...here, deployment: { id: 'none' } }, 'success'), 'not-found');
    expect(unknown.details).to.deep.equal({ what: 'deployment' });
  });
  it('finds nothing once its project was removed, before it or in between', async () => {
    const here = await started();
    const lookups = { ...here.lookups, projectAt: async () => undefined };
    const reports = { submit: async () => ({ result: 'not_found' }) as const };
    for (const gone of [{ lookups }, { reports }]) {
      const { details } = await refused(finish({ ...here, ...gone }, 'success'), 'not-found');
      expect(details).to.deep.equal({ what: 'deployment' });
    }
  });
  it('throws on what went wrong, and on what no finish is answered with', async () => {
    const here = await started();
    const answered = (outcome: ReportOutcome) =>
      finish({ ...here, reports: { submit: async () => outcome } }, 'success').catch((error: unknown) => error);
    const error = new RangeError('bad row');
    expect(await answered({ result: 'failed', error })).to.equal(error);
    expect(await answered({ result: 'created' }))
      .to.be.instanceOf(Error)
      .with.property('message', 'A finish cannot be answered with created.');
  });
});
