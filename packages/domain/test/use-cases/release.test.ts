import { expect } from 'chai';
import { recordDeployment } from '../../src/use-cases/deployment.js';
import { recordHistory } from '../../src/use-cases/history.js';
import { createProject } from '../../src/use-cases/project.js';
import { readReadiness } from '../../src/use-cases/readiness.js';
import {
  activateRelease,
  cancelRelease,
  createRelease,
  editRelease,
  parkRelease,
  shipRelease,
} from '../../src/use-cases/release.js';
import { refused } from '../refusal.js';
import { deploymentReport } from '../report/report-of.js';
import { linked } from '../repository/linked.js';
import { deployed } from './reporting.js';
import { planned, projectScene, type ReleaseScene, releaseScene, waitingForLocks } from './scene.js';
import { listening, toldOf } from './told.js';
import { actions, DAY, HOUR, needing } from './world.js';

describe('Creating a release', () => {
  it('plans it without a window, with Docs, Feature flag, Rollback, and is noted', async () => {
    const here = await projectScene();
    const release = await planned(here, '1.0');
    expect(release).to.include({ name: '1.0', state: 'planned', startsAt: null, shippedAt: null, version: 1 });
    const items = await here.stores.checklists.ofRelease(release.id);
    expect(items.map((item) => [item.title, item.state])).to.deep.equal([
      ['Docs', 'open'],
      ['Feature flag', 'open'],
      ['Rollback', 'open'],
    ]);
    expect(await actions(here, here.teamId)).to.include('release.create');
  });
  it('may be given a start: then it has a window before it is active', async () => {
    const here = await projectScene();
    const release = await planned(here, '1.0', 500);
    expect(release.startsAt).to.equal(500);
    expect(await here.stores.releases.windowsAt(here.project.id, 500)).to.have.length(1);
  });
  it('gives no start after which 50 other windows end, and neither does editing or activating one', async () => {
    const here = await projectScene();
    const { member: by, there } = here;
    // Each starts before those that are there, so that no moment of a start is in the window of another one.
    const starts = Array.from({ length: 50 }, (_, nth) => here.time.now - nth * HOUR);
    const crowd = [];
    for (const [nth, startsAt] of starts.entries()) crowd.push(await planned(here, `${nth}`, startsAt));
    const [{ id: firstId = '' } = {}] = crowd;
    const late = await planned(here, 'Late');
    const message = 'The windows of 50 other releases end after that start: ship or cancel some, or start later.';
    const fault = (pointer: string) => [{ pointer, code: 'too-many', message }];
    const at = { by, ...there, releaseId: late.id };
    const move = (startsAt: number) => editRelease(here, { ...at, edit: { startsAt }, version: null });
    const refusals = [planned(here, 'One more', 500), move(500), activateRelease(here, { ...at, current: null })];
    const faults = refusals.map(async (refusal) => (await refused(refusal, 'invalid')).details.faults);
    expect(await Promise.all(faults)).to.deep.equal([fault('/starts_at'), fault('/starts_at'), fault('')]);
    await cancelRelease(here, { by, ...there, releaseId: firstId });
    await refused(move(here.time.now - 1), 'invalid');
    expect((await move(here.time.now)).startsAt).to.equal(here.time.now);
  });
  it('keeps names unique within the project', async () => {
    const here = await projectScene();
    await planned(here, '1.0');
    await refused(planned(here, '1.0'), 'name-taken');
  });
  it('is for members', async () => {
    const here = await projectScene();
    const create = { ...here.there, name: '1.0', startsAt: null, targetAt: null };
    await refused(createRelease(here, { by: needing('member', here.viewer), ...create }), 'forbidden');
    await refused(createRelease(here, { by: here.stranger, ...create }), 'not-found');
  });
});

const edit = (here: ReleaseScene, change: Parameters<typeof editRelease>[1]['edit'], version: number | null = null) =>
  editRelease(here, { by: here.member, ...here.at, edit: change, version });

