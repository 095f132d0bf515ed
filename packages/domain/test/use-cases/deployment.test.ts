import { expect } from 'chai';
import type { DeploymentReport, FinalStatus } from '../../src/deployment.js';
import type { ImportOutcome, ReportOutcome } from '../../src/pipeline-report.js';
import { DEFAULT_POLICY } from '../../src/readiness/policy.js';
import {
  addDeploymentContribution,
  finishDeployment,
  importDeployments,
  readDeployment,
  recordDeployment,
} from '../../src/use-cases/deployment.js';
import { changePolicy } from '../../src/use-cases/policy.js';
import { createProject, renameProject } from '../../src/use-cases/project.js';
import { cancelRelease, shipRelease } from '../../src/use-cases/release.js';
import { pointers, refused } from '../refusal.js';
import { deploymentReport } from '../report/report-of.js';
import { counted } from './counted.js';
import { deployed } from './reporting.js';
import { type ProjectScene, projectScene, type ReleaseScene, releaseScene } from './scene.js';
import { withRoles } from './world.js';

const record = (here: ProjectScene, over: Partial<DeploymentReport> = {}, by = here.member) =>
  recordDeployment(here, { principal: by.principal, needs: 'member', report: deploymentReport(over), remember: null });
const created = async (...given: Parameters<typeof record>) => {
  const done = await record(...given);
  if (done.outcome !== 'created') throw new Error(done.outcome);
  return done.view;
};
const stored = async ({ stores, project }: ProjectScene) =>
  (await stores.deployments.page({ projectId: project.id }, { limit: 200, after: null })).rows;

