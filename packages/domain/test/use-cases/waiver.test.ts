import { expect } from 'chai';
import type { ReleaseEvent } from '../../src/event.js';
import { recordHistory } from '../../src/use-cases/history.js';
import { addIssue } from '../../src/use-cases/issue.js';
import { readReadiness } from '../../src/use-cases/readiness.js';
import { shipRelease } from '../../src/use-cases/release.js';
import { type WaiveReason, waiveReason, withdrawWaiver } from '../../src/use-cases/waiver.js';
import { refused } from '../refusal.js';
import { deployed } from './reporting.js';
import { type ReleaseScene, releaseScene } from './scene.js';
import { DAY, lastDeed, needing } from './world.js';

const criticalBug = (here: ReleaseScene) => {
  const bug = { title: 'Crash', type: 'bug', state: 'todo', severity: 'critical', url: null } as const;
  return addIssue(here, { by: here.member, ...here.there, issue: { ...bug, releaseId: here.release.id } });
};
const waive = (here: ReleaseScene, over: Partial<WaiveReason> = {}) =>
  waiveReason(here, {
    by: here.owner,
    ...here.at,
    code: 'open_critical_bugs',
    axis: null,
    text: 'Known, behind a flag.',
    expiresAt: here.time.now + DAY,
    ...over,
  });
const bugReason = async (here: ReleaseScene) => {
  const { report } = await readReadiness(here, { principal: here.viewer.principal, ...here.at, view: null });
  return report.gate.reasons.find((reason) => reason.code === 'open_critical_bugs');
};

describe('Waiving a reason', () => {
  it('is named where others are told of the go that it makes', async () => {
    const here = await releaseScene();
    await deployed(here, { status: 'success' });
    await recordHistory(here, { limit: 10, leaseMs: 60_000 });
    const told: ReleaseEvent[] = [];
    here.feed.subscribe((event) => told.push(event));
    here.time.now += 1_000;
    const { gate } = (await readReadiness(here, { principal: here.viewer.principal, ...here.at, view: null })).report;
    const waivers = [];
    for (const { code, axis } of gate.reasons)
      if (code !== 'no_weights') waivers.push(await waive(here, { code, axis }));
    await recordHistory(here, { limit: 10, leaseMs: 60_000 });
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    const named = waivers.map(({ id, code, axis, expiresAt }) => ({ id, code, axis, expiresAt }));
    expect(named.length).to.be.above(1);
    expect(told.map(({ type, reading }) => `${type} ${reading.decision}`)).to.deep.equal([
      'readiness.changed go',
      'gate.changed go',
      'release.shipped go',
    ]);
    for (const { type, waived } of told) {
      expect(waived?.decisionWithoutWaivers, type).to.equal(gate.decision);
      expect(waived?.waivers, type).to.deep.equal(named);
    }
  });
  it('keeps who, why, until when and how bad it was; the reason stays, marked', async () => {
    const here = await releaseScene();
    await criticalBug(here);
    const waiver = await waive(here);
    expect(waiver).to.include({ actual: 1, createdBy: 'Ada', createdAt: here.time.now, withdrawnAt: null });
    expect(await bugReason(here)).to.include({ waived: true, actual: 1 });
    const deed = await lastDeed(here, here.teamId);
    expect(deed?.action).to.equal('waiver.sign');
    const known = { code: 'open_critical_bugs', axis: null, actual: 1, text: 'Known, behind a flag.' };
    expect(deed?.detail).to.deep.include(known);
  });
  it('is refused on a release that has 500 waivers, those that ended included', async () => {
    const here = await releaseScene();
    await criticalBug(here);
    const first = await waive(here);
    await withdrawWaiver(here, { by: here.owner, ...here.at, waiverId: first.id });
    for (let count = 1; count < 500; count += 1)
      await here.stores.waivers.add({ ...first, id: here.newId(), expiresAt: here.time.now + 1 });
    const { details } = await refused(waive(here), 'invalid');
    const message = 'A release has 500 waivers at most, those that ended included.';
    expect(details.faults).to.deep.equal([{ pointer: '/code', code: 'too-many', message }]);
  });
  it('does not cover a second critical bug', async () => {
    const here = await releaseScene();
    await criticalBug(here);
    await waive(here);
    await criticalBug(here);
    expect(await bugReason(here)).to.include({ waived: false, actual: 2 });
  });
  it('is refused where the reason is worse than the one that was seen, and changes nothing', async () => {
    const here = await releaseScene();
    for (let bugs = 0; bugs < 6; bugs += 1) await criticalBug(here);
    const present = await bugReason(here);
    const before = await lastDeed(here, here.teamId);
    const { details, message } = await refused(waive(here, { actual: 1 }), 'reason-worse');
    expect(details).to.deep.equal({ current: present });
    expect(message).to.equal('It is worse now: 6 critical bugs open, at most 0 allowed.');
    const score = { code: 'score_below_threshold', axis: null } as const;
    await refused(waive(here, { ...score, actual: 100 }), 'reason-worse');
    await refused(waive(here, { ...score, actual: null }), 'reason-worse');
    await refused(waive(here, { code: 'axis_unmeasured', axis: 'stability', actual: 50 }), 'reason-worse');
    await refused(waive(here, { axis: 'quality', actual: 1 }), 'no-such-reason');
    expect(await here.stores.waivers.ofRelease(here.release.id)).to.deep.equal([]);
    expect(await lastDeed(here, here.teamId)).to.deep.equal(before);
  });
  it('accepts a reason that is no worse than the one that was seen, at its present value', async () => {
    const here = await releaseScene();
    await criticalBug(here);
    expect(await waive(here, { actual: 1 })).to.include({ actual: 1 });
    expect(await waive(here, { actual: 3 })).to.include({ actual: 1 });
    expect(await waive(here, { code: 'score_below_threshold', actual: 0 })).to.include({ actual: 0 });
    const unmeasured = { code: 'axis_unmeasured', axis: 'stability', actual: null } as const;
    expect(await waive(here, unmeasured)).to.include({ actual: null });
  });
  it('no longer applies from its expiry on', async () => {
    const here = await releaseScene();
    await criticalBug(here);
    const { expiresAt } = await waive(here);
    here.time.now = expiresAt - 1;
    expect(await bugReason(here)).to.include({ waived: true });
    here.time.now = expiresAt;
    expect(await bugReason(here)).to.include({ waived: false });
  });
  it('accepts an unmeasured axis too, without an actual', async () => {
    const here = await releaseScene();
    const waiver = await waive(here, { code: 'axis_unmeasured', axis: 'stability' });
    expect(waiver).to.include({ code: 'axis_unmeasured', axis: 'stability', actual: null });
  });
  it('needs a reason that exists now, waived or not', async () => {
    const here = await releaseScene();
    const none = await refused(waive(here), 'no-such-reason');
    expect(none.details).to.deep.equal({ code: 'open_critical_bugs', axis: null });
    expect(none.message).to.equal('The gate has no such reason now.');
    await criticalBug(here);
    await waive(here);
    expect((await waive(here)).code).to.equal('open_critical_bugs');
    await refused(waive(here, { axis: 'quality' }), 'no-such-reason');
  });
  it('expires after now and within 90 days', async () => {
    const here = await releaseScene();
    await criticalBug(here);
    const { now } = here.time;
    for (const expiresAt of [now, now + 90 * DAY + 1]) {
      const error = await refused(waive(here, { expiresAt }), 'invalid');
      const message = 'A waiver expires after now and within 90 days.';
      expect(error.details.faults).to.deep.equal([{ pointer: '/expires_at', code: 'out-of-range', message }]);
    }
    await waive(here, { expiresAt: now + 90 * DAY });
  });
  it('needs a text that explains something, and names every fault', async () => {
    const here = await releaseScene();
    await criticalBug(here);
    const { details } = await refused(waive(here, { text: '---', expiresAt: 0 }), 'invalid');
    expect(details.faults).to.deep.equal([
      { pointer: '/text', code: 'required', message: 'Say why the reason is accepted' },
      { pointer: '/expires_at', code: 'out-of-range', message: 'A waiver expires after now and within 90 days.' },
    ]);
  });
  it('is for owners, and only while the release is open', async () => {
    const here = await releaseScene();
    await criticalBug(here);
    await refused(waive(here, { by: needing('owner', here.member) }), 'forbidden');
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    await refused(waive(here), 'release-closed');
    await refused(waive(here, { expiresAt: 0 }), 'invalid');
  });
});