describe('Editing a release', () => {
  it('changes name and target', async () => {
    const here = await releaseScene();
    const next = await edit(here, { name: '1.0.1', targetAt: 9 }, here.release.version);
    expect(next).to.deep.equal({ ...here.release, name: '1.0.1', targetAt: 9, version: here.release.version + 1 });
  });
  it('moves the window: deployments before the old start count, and nothing is recounted by hand', async () => {
    const here = await releaseScene();
    const startedAt = here.time.now - 3 * DAY - HOUR;
    await recordDeployment(here, {
      principal: here.member.principal,
      needs: 'member',
      report: deploymentReport({ startedAt, finishedAt: startedAt }),
      remember: null,
    });
    const succeeded = async () => (await here.stores.facts.factsFor([here.release.id]))[0]?.facts.stability.succeeded;
    expect(await succeeded()).to.equal(0);
    await edit(here, { startsAt: startedAt });
    expect(await succeeded()).to.equal(1);
    await edit(here, { startsAt: startedAt + 1 });
    expect(await succeeded()).to.equal(0);
  });
  it('keeps the start of an active release in the past; a planned one may start later', async () => {
    const here = await releaseScene();
    await refused(edit(here, { startsAt: here.time.now + 1 }), 'release-state');
    expect((await edit(here, { startsAt: here.time.now })).startsAt).to.equal(here.time.now);
    const next = await planned(here, '2.0');
    const later = { ...here, at: { ...here.there, releaseId: next.id } };
    expect((await edit(later, { startsAt: here.time.now + DAY })).startsAt).to.equal(here.time.now + DAY);
  });
  it('refuses an older version and a taken name', async () => {
    const here = await releaseScene();
    await planned(here, '2.0');
    await refused(edit(here, { name: '2.0' }), 'name-taken');
    const error = await refused(edit(here, { name: '3.0' }, 99), 'version-mismatch');
    expect(error.details.current).to.deep.equal(here.release);
  });
  it('refuses to move the start once shipped', async () => {
    const here = await releaseScene();
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    await refused(edit(here, { startsAt: 1 }), 'release-closed');
    expect((await edit(here, { name: '1.0 final' })).name).to.equal('1.0 final');
  });
  it('is for members', async () => {
    const here = await releaseScene();
    await refused(
      editRelease(here, { by: needing('member', here.viewer), ...here.at, edit: {}, version: null }),
      'forbidden',
    );
  });
});

const activate = (
  here: Omit<ReleaseScene, 'release' | 'at'>,
  releaseId: string,
  current: 'ship' | 'park' | null = null,
) => activateRelease(here, { by: here.member, ...here.there, releaseId, current });