describe('Recording a deployment', () => {
  it('attributes it by app_name to the project, and to the release whose window holds it', async () => {
    const here = await releaseScene();
    const { deployment, attribution } = await created(here);
    expect(deployment).to.include({ projectId: here.project.id, appName: 'Shop', startedAt: here.time.now });
    expect(attribution).to.deep.include({ project: { id: here.project.id, name: 'Shop' }, reason: null });
    expect(attribution.releases.map(({ id, counts }) => [id, counts])).to.deep.equal([[here.release.id, true]]);
    expect(await stored(here)).to.deep.equal([deployment]);
  });
  it('feeds Stability: the change-failure rate over the records of the window', async () => {
    const here = await releaseScene();
    for (const status of ['success', 'success', 'failure', 'started'] as const) await created(here, { status });
    const [inputs] = await here.stores.facts.factsFor([here.release.id]);
    expect(inputs?.facts.stability).to.deep.equal({ succeeded: 2, failed: 1, inProgress: 1 });
  });
  it('refuses an environment that looks like another one, unless the policy names it', async () => {
    const here = await releaseScene();
    const twin = { environment: 'production\u200b', status: 'failure' } as const;
    const error = await refused(record(here, twin), 'invalid');
    expect(pointers(error.details.faults)).to.deep.equal(['/environment']);
    const imported = await importDeployments(here, {
      principal: here.member.principal,
      needs: 'member',
      records: [deploymentReport(twin)],
    });
    expect(imported.map(({ result }) => result)).to.deep.equal(['refused']);
    const { policy } = (await here.stores.policies.current(here.project.id)) ?? { policy: DEFAULT_POLICY };
    const environments = [twin.environment];
    await changePolicy(here, { by: here.owner, ...here.there, policy: { ...policy, environments }, version: 1 });
    expect((await created(here, twin)).attribution.releases[0]?.counts).to.equal(true);
  });
  it('does not count where its release ships while it is on its way to the store', async () => {
    const here = await releaseScene();
    const submit: typeof here.reports.submit = async (entry) => {
      here.time.now += 5;
      await shipRelease(here, { by: here.member, ...here.at, note: null });
      return here.reports.submit(entry);
    };
    const { deployment, attribution } = await created({ ...here, reports: { submit } }, { status: 'success' });
    expect(attribution.releases[0]).to.include({ counts: false, reason: 'release_frozen' });
    const read = await readDeployment(here, { principal: here.member.principal, deploymentId: deployment.id });
    expect(read.attribution.releases[0]).to.include({ counts: false, reason: 'release_frozen' });
    const frozen = await here.stores.releases.frozen(here.release.id);
    expect(frozen?.facts.stability).to.deep.equal({ succeeded: 0, failed: 0, inProgress: 0 });
  });
  it('is answered as it was made where the same releases hold its start as before, and not read again', async () => {
    const here = await releaseScene();
    const deployment = () => Promise.reject(new Error('read'));
    const { attribution } = await created({ ...here, lookups: { ...here.lookups, deployment } }, { status: 'success' });
    expect(attribution.releases.map(({ id, counts }) => [id, counts])).to.deep.equal([[here.release.id, true]]);
  });
  it('counts for no release where its own ships in that moment while it is on its way to the store', async () => {
    const here = await releaseScene();
    here.time.now += 1_000;
    const submit: typeof here.reports.submit = async (entry) => {
      await shipRelease(here, { by: here.member, ...here.at, note: null });
      return here.reports.submit(entry);
    };
    const { deployment, attribution } = await created({ ...here, reports: { submit } }, { status: 'success' });
    expect([attribution.releases, attribution.reason]).to.deep.equal([[], 'no_release_window']);
    const read = await readDeployment(here, { principal: here.member.principal, deploymentId: deployment.id });
    expect(read.attribution).to.deep.equal(attribution);
  });
  it('tells the log of receipts what counts for no release, of new records only', async () => {
    const scene = await projectScene();
    const told: string[] = [];
    const here = { ...scene, receipts: { notCounted: (...given: readonly string[]) => told.push(given.join(' ')) } };
    const external = { external: { id: 'run-1', fingerprint: 'same' } };
    await created(here, external);
    expect((await record(here, external)).outcome).to.equal('duplicate');
    expect(told).to.deep.equal(['deployment no_release_window']);
  });
  it('stores what no window holds, and says so', async () => {
    const here = await projectScene();
    const { attribution } = await created(here);
    expect([attribution.releases, attribution.reason]).to.deep.equal([[], 'no_release_window']);
    expect(await stored(here)).to.have.length(1);
  });
  it('stores nothing with a fault, and names every one', async () => {
    const here = await releaseScene();
    const late = here.time.now + 600_000;
    const faulty = { status: 'started', startedAt: late, finishedAt: late - 1, durationSeconds: -1 } as const;
    const error = await refused(record(here, faulty), 'invalid');
    const named = ['/started_at', '/finished_at', '/finished_at', '/finished_at', '/duration_seconds'];
    expect(pointers(error.details.faults)).to.deep.equal(named);
    expect(await stored(here)).to.deep.equal([]);
  });
  it('names the nearest names in sight for an unknown one', async () => {
    const here = await releaseScene();
    const error = await refused(record(here, { appName: 'shop' }), 'unknown-app-name');
    expect(error.details).to.deep.equal({ nearest: ['Shop'] });
    const [teamId = ''] = here.stranger.principal.roles.keys();
    await createProject(here, { by: here.stranger, teamId, name: 'shop' });
    expect((await refused(record(here, { appName: 'shop' }), 'unknown-app-name')).details).to.deep.equal({
      nearest: ['Shop'],
    });
  });
  it('answers for a project that is removed in between as for one that was never there', async () => {
    const here = await releaseScene();
    const reports = { submit: async () => ({ result: 'not_found' }) as const };
    await refused(record({ ...here, reports }), 'unknown-app-name');
    expect(await stored(here)).to.deep.equal([]);
  });
  it('refuses the old name after a rename with the new one, and takes the new one', async () => {
    const here = await releaseScene();
    const before = await created(here);
    await renameProject(here, { by: here.owner, ...here.there, name: 'Store', version: null });
    expect((await refused(record(here), 'unknown-app-name')).details).to.include({ renamed_to: 'Store' });
    await created(here, { appName: 'Store' });
    const names = (await stored(here)).map((one) => one.appName).sort();
    expect(names).to.deep.equal([before.deployment.appName, 'Store']);
  });
  it('asks for project_id when two projects in sight have the name', async () => {
    const here = await releaseScene();
    const [teamId = ''] = here.stranger.principal.roles.keys();
    const twin = await createProject(here, { by: here.stranger, teamId, name: 'Shop' });
    expect((await record(here)).outcome).to.equal('created');
    const both = withRoles(here.member, { [here.teamId]: 'member', [teamId]: 'member' });
    const error = await refused(record(here, {}, both), 'ambiguous-app-name');
    expect(error.details.candidates).to.have.length(2);
    expect((await created(here, { projectId: twin.id }, both)).deployment.projectId).to.equal(twin.id);
    await refused(record(here, { projectId: twin.id, appName: 'Store' }, both), 'app-name-mismatch');
  });
  it('is for members, and sees nothing of other teams', async () => {
    const here = await releaseScene();
    await refused(record(here, {}, here.viewer), 'forbidden');
    expect((await refused(record(here, {}, here.stranger), 'unknown-app-name')).details).to.deep.equal({ nearest: [] });
    expect(await stored(here)).to.deep.equal([]);
  });
});

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
) =>
  finishDeployment(here, {
    principal: by.principal,
    needs: 'member',
    deploymentId: here.deployment.id,
    status,
    durationSeconds,
  });

