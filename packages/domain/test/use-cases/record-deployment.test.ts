import { expect } from 'chai';
import type { DeploymentReport } from '../../src/report/deployment-report.js';
import { createProject } from '../../src/use-cases/create-project.js';
import { readDeployment } from '../../src/use-cases/read-deployment.js';
import { recordDeployment } from '../../src/use-cases/record-deployment.js';
import { renameProject } from '../../src/use-cases/rename-project.js';
import { shipRelease } from '../../src/use-cases/ship-release.js';
import { pointers, refused } from '../refusal.js';
import { deploymentReport } from '../report/report-of.js';
import { type ProjectScene, projectScene, releaseScene } from './scene.js';
import { withRoles } from './world.js';

const record = (here: ProjectScene, over: Partial<DeploymentReport> = {}, by = here.member) =>
  recordDeployment(here)({ principal: by.principal, report: deploymentReport(over), remember: null });
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
    const [dossier] = await here.stores.facts.factsFor([here.release.id]);
    expect(dossier?.facts.stability).to.deep.equal({ succeeded: 2, failed: 1, inProgress: 1 });
  });
  it('does not count where its release ships while it is on its way to the store', async () => {
    const here = await releaseScene();
    const submit: typeof here.reports.submit = async (entry) => {
      here.time.now += 5;
      await shipRelease(here)({ by: here.member, ...here.at, note: null });
      return here.reports.submit(entry);
    };
    const { deployment, attribution } = await created({ ...here, reports: { submit } }, { status: 'success' });
    expect(attribution.releases[0]).to.include({ counts: false, reason: 'release_frozen' });
    const read = await readDeployment(here)({ principal: here.member.principal, deploymentId: deployment.id });
    expect(read.attribution.releases[0]).to.include({ counts: false, reason: 'release_frozen' });
    const frozen = await here.stores.releases.frozen(here.release.id);
    expect(frozen?.facts.stability).to.deep.equal({ succeeded: 0, failed: 0, inProgress: 0 });
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
    await createProject(here)({ by: here.stranger, teamId, name: 'shop' });
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
    await renameProject(here)({ by: here.owner, ...here.there, name: 'Store', version: null });
    expect((await refused(record(here), 'unknown-app-name')).details).to.include({ renamed_to: 'Store' });
    await created(here, { appName: 'Store' });
    const names = (await stored(here)).map((one) => one.appName).sort();
    expect(names).to.deep.equal([before.deployment.appName, 'Store']);
  });
  it('asks for project_id when two projects in sight have the name', async () => {
    const here = await releaseScene();
    const [teamId = ''] = here.stranger.principal.roles.keys();
    const twin = await createProject(here)({ by: here.stranger, teamId, name: 'Shop' });
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