describe('Activating a release', () => {
  it('starts its window at that moment, and is noted', async () => {
    const here = await projectScene();
    const { id } = await planned(here, '1.0');
    here.time.now += 5;
    expect(await activate(here, id)).to.include({ state: 'active', startsAt: here.time.now, version: 2 });
    expect((await here.stores.releases.activeOf(here.project.id))?.id).to.equal(id);
    expect(await actions(here, here.teamId)).to.include('release.activate');
  });
  it('leaves the active one unchanged', async () => {
    const here = await releaseScene();
    expect(await activate(here, here.release.id)).to.deep.equal(here.release);
  });
  it('is refused while another is active, which it names', async () => {
    const here = await releaseScene();
    const next = await planned(here, '2.0');
    const error = await refused(activate(here, next.id), 'release-active');
    expect(error.details).to.deep.equal({ active: { id: here.release.id, name: '1.0' } });
    expect((await here.stores.releases.byId(next.id))?.state).to.equal('planned');
  });
  for (const current of ['ship', 'park'] as const)
    it(`with current ${current} is refused where another release is active than the caller saw`, async () => {
      const here = await releaseScene();
      const other = await planned(here, '2.0');
      const next = await planned(here, '3.0');
      await activate(here, other.id, 'park');
      const seen = { current, currentReleaseId: here.release.id };
      const command = { by: here.member, ...here.there, releaseId: next.id, ...seen };
      const { details } = await refused(activateRelease(here, command), 'release-active');
      expect(details).to.deep.equal({ active: { id: other.id, name: '2.0' } });
      const stateOf = async (id: string) => (await here.stores.releases.byId(id))?.state;
      expect([await stateOf(other.id), await stateOf(next.id)]).to.deep.equal(['active', 'planned']);
      await activateRelease(here, { ...command, currentReleaseId: other.id });
      expect([(await stateOf(other.id)) === 'active', await stateOf(next.id)]).to.deep.equal([false, 'active']);
    });
  for (const [current, state] of [
    ['ship', 'shipped'],
    ['park', 'planned'],
  ] as const)
    it(`with current ${current} leaves the present one ${state}, in one go`, async () => {
      const here = await releaseScene();
      const next = await planned(here, '2.0');
      expect((await activate(here, next.id, current)).state).to.equal('active');
      expect((await here.stores.releases.byId(here.release.id))?.state).to.equal(state);
      const frozen = await here.stores.releases.frozen(here.release.id);
      expect(frozen !== undefined).to.equal(current === 'ship');
    });
  it('of two at once lets exactly one be active', async () => {
    const here = await projectScene();
    const [first, second] = [await planned(here, '1.0'), await planned(here, '2.0')];
    const ends = await Promise.allSettled([activate(here, first.id), activate(here, second.id)]);
    expect(ends.map((end) => end.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    const { rows } = await here.stores.releases.page(
      { projectId: here.project.id, states: ['active'] },
      { limit: 9, after: null },
    );
    expect(rows).to.have.length(1);
  });
  it('undoes all when the release itself cannot be activated', async () => {
    const here = await releaseScene();
    const next = await planned(here, '2.0');
    await activate(here, next.id, 'ship');
    await refused(activate(here, here.release.id, 'park'), 'release-state');
    expect((await here.stores.releases.activeOf(here.project.id))?.id).to.equal(next.id);
  });
  it('leaves the present one as it is when its own start, or the one of the present one, lies ahead', async () => {
    const here = await releaseScene();
    const next = await planned(here, '2.0');
    const later = { ...next, startsAt: here.time.now + 1, version: next.version + 1 };
    await here.stores.releases.replace(later, here.time.now);
    for (const current of ['ship', 'park', null] as const)
      await refused(activate(here, next.id, current), 'release-state');
    expect((await here.stores.releases.activeOf(here.project.id))?.id).to.equal(here.release.id);
    here.time.now += 1;
    expect((await activate(here, next.id, 'park')).startsAt).to.equal(later.startsAt);
    const [third, ahead] = [await planned(here, '3.0'), { startsAt: here.time.now + 60_000 }];
    const present = await here.stores.releases.byId(next.id);
    if (present === undefined) throw new Error('It is active.');
    // Earlier versions could leave a release active before its start.
    await here.stores.releases.replace({ ...present, ...ahead, version: present.version + 1 }, here.time.now);
    await refused(activate(here, third.id, 'ship'), 'release-state');
    expect((await here.stores.releases.activeOf(here.project.id))?.id).to.equal(next.id);
    expect((await activate(here, third.id, 'park')).state).to.equal('active');
  });
  it('does not reach releases of other projects', async () => {
    const here = await releaseScene();
    const other = await createProject(here, { by: here.member, teamId: here.teamId, name: 'Store' });
    const there = { teamId: here.teamId, projectId: other.id };
    await refused(activate({ ...here, there }, here.release.id), 'not-found');
    await refused(activate(here, 'r9'), 'not-found');
  });
  it('is for members', async () => {
    const here = await releaseScene();
    await refused(
      activateRelease(here, { by: needing('member', here.viewer), ...here.at, current: null }),
      'forbidden',
    );
    await refused(activateRelease(here, { by: here.stranger, ...here.at, current: null }), 'not-found');
  });
});

describe('Parking a release', () => {
  it('puts it back to planned without ending its window, and is noted', async () => {
    const here = await releaseScene();
    here.time.now += 1_000;
    const parked = await parkRelease(here, { by: here.member, ...here.at });
    expect(parked).to.include({ state: 'planned', startsAt: here.release.startsAt });
    expect(await here.stores.releases.windowsAt(here.project.id, here.time.now)).to.have.length(1);
    expect(await actions(here, here.teamId)).to.include('release.park');
    const again = await activateRelease(here, { by: here.member, ...here.at, current: null });
    expect(again).to.include({ state: 'active', startsAt: here.release.startsAt });
  });
  it('is refused for what is not active', async () => {
    const here = await releaseScene();
    await parkRelease(here, { by: here.member, ...here.at });
    await refused(parkRelease(here, { by: here.member, ...here.at }), 'release-state');
    await refused(parkRelease(here, { by: needing('member', here.viewer), ...here.at }), 'forbidden');
  });
});

const ship = (here: ReleaseScene, note: string | null = null) =>
  shipRelease(here, { by: here.member, ...here.at, note });
const deploy = (here: ReleaseScene, startedAt = here.time.now) =>
  recordDeployment(here, {
    principal: here.member.principal,
    needs: 'member',
    report: deploymentReport({ startedAt }),
    remember: null,
  });

describe('Shipping a release', () => {
  it('is never refused by the gate; the decision is frozen with it, with the note', async () => {
    const here = await releaseScene();
    here.time.now += 1_000;
    const { release, frozen } = await ship(here, 'On request of the customer.');
    expect(release).to.include({ state: 'shipped', shippedAt: here.time.now, note: 'On request of the customer.' });
    expect(frozen.report.gate.decision).to.equal('hold');
    expect(frozen).to.include({ frozenAt: here.time.now });
    expect(await here.stores.releases.frozen(release.id)).to.deep.equal(frozen);
    expect(await actions(here, here.teamId)).to.include('release.ship');
  });
  it('is of the moment when the project was had, like its entry in the audit log', async () => {
    const here = waitingForLocks(await releaseScene());
    const began = here.time.now;
    const { release, frozen } = await ship(here);
    expect([release.shippedAt, frozen.frozenAt]).to.deep.equal([began + 5000, began + 5000]);
    const { rows } = await here.stores.audit.page({ teamId: here.teamId }, { limit: 1, after: null });
    expect(rows[0]).to.include({ action: 'release.ship', at: began + 5000 });
  });
  it('freezes what is true with the window closed: a start ahead of the clock is outside', async () => {
    const here = await releaseScene();
    await deploy(here);
    here.time.now += 1_000;
    await deploy(here, here.time.now + 1);
    const { frozen } = await ship(here);
    expect(frozen.facts.stability.succeeded).to.equal(1);
    expect(frozen.policy.version).to.equal(1);
  });
  it('answers the frozen report from then on, and the live one on demand', async () => {
    const here = await releaseScene();
    const { startsAt } = here.release;
    here.time.now += 60_000;
    const { frozen } = await ship(here);
    here.time.now += 60_000;
    await deploy(here, startsAt ?? 0);
    const path = { principal: here.viewer.principal, ...here.at };
    const answer = await readReadiness(here, { ...path, view: null });
    expect([answer.frozenAt, answer.report]).to.deep.equal([frozen.frozenAt, frozen.report]);
    const live = await readReadiness(here, { ...path, view: 'live' });
    expect(live.report.axes[4]).to.include({ state: 'measured', score: 100 });
    expect([live.frozenAt, frozen.report.axes[4]?.state]).to.deep.equal([null, 'unmeasured']);
  });
  it('freezes as of when its issues were known, though they stay as they are from then on', async () => {
    const here = await releaseScene();
    const { now } = here.time;
    const { projectId } = here.at;
    const { repositoryLinks } = here.stores;
    await repositoryLinks.put(linked({ id: here.newId(), projectId, userId: here.owner.principal.userId }, now));
    await repositoryLinks.setIssuesAsOf(projectId, now, now + 1_000);
    here.time.now += 60_000;
    const { frozen } = await ship(here);
    const asOf = (report: typeof frozen.report) => report.axes.map((reading) => reading.asOf);
    expect(asOf(frozen.report)).to.deep.equal([now, now, null, null, null]);
    expect(frozen.facts.issuesAsOf).to.equal(now);
    await repositoryLinks.setIssuesAsOf(projectId, null, here.time.now + 1_000);
    const path = { principal: here.viewer.principal, ...here.at };
    expect((await readReadiness(here, { ...path, view: null })).report).to.deep.equal(frozen.report);
    const live = await readReadiness(here, { ...path, view: 'live' });
    expect(asOf(live.report)).to.deep.equal([null, null, null, null, null]);
  });
  it('freezes that its issues were not all imported', async () => {
    const here = await releaseScene();
    const { projectId, releaseId } = here.at;
    const { repositoryLinks } = here.stores;
    const ids = { id: here.newId(), projectId, userId: here.owner.principal.userId };
    const { link, state } = linked(ids, here.time.now);
    await repositoryLinks.put({ link, state: { ...state, pendingReleaseIds: [releaseId] } });
    const { frozen } = await ship(here);
    expect(frozen.facts.issuesPending).to.equal(true);
    expect(frozen.report.axes[0]).to.include({ state: 'unmeasured', cause: 'issues_being_imported' });
    const live = await readReadiness(here, { principal: here.viewer.principal, ...here.at, view: 'live' });
    expect(live.report.axes[0]).not.to.include({ cause: 'issues_being_imported' });
  });
  it('while deployments are recorded counts each one before it, and none after', async () => {
    const here = await releaseScene();
    const reports = Array.from({ length: 20 }, (_, index) => {
      if (index === 10) here.time.now += 1;
      return deploy(here);
    });
    const [{ frozen }] = await Promise.all([ship(here), ...reports]);
    const [inputs] = await here.stores.facts.factsFor([here.release.id]);
    expect(inputs?.facts.stability.succeeded).to.equal(10);
    expect(frozen.facts.stability.succeeded).to.be.at.most(10);
    expect(await here.stores.deployments.recount()).to.deep.equal([]);
  });
  it('happens once of two at once', async () => {
    const here = await releaseScene();
    const ends = await Promise.allSettled([ship(here), ship(here)]);
    expect(ends.map((end) => end.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
  });
  it('is refused for a planned one, and is for members', async () => {
    const here = await releaseScene();
    const { id: releaseId } = await planned(here, '2.0');
    await refused(shipRelease(here, { by: here.member, ...here.there, releaseId, note: null }), 'release-state');
    await refused(shipRelease(here, { by: needing('member', here.viewer), ...here.at, note: null }), 'forbidden');
  });
});

describe('Canceling a release', () => {
  it('ends the window of an active one, and is noted', async () => {
    const here = await releaseScene();
    here.time.now += 1_000;
    const canceled = await cancelRelease(here, { by: here.member, ...here.at });
    expect(canceled).to.include({ state: 'canceled', canceledAt: here.time.now });
    const windows = (at: number) => here.stores.releases.windowsAt(here.project.id, at);
    expect(await windows(here.time.now - 1)).to.have.length(1);
    expect(await windows(here.time.now)).to.have.length(0);
    expect(await actions(here, here.teamId)).to.include('release.cancel');
  });
  it('gives up a planned one, once', async () => {
    const here = await releaseScene();
    const { id: releaseId } = await planned(here, '2.0');
    const cancel = () => cancelRelease(here, { by: here.member, ...here.there, releaseId });
    expect((await cancel()).state).to.equal('canceled');
    await refused(cancel(), 'release-state');
    await refused(cancelRelease(here, { by: needing('member', here.viewer), ...here.at }), 'forbidden');
  });
});

describe('Events of transitions', () => {
  it('says that a release was activated, and nothing when it was active already', async () => {
    const here = await projectScene();
    const { id: releaseId } = await planned(here, '1.0');
    const heard = listening(here);
    const command = { by: here.member, ...here.there, releaseId, current: null };
    await activateRelease(here, command);
    await activateRelease(here, command);
    expect(toldOf(heard)).to.deep.equal(['release.activated 1.0 0 hold']);
    const [event] = heard;
    expect(event).to.include({ at: here.time.now, teamId: here.teamId, before: null });
    expect(event?.project).to.deep.equal({ id: here.project.id, name: 'Shop' });
    expect(event?.release).to.deep.equal({ id: releaseId, name: '1.0' });
  });
  it('says with what a release was shipped, and what had been recorded before', async () => {
    const here = await releaseScene();
    await deployed(here);
    await recordHistory(here, { limit: 10, leaseMs: 1_000 });
    const heard = listening(here);
    here.time.now += 5_000;
    const { frozen } = await shipRelease(here, { by: here.member, ...here.at, note: null });
    const { score, coverage, gate } = frozen.report;
    expect(toldOf(heard)).to.deep.equal([`release.shipped 1.0 ${score} ${gate.decision}`]);
    expect(heard[0]?.reading).to.deep.equal({ score, coverage, decision: gate.decision });
    expect(heard[0]?.before).to.include({ score: 50, decision: 'hold' });
  });
  it('says it of both releases when one takes the place of the other', async () => {
    const here = await releaseScene();
    const { id: releaseId } = await planned(here, '1.1');
    const heard = listening(here);
    await activateRelease(here, { by: here.member, ...here.there, releaseId, current: 'ship' });
    expect(heard.map(({ type, release }) => `${type} ${release.name}`)).to.deep.equal([
      'release.shipped 1.0',
      'release.activated 1.1',
    ]);
  });
  it('says that a release was canceled, and nothing when it is parked', async () => {
    const here = await releaseScene();
    const heard = listening(here);
    await parkRelease(here, { by: here.member, ...here.at });
    await cancelRelease(here, { by: here.member, ...here.at });
    expect(heard.map(({ type }) => type)).to.deep.equal(['release.canceled']);
  });
  it('says nothing when the transition is undone', async () => {
    const here = await releaseScene();
    const { id: releaseId } = await planned(here, '1.1');
    const heard = listening(here);
    const refused = new Error('undone');
    const stores = {
      ...here.stores,
      transaction: <Result>(work: Parameters<typeof here.stores.transaction<Result>>[0]) =>
        here.stores.transaction<Result>(async (inside) => {
          await work(inside);
          throw refused;
        }),
    };
    const command = { by: here.member, ...here.there, releaseId, current: 'ship' } as const;
    expect(await activateRelease({ ...here, stores }, command).catch((error: unknown) => error)).to.equal(refused);
    expect(heard).to.deep.equal([]);
  });
});
