import { expect } from 'chai';
import type { CdEvent } from '../../src/cdevent/cdevent.js';
import { createProject } from '../../src/use-cases/create-project.js';
import { type CdEventReceipt, receiveCdEvent } from '../../src/use-cases/receive-cdevent.js';
import { COMMIT, serviceEvent, suiteRunEvent } from '../cdevent/event-of.js';
import { pointers, refused } from '../refusal.js';
import { type ProjectScene, projectScene, releaseScene } from './scene.js';
import { HOUR, withRoles } from './world.js';

const receive = (here: ProjectScene, event: CdEvent, { by = here.member, base = '' } = {}) =>
  receiveCdEvent(here)({ principal: by.principal, event, base });
/** What was made of an event, now or before. */
const made = (receipt: CdEventReceipt) => {
  if (receipt.kind === 'none') throw new Error(receipt.reason);
  const { result } = receipt;
  return { result, id: receipt.kind === 'deployment' ? receipt.view.deployment.id : receipt.view.testRun.id };
};
const all = { limit: 200, after: null } as const;
const stored = async ({ stores, project: { id: projectId } }: ProjectScene) => ({
  deployments: (await stores.deployments.page({ projectId }, all)).rows,
  testRuns: (await stores.testRuns.page({ projectId }, all)).rows,
});

describe('Receiving a CDEvent', () => {
  it('records a service event as a deployment of the project it names', async () => {
    const here = await releaseScene();
    const receipt = await receive(here, serviceEvent({ kind: 'service.rolledback' }));
    if (receipt.kind !== 'deployment') throw new Error(receipt.kind);
    expect(receipt.result).to.equal('created');
    expect(receipt.view.deployment).to.include({
      appName: 'Shop',
      commitSha: COMMIT,
      status: 'success',
      isReturn: true,
    });
    const line = { id: here.release.id, counts: false, reason: 'rollback_pending_outcome' };
    expect(receipt.view.attribution.releases[0]).to.include(line);
    expect((await stored(here)).deployments).to.deep.equal([receipt.view.deployment]);
  });
  it('records a finished suite as a test run of the active release, by the name or the id of the project', async () => {
    const here = await releaseScene();
    const byId = suiteRunEvent({ appName: null, projectId: here.project.id, external: { id: 'b', fingerprint: 'b' } });
    for (const event of [suiteRunEvent(), byId]) {
      const receipt = await receive(here, event);
      if (receipt.kind !== 'test_run') throw new Error(receipt.kind);
      expect(receipt.view.testRun).to.include({ releaseId: here.release.id, suite: 'unit', total: 1, passed: 1 });
    }
    expect((await stored(here)).testRuns).to.have.length(2);
  });
  it('answers the first record when an event comes again, at any time and in any number', async () => {
    const here = await releaseScene();
    for (const event of [serviceEvent(), suiteRunEvent()]) {
      const together = await Promise.all([1, 2, 3].map(() => receive(here, event)));
      here.time.now += HOUR;
      const receipts = [...together, await receive(here, event)].map(made);
      expect(new Set(receipts.map(({ id }) => id)).size).to.equal(1);
      expect(receipts.map(({ result }) => result).sort()).to.deep.equal(['created', ...Array(3).fill('duplicate')]);
    }
    const { deployments, testRuns } = await stored(here);
    expect([deployments.length, testRuns.length]).to.deep.equal([1, 1]);
  });
  it('refuses another event under the same id', async () => {
    const here = await releaseScene();
    await receive(here, serviceEvent());
    const other = serviceEvent({
      environment: 'staging',
      external: { id: 'cdevents:/ci/acme#1', fingerprint: 'other' },
    });
    await refused(receive(here, other), 'external-id-conflict');
  });
  it('records nothing of other types and of canceled runs', async () => {
    const here = await releaseScene();
    expect(await receive(here, { kind: 'other' })).to.deep.equal({ kind: 'none', reason: 'type_not_used' });
    const canceled = suiteRunEvent({ outcome: 'cancel', appName: 'Nobody' });
    expect(await receive(here, canceled)).to.deep.equal({ kind: 'none', reason: 'run_canceled' });
    expect(await stored(here)).to.deep.equal({ deployments: [], testRuns: [] });
  });
  it('points into the event that was sent', async () => {
    const here = await releaseScene();
    await createProject(here)({ by: here.member, teamId: here.teamId, name: 'Basket' });
    const at = here.time.now + HOUR;
    const faultsOf = async (event: CdEvent, code: 'invalid' | 'unknown-app-name' | 'app-name-mismatch') =>
      pointers((await refused(receive(here, event, { base: '/data' }), code)).details.faults);
    expect(await faultsOf(serviceEvent({ at }), 'invalid')).to.deep.equal(['/data/context/timestamp']);
    expect(await faultsOf(serviceEvent({ subjectId: 'Shoop' }), 'unknown-app-name')).to.deep.equal([
      '/data/subject/id',
    ]);
    expect(await faultsOf(serviceEvent({ appName: 'Shoop' }), 'unknown-app-name')).to.deep.equal([
      '/data/customData/app_name',
    ]);
    expect(await faultsOf(suiteRunEvent({ appName: 'Shoop' }), 'unknown-app-name')).to.deep.equal([
      '/data/customData/app_name',
    ]);
    expect(
      await faultsOf(suiteRunEvent({ appName: 'X', projectId: here.project.id }), 'app-name-mismatch'),
    ).to.deep.equal(['/data/customData/app_name']);
    const counts = { total: 1, passed: 1, failed: 1, skipped: null };
    expect(await faultsOf(suiteRunEvent({ at, counts }), 'invalid')).to.deep.equal([
      '/data/customData/total',
      '/data/context/timestamp',
    ]);
  });
  it('is for members, and sees nothing of other teams', async () => {
    const here = await releaseScene();
    const byId = suiteRunEvent({ appName: null, projectId: here.project.id });
    for (const event of [serviceEvent(), suiteRunEvent(), byId])
      await refused(receive(here, event, { by: here.viewer }), 'forbidden');
    for (const event of [serviceEvent(), suiteRunEvent()]) {
      const { details } = await refused(receive(here, event, { by: here.stranger }), 'unknown-app-name');
      expect(details.nearest).to.deep.equal([]);
    }
    const { details } = await refused(receive(here, byId, { by: here.stranger }), 'invalid');
    expect(pointers(details.faults)).to.deep.equal(['/customData/project_id']);
    expect(await stored(here)).to.deep.equal({ deployments: [], testRuns: [] });
  });
  it('asks which project is meant when two in sight have the name', async () => {
    const here = await releaseScene();
    const [teamId = ''] = here.stranger.principal.roles.keys();
    await createProject(here)({ by: here.stranger, teamId, name: 'Shop' });
    const by = withRoles(here.member, { [here.teamId]: 'member', [teamId]: 'member' });
    for (const event of [serviceEvent(), suiteRunEvent()]) {
      const { details } = await refused(receive(here, event, { by }), 'ambiguous-app-name');
      expect(details.candidates).to.have.length(2);
      await receive(here, { ...event, projectId: here.project.id }, { by });
    }
  });
  it('needs an active release for a test run, and none for a deployment', async () => {
    const here = await projectScene();
    await refused(receive(here, suiteRunEvent()), 'no-active-release');
    expect(await receive(here, serviceEvent())).to.include({ kind: 'deployment', result: 'created' });
  });
});
