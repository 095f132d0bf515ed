import { expect } from 'chai';
import { readReadiness } from '../../src/use-cases/read-readiness.js';
import { recordDeployment } from '../../src/use-cases/record-deployment.js';
import { shipRelease } from '../../src/use-cases/ship-release.js';
import { refused } from '../refusal.js';
import { deploymentReport } from '../report/report-of.js';
import { linked } from '../repository/linked.js';
import { planned, type ReleaseScene, releaseScene } from './scene.js';
import { actions } from './world.js';

const ship = (here: ReleaseScene, note: string | null = null) =>
  shipRelease(here)({ by: here.member, ...here.at, note });
const deploy = (here: ReleaseScene, startedAt = here.time.now) =>
  recordDeployment(here)({ principal: here.member.principal, report: deploymentReport({ startedAt }), remember: null });

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
    const read = readReadiness(here);
    const path = { principal: here.viewer.principal, ...here.at };
    const answer = await read({ ...path, view: null });
    expect([answer.frozenAt, answer.report]).to.deep.equal([frozen.frozenAt, frozen.report]);
    const live = await read({ ...path, view: 'live' });
    expect(live.report.axes[4]).to.include({ state: 'measured', score: 100 });
    expect([live.frozenAt, frozen.report.axes[4]?.state]).to.deep.equal([null, 'unmeasured']);
  });
  it('freezes as of when its issues were known, though they stay as they are from then on', async () => {
    const here = await releaseScene();
    const { now } = here.time;
    const { projectId } = here.at;
    const { repositoryLinks } = here.stores;
    await repositoryLinks.put(linked({ id: here.newId(), projectId, userId: here.owner.principal.userId }, now));
    await repositoryLinks.setStale(projectId, now, now + 1_000);
    here.time.now += 60_000;
    const { frozen } = await ship(here);
    const asOf = (report: typeof frozen.report) => report.axes.map((reading) => reading.asOf);
    expect(asOf(frozen.report)).to.deep.equal([now, now, null, null, null]);
    expect(frozen.facts.issuesAsOf).to.equal(now);
    await repositoryLinks.setStale(projectId, null, here.time.now + 1_000);
    const path = { principal: here.viewer.principal, ...here.at };
    expect((await readReadiness(here)({ ...path, view: null })).report).to.deep.equal(frozen.report);
    const live = await readReadiness(here)({ ...path, view: 'live' });
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
    const live = await readReadiness(here)({ principal: here.viewer.principal, ...here.at, view: 'live' });
    expect(live.report.axes[0]).not.to.include({ cause: 'issues_being_imported' });
  });
  it('while deployments are recorded counts each one before it, and none after', async () => {
    const here = await releaseScene();
    const reports = Array.from({ length: 20 }, (_, index) => {
      if (index === 10) here.time.now += 1;
      return deploy(here);
    });
    const [{ frozen }] = await Promise.all([ship(here), ...reports]);
    const [dossier] = await here.stores.facts.factsFor([here.release.id]);
    expect(dossier?.facts.stability.succeeded).to.equal(10);
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
    await refused(shipRelease(here)({ by: here.member, ...here.there, releaseId, note: null }), 'release-state');
    await refused(shipRelease(here)({ by: here.viewer, ...here.at, note: null }), 'forbidden');
  });
});