describe('Finishing a deployment', () => {
  it('does not count where its release ships while the end is on its way to the store', async () => {
    const here = await started();
    here.time.now += 90_000;
    const submit: typeof here.reports.submit = async (entry) => {
      here.time.now += 5;
      await shipRelease(here, { by: here.member, ...here.at, note: null });
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
      const [inputs] = await here.stores.facts.factsFor([here.release.id]);
      const { succeeded, failed, inProgress } = inputs?.facts.stability ?? {};
      expect([(succeeded ?? 0) + (failed ?? 0), inProgress]).to.deep.equal([1, 0]);
    }
  });
  it('does not move it out of the window it started in', async () => {
    const here = await started();
    here.time.now += 1_000;
    await cancelRelease(here, { by: here.member, ...here.at });
    here.time.now += 1_000;
    const { attribution } = await finish(here, 'failure');
    expect(attribution.releases.map(({ id, counts }) => [id, counts])).to.deep.equal([[here.release.id, true]]);
  });
  it('refuses a bad duration, viewers, and anyone who does not see it', async () => {
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

describe('Reading a deployment', () => {
  it('answers the record with its receipt and what it does to the score', async () => {
    const here = await releaseScene();
    await deployed(here, { status: 'success' });
    const { deployment } = await deployed(here, { status: 'failure' });
    const view = await readDeployment(here, { principal: here.viewer.principal, deploymentId: deployment.id });
    expect(view.deployment).to.deep.equal(deployment);
    const [line] = view.attribution.releases;
    expect(line).to.include({ id: here.release.id, counts: true });
    // Ops 0, stability 50 with it and 100 without; nothing else is measured.
    expect(line?.contribution).to.deep.equal({ scoreWith: 25, scoreWithout: 50 });
  });
  it('has no contribution where it does not count', async () => {
    const here = await releaseScene();
    const { deployment } = await deployed(here, { status: 'started' });
    const view = await readDeployment(here, { principal: here.viewer.principal, deploymentId: deployment.id });
    expect(view.attribution.releases[0]).to.include({ reason: 'still_in_progress', contribution: null });
  });
  it('stays where it is after a rename, under the new name', async () => {
    const here = await releaseScene();
    const { deployment } = await deployed(here);
    await renameProject(here, { by: here.owner, ...here.there, name: 'Store', version: null });
    const view = await readDeployment(here, { principal: here.viewer.principal, deploymentId: deployment.id });
    expect(view.attribution.project).to.deep.equal({ id: here.project.id, name: 'Store' });
    expect([view.deployment.appName, view.attribution.releases.length]).to.deep.equal(['Shop', 1]);
  });
  it('finds nothing out of sight', async () => {
    const here = await releaseScene();
    const { deployment } = await deployed(here);
    const read = (deploymentId: string) => readDeployment(here, { principal: here.stranger.principal, deploymentId });
    const hidden = await refused(read(deployment.id), 'not-found');
    expect(hidden.message).to.equal((await refused(read('none'), 'not-found')).message);
  });
});

describe('Weighing a deployment', () => {
  it('adds what it does to the score at the time of asking', async () => {
    const here = await releaseScene();
    const view = await deployed(here, { status: 'success' });
    const contributionNow = async () =>
      (await addDeploymentContribution(here, view)).attribution.releases.map((line) => line.contribution);
    expect(await contributionNow()).to.deep.equal([{ scoreWith: 50, scoreWithout: 0 }]);
    await deployed(here, { status: 'failure' });
    expect(await contributionNow()).to.deep.equal([{ scoreWith: 25, scoreWithout: 0 }]);
  });
  it('changes nothing else, and reads nothing where it counts for no release', async () => {
    const here = await releaseScene();
    const counted = await deployed(here);
    const weighed = await addDeploymentContribution(here, counted);
    const plain = weighed.attribution.releases.map((line) => ({ ...line, contribution: null }));
    expect({ ...weighed, attribution: { ...weighed.attribution, releases: plain } }).to.deep.equal(counted);
    const lookups = { ...here.lookups, releaseInputs: () => Promise.reject(new Error('read')) };
    const open = await deployed(here, { status: 'started' });
    expect(await addDeploymentContribution({ ...here, lookups }, open)).to.deep.equal(open);
  });
});

const bring = (here: ReleaseScene, records: readonly Partial<DeploymentReport>[], by = here.member) =>
  importDeployments(here, { principal: by.principal, needs: 'member', records: records.map(deploymentReport) });
const told = (outcomes: readonly ImportOutcome[]) =>
  outcomes.map((outcome) => (outcome.result === 'refused' ? outcome.refusal.code : outcome.result));

describe('Importing deployments', () => {
  it('stores the good ones although others are refused, outcomes in input order', async () => {
    const here = await releaseScene();
    const outcomes = await bring(here, [
      { startedAt: 5, finishedAt: 9 },
      { appName: 'Shp' },
      { startedAt: 9, finishedAt: 5 },
      { projectId: 'p9' },
      {},
    ]);
    expect(told(outcomes)).to.deep.equal(['created', 'unknown-app-name', 'invalid', 'invalid', 'created']);
    const { rows } = await here.stores.deployments.page({ projectId: here.project.id }, { limit: 9, after: null });
    const ids = outcomes.flatMap((outcome) => ('id' in outcome ? [outcome.id] : []));
    expect(rows.map((row) => row.id).sort()).to.deep.equal(ids.sort());
    expect(await here.stores.deployments.recount()).to.deep.equal([]);
  });
  it('names the nearest names for those that are unknown, though others are known, and reads none where all are', async () => {
    const here = await releaseScene();
    const [first, second] = await bring(here, [{}, { appName: 'Shp' }]);
    expect(first?.result).to.equal('created');
    expect(second?.result === 'refused' && second.refusal.details).to.deep.equal({ nearest: ['Shop'] });
    const { stores, calls } = counted(here.stores);
    expect(told(await bring({ ...here, stores }, [{}, {}]))).to.deep.equal(['created', 'created']);
    expect(calls).to.include('projects.named').and.not.to.include('projects.names');
  });
  it('does not count those whose release ships while they are on their way to the store', async () => {
    const here = await releaseScene();
    const startedAt = here.time.now;
    here.time.now += 60_000;
    const record: typeof here.stores.reports.record = async (entries) => {
      here.time.now += 5;
      await shipRelease(here, { by: here.member, ...here.at, note: null });
      return here.stores.reports.record(entries);
    };
    const [outcome] = await bring({ ...here, stores: { ...here.stores, reports: { record } } }, [
      { startedAt, finishedAt: startedAt },
    ]);
    const deploymentId = outcome?.result === 'created' ? outcome.id : '';
    const { attribution } = await readDeployment(here, { principal: here.member.principal, deploymentId });
    expect(attribution.releases[0]).to.include({ counts: false, reason: 'release_frozen' });
  });
  it('tells a repeat from a contradiction by external id, also within one import', async () => {
    const here = await releaseScene();
    const same = { external: { id: 'e1', fingerprint: 'x' } };
    const outcomes = await bring(here, [same, same, { external: { id: 'e1', fingerprint: 'y' } }]);
    expect(told(outcomes)).to.deep.equal(['created', 'duplicate', 'external-id-conflict']);
    const [again] = await bring(here, [same]);
    expect(again).to.deep.equal({ result: 'duplicate', id: outcomes[0]?.result === 'created' && outcomes[0].id });
  });
  it('leaves the names of what is imported from a repository host to the import', async () => {
    const here = await releaseScene();
    const named = (id: string) => ({ external: { id, fingerprint: 'x' } });
    for (const id of ['github:deployment:1', 'gitlab:deployment:7', 'forge:workflows:2', 'github:checks:3']) {
      const { details } = await refused(record(here, named(id)), 'invalid');
      expect(pointers(details.faults), id).to.deep.equal(['/external_id']);
      expect(told(await bring(here, [named(id)])), id).to.deep.equal(['invalid']);
    }
    for (const id of ['github:1', 'deployment:1', 'github:deployment', 'my-github:deployment:1', 'cdevents:/ci#1'])
      expect((await record(here, named(id))).outcome, id).to.equal('created');
  });
  it('refuses what the role or sight forbids, one by one', async () => {
    const here = await releaseScene();
    expect(told(await bring(here, [{}], here.viewer))).to.deep.equal(['forbidden']);
    expect(told(await bring(here, [{}], here.stranger))).to.deep.equal(['unknown-app-name']);
  });
  it('answers nothing for nothing', async () => {
    expect(await bring(await releaseScene(), [])).to.deep.equal([]);
  });
});