const withWaiver = async () => {
  const here = await releaseScene();
  const reason = { code: 'axis_unmeasured', axis: 'stability', text: 'No deployments here.' } as const;
  const expiresAt = here.time.now + DAY;
  const waiver = await waiveReason(here, { by: here.owner, ...here.at, ...reason, expiresAt });
  return { ...here, waiver, at: { ...here.at, waiverId: waiver.id } };
};

describe('Withdrawing a waiver', () => {
  it('keeps the record with person and moment; the reason is unwaived again', async () => {
    const here = await withWaiver();
    here.time.now += 5;
    const withdrawn = await withdrawWaiver(here, { by: here.owner, ...here.at });
    expect(withdrawn).to.deep.equal({ ...here.waiver, withdrawnAt: here.time.now, withdrawnBy: 'Ada' });
    expect(await here.stores.waivers.ofRelease(here.release.id)).to.deep.equal([withdrawn]);
    const { report } = await readReadiness(here, { principal: here.viewer.principal, ...here.at, view: null });
    expect(report.gate.waivers).to.deep.equal([]);
    const deed = await lastDeed(here, here.teamId);
    expect(deed?.action).to.equal('waiver.withdraw');
    expect(deed?.detail).to.deep.include({ code: 'axis_unmeasured', axis: 'stability' });
  });
  it('again changes nothing', async () => {
    const here = await withWaiver();
    const first = await withdrawWaiver(here, { by: here.owner, ...here.at });
    here.time.now += 5;
    expect(await withdrawWaiver(here, { by: here.owner, ...here.at })).to.deep.equal(first);
  });
  it('is for owners, of waivers there are, while the release is open', async () => {
    const here = await withWaiver();
    await refused(withdrawWaiver(here, { by: needing('owner', here.member), ...here.at }), 'forbidden');
    const unknown = withdrawWaiver(here, { by: here.owner, ...here.at, waiverId: 'none' });
    expect((await refused(unknown, 'not-found')).details).to.deep.equal({ what: 'waiver' });
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    await refused(withdrawWaiver(here, { by: here.owner, ...here.at }), 'release-closed');
  });
});
