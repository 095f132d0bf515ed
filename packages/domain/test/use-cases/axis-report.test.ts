import { expect } from 'chai';
import type { AxisReportView, SentAxisReport } from '../../src/axis-report.js';
import type { Fault } from '../../src/errors.js';
import { DEFAULT_POLICY, type Policy } from '../../src/readiness/policy.js';
import {
  addAxisReportContribution,
  importAxisReports,
  listAxisReports,
  readAxisReport,
  recordAxisReport,
} from '../../src/use-cases/axis-report.js';
import { readDifference, recordHistory } from '../../src/use-cases/history.js';
import { changePolicy } from '../../src/use-cases/policy.js';
import { readReadiness, readWhatIf } from '../../src/use-cases/readiness.js';
import { activateRelease, cancelRelease, shipRelease } from '../../src/use-cases/release.js';
import { refused } from '../refusal.js';
import { planned, type ReleaseScene, releaseScene } from './scene.js';
import { HOUR, needing } from './world.js';

const SECURITY = { name: 'security', weight: 1, minimum: 90, required: true, freshForHours: 24 };

const withAxes = async (here: ReleaseScene, over: Partial<Policy> = {}): Promise<ReleaseScene> => {
  const policy = { ...DEFAULT_POLICY, ownAxes: [SECURITY, { name: 'translations' }], ...over };
  await changePolicy(here, { by: here.owner, ...here.there, policy, version: 1 });
  return here;
};

const judgedScene = async (over?: Partial<Policy>): Promise<ReleaseScene> => withAxes(await releaseScene(), over);

const sent = (over: Partial<SentAxisReport> = {}): SentAxisReport => ({
  part: 48,
  whole: 50,
  explanation: null,
  url: null,
  measuredAt: null,
  external: null,
  ...over,
});

const report = async (
  here: ReleaseScene,
  over: Partial<SentAxisReport> = {},
  axis = 'security',
  named = false,
): Promise<AxisReportView> => {
  const reported = await recordAxisReport(here, {
    by: needing('member', here.member),
    ...here.there,
    axis,
    releaseId: named ? here.release.id : null,
    report: sent(over),
    remember: null,
  });
  if (!('view' in reported)) throw new Error(`It was ${reported.outcome}.`);
  return reported.view;
};

const faultsIn = async (work: Promise<unknown>): Promise<readonly Fault[]> =>
  (await refused(work, 'invalid')).details.faults as readonly Fault[];

const faultsOf = async (work: Promise<unknown>) =>
  (await faultsIn(work)).map(({ pointer, code }) => `${pointer} ${code}`);

const readingOf = async (here: ReleaseScene, axis = 'security') => {
  const command = { principal: here.viewer.principal, ...here.at, view: 'live' } as const;
  const { report: live } = await readReadiness(here, command);
  return live.ownAxes?.find((reading) => reading.axis === axis);
};

describe('Reporting an own axis', () => {
  it('makes it part of the score, the gate and the trend at once', async () => {
    const here = await judgedScene();
    expect(await readingOf(here)).to.include({ state: 'unmeasured', cause: 'no_report' });
    await recordHistory(here, { limit: 10, leaseMs: 60_000 });
    here.time.now += 1000;
    const before = here.time.now;
    here.time.now += 1000;
    const view = await report(here, { url: 'https://ci.example/1' });
    const { id, name } = here.release;
    expect(view).to.deep.include({ release: { id, name }, reason: null });
    expect(view.report).to.include({ axis: 'security', part: 48, recordedBy: 'Ben', measuredAt: here.time.now });
    expect(await readingOf(here)).to.include({ state: 'measured', score: 96, explanation: '48 of 50 parts' });
    await recordHistory(here, { limit: 10, leaseMs: 60_000 });
    const { rows } = await here.stores.history.page(id, { limit: 9, after: null });
    expect(rows.map(({ ownAxes }) => ownAxes?.map(({ score }) => score))).to.deep.equal([
      [null, null],
      [96, null],
    ]);
    const by = { kind: 'person', name: 'Ben', userId: here.member.principal.userId };
    expect(rows.at(-1)?.causes).to.deep.equal([{ kind: 'axis_report', id: view.report.id, at: here.time.now, by }]);
    const page = { limit: 9, after: null };
    const moved = await readDifference(here, {
      principal: here.viewer.principal,
      ...here.at,
      ...{ from: before, to: null, page },
    });
    expect(moved.ownAxes?.[0]).to.deep.equal({
      axis: 'security',
      before: { state: 'unmeasured', score: null },
      after: { state: 'measured', score: 96 },
    });
    expect(moved.records).to.deep.include({
      kind: 'axis_report',
      id: view.report.id,
      at: here.time.now,
      by,
      what: ['recorded'],
      axes: ['security'],
      title: 'Security: 48 of 50',
    });
  });

  it('says why it could not be measured, and never counts as zero', async () => {
    const here = await judgedScene();
    await report(here, { part: 0, whole: null, explanation: 'The scanner was down' });
    const reading = await readingOf(here);
    expect(reading).to.include({ state: 'unmeasured', cause: 'not_measurable' });
    expect(reading?.explanation).to.include('The scanner was down');
  });

  it('names every fault, and the axes that the policy has', async () => {
    const here = await judgedScene();
    const faults = (over: Partial<SentAxisReport>, axis?: string) => faultsOf(report(here, over, axis));
    expect(await faults({ part: 51 })).to.deep.equal(['/part exceeds-whole']);
    expect(await faults({ part: 0, whole: 0 })).to.deep.equal(['/whole out-of-range']);
    expect(await faults({ part: 1, whole: null })).to.deep.equal(['/part exceeds-whole', '/explanation required']);
    const ahead = { measuredAt: here.time.now + HOUR };
    expect(await faults({ ...ahead, part: 51 }, 'performance')).to.deep.equal([
      'axis unknown-axis',
      '/part exceeds-whole',
      '/measured_at in-future',
    ]);
    const [unknown] = await faultsIn(report(here, {}, 'scope'));
    expect(unknown?.message).to.equal('The policy of the project has no axis scope: it has security, translations.');
    expect(await readingOf(here)).to.include({ cause: 'no_report' });
    expect(await faultsOf(report(await releaseScene()))).to.deep.equal(['axis unknown-axis']);
  });

  it('knows its own again by the external id, told apart by axis', async () => {
    const here = await judgedScene();
    const external = { id: 'run-1', fingerprint: 'a' };
    const first = await report(here, { external });
    here.time.now += HOUR;
    expect(await report(here, { external, part: 1 })).to.deep.equal(first);
    await refused(report(here, { external: { ...external, fingerprint: 'b' } }), 'external-id-conflict');
    const other = await report(here, { external }, 'translations');
    expect(other.report.id).not.to.equal(first.report.id);
    expect(await faultsOf(report(here, { external: { id: 'github:checks:1', fingerprint: 'a' } }))).to.deep.equal([
      '/external_id reserved',
    ]);
  });

  it('takes a known external id at another release for a contradiction, never for a repeat', async () => {
    const here = await judgedScene();
    const external = { id: 'run-1', fingerprint: 'a' };
    const first = await report(here, { external }, 'security', true);
    const other = { ...here, release: await planned(here, '1.1') };
    await refused(report(other, { external }, 'security', true), 'external-id-conflict');
    expect(await report(here, { external }, 'security', true)).to.deep.equal(first);
    expect(await report(here, { external }), 'without naming a release').to.deep.equal(first);
  });

  it('lets a late report of an older measurement hide nothing', async () => {
    const here = await judgedScene();
    const newest = await report(here);
    here.time.now += HOUR;
    const late = await report(here, { part: 50, measuredAt: here.time.now - 2 * HOUR });
    expect([newest.reason, late.reason]).to.deep.equal([null, 'superseded_by_newer_report']);
    expect(await readingOf(here)).to.include({ score: 96 });
    // A clock ahead of the service's is taken for now.
    const ahead = await report(here, { part: 50, measuredAt: here.time.now + 60_000 });
    expect(ahead.report.measuredAt).to.equal(here.time.now);
  });

  it('goes stale by the policy', async () => {
    const here = await judgedScene();
    await report(here);
    await report(here, {}, 'translations');
    here.time.now += 24 * HOUR;
    expect(await readingOf(here)).to.include({ state: 'measured' });
    here.time.now += 1;
    expect(await readingOf(here)).to.include({ state: 'unmeasured', cause: 'stale_report' });
    expect(await readingOf(here, 'translations')).to.include({ state: 'measured' });
  });

  it('goes to the release that was active when it was measured, and to no closed one by name', async () => {
    const here = await judgedScene();
    const measuredAt = here.time.now + 1;
    await report(here, { part: 49 });
    here.time.now += HOUR;
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    here.time.now += HOUR;
    await refused(report(here), 'no-active-release');
    await refused(report(here, {}, 'security', true), 'release-closed');
    const late = await report(here, { measuredAt, part: 0 });
    expect([late.release.id, late.reason]).to.deep.equal([here.release.id, 'release_frozen']);
    const command = { principal: here.viewer.principal, ...here.at, view: 'frozen' } as const;
    expect((await readReadiness(here, command)).report.ownAxes?.[0]).to.include({ score: 98 });
    const next = await planned(here, '2.0');
    await activateRelease(here, { by: here.member, ...here.there, releaseId: next.id, current: null });
    expect((await report(here)).release.id).to.equal(next.id);
    await cancelRelease(here, { by: here.member, ...here.there, releaseId: next.id });
    await refused(report(here), 'no-active-release');
  });

  it('does not count where its release has shipped by a clock that is ahead', async () => {
    const here = await judgedScene();
    const measuredAt = here.time.now + 30;
    await report(here, { part: 49 });
    here.time.now += 40;
    const { frozen } = await shipRelease(here, { by: here.member, ...here.at, note: null });
    here.time.now -= 5;
    const late = await report(here, { measuredAt, part: 0 });
    expect([late.reason, late.report.recordedAt]).to.deep.equal(['release_frozen', frozen.frozenAt]);
    const { rows } = await listAxisReports(here, {
      principal: here.viewer.principal,
      ...here.there,
      ...{ axis: 'security', releaseId: here.release.id, page: { limit: 9, after: null } },
    });
    expect(rows.map(({ report: { part }, reason }) => [part, reason])).to.deep.equal([
      [0, 'release_frozen'],
      [49, null],
    ]);
  });

  it('takes a member, and shows nothing to strangers', async () => {
    const here = await judgedScene();
    const command = { ...here.there, axis: 'security', releaseId: null, report: sent(), remember: null };
    await refused(recordAxisReport(here, { by: needing('member', here.viewer), ...command }), 'forbidden');
    await refused(recordAxisReport(here, { by: needing('member', here.stranger), ...command }), 'not-found');
  });
});

describe('Reports of an own axis that come together', () => {
  const send = (here: ReleaseScene, records: readonly (Partial<SentAxisReport> & { releaseId?: string })[]) =>
    importAxisReports(here, {
      by: needing('member', here.member),
      ...here.there,
      axis: 'security',
      records: records.map(({ releaseId = null, ...over }) => ({ ...sent(over), releaseId })),
    });
  const told = (outcomes: Awaited<ReturnType<typeof send>>) =>
    outcomes.map((outcome) => (outcome.result === 'refused' ? outcome.refusal.code : outcome.result));

  it('are stored, the good ones although others are refused, in the order sent', async () => {
    const here = await judgedScene();
    const next = await planned(here, '1.1');
    const external = { id: 'scan-1', fingerprint: 'a' };
    const outcomes = await send(here, [
      { part: 1, external },
      { part: 51 },
      { part: 1, external },
      { part: 2, external: { ...external, fingerprint: 'b' } },
      { external, releaseId: next.id },
      { part: 3, measuredAt: here.time.now - HOUR },
      { part: 4, releaseId: next.id },
      { releaseId: here.project.id },
      { part: 5, external: { id: 'github:checks:1', fingerprint: 'a' } },
    ]);
    expect(told(outcomes)).to.deep.equal([
      ...['created', 'invalid', 'duplicate', 'external-id-conflict', 'external-id-conflict'],
      ...['created', 'created', 'invalid', 'invalid'],
    ]);
    expect(outcomes[2]).to.deep.equal({ ...outcomes[0], result: 'duplicate' });
    expect(await readingOf(here)).to.include({ score: 2 });
    const { report: other } = await readReadiness(here, {
      principal: here.viewer.principal,
      ...{ ...here.at, releaseId: next.id, view: 'live' as const },
    });
    expect(other.ownAxes?.[0]).to.include({ score: 8 });
    expect(told(await send(here, [{ part: 1, external }]))).to.deep.equal(['duplicate']);
    expect(told(await send(here, []))).to.deep.equal([]);
  });

  it('are refused one by one for a release that is closed, and all for want of a role', async () => {
    const here = await judgedScene();
    const measuredAt = here.time.now;
    here.time.now += HOUR;
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    const { id: releaseId } = here.release;
    expect(told(await send(here, [{ releaseId }, {}, { measuredAt: measuredAt + 1 }]))).to.deep.equal([
      ...['release-closed', 'no-active-release', 'created'],
    ]);
    const command = { ...here.there, axis: 'security', records: [] };
    await refused(importAxisReports(here, { by: needing('member', here.viewer), ...command }), 'forbidden');
    await refused(importAxisReports(here, { by: needing('member', here.stranger), ...command }), 'not-found');
  });
});

describe('What a report of an own axis does to the score', () => {
  const read = (here: ReleaseScene, reportId: string, axis = 'security') =>
    readAxisReport(here, { principal: here.viewer.principal, ...here.there, axis, reportId });

  it('is told with one report, against the report before it', async () => {
    const here = await judgedScene();
    const first = await report(here, { part: 40 });
    expect(first.contribution).to.equal(null);
    const told = await read(here, first.report.id);
    expect(told).to.deep.equal({ ...first, contribution: { scoreWith: 40, scoreWithout: 0 } });
    here.time.now += HOUR;
    const second = await report(here);
    expect((await read(here, second.report.id)).contribution).to.deep.equal({ scoreWith: 48, scoreWithout: 40 });
    expect(await read(here, first.report.id)).to.include({ reason: 'superseded_by_newer_report', contribution: null });
    const late = await addAxisReportContribution(here, first);
    expect(late).to.include({ reason: 'superseded_by_newer_report', contribution: null });
    const watched = await report(here, {}, 'translations');
    expect((await read(here, watched.report.id, 'translations')).contribution).to.deep.equal({
      ...{ scoreWith: 48, scoreWithout: 48 },
    });
  });

  it('stays that of the frozen report once the release shipped', async () => {
    const here = await judgedScene();
    const { report: one } = await report(here);
    here.time.now += HOUR;
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    here.time.now += 100 * HOUR;
    await changePolicy(here, {
      by: here.owner,
      ...here.there,
      policy: { ...DEFAULT_POLICY, ownAxes: [{ name: 'security', weight: 1 }] },
      version: 2,
    });
    expect((await read(here, one.id)).contribution).to.deep.equal({ scoreWith: 48, scoreWithout: 0 });
  });

  it('is not told for a closed release where the report before it may have been removed for its age', async () => {
    const here = await judgedScene();
    await report(here, { part: 40 });
    here.time.now += HOUR;
    const { report: second } = await report(here);
    here.time.now += HOUR;
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    expect((await read(here, second.id)).contribution).to.deep.equal({ scoreWith: 48, scoreWithout: 40 });
    await here.stores.keptRecords.removeBefore(second.measuredAt, null);
    expect(await read(here, second.id)).to.include({ reason: null, contribution: null });
  });

  it('is shown neither to a person without access to the project nor under another axis', async () => {
    const here = await judgedScene();
    const { report: one } = await report(here);
    await refused(read(here, one.id, 'translations'), 'not-found');
    await refused(read(here, here.project.id), 'not-found');
    const strange = { principal: here.stranger.principal, ...here.there, axis: 'security', reportId: one.id };
    await refused(readAxisReport(here, strange), 'not-found');
  });
});

describe('Listing the reports of an own axis', () => {
  const list = async (here: ReleaseScene, axis = 'security') => {
    const page = { limit: 9, after: null };
    const { rows } = await listAxisReports(here, { principal: here.viewer.principal, ...here.at, axis, page });
    return rows.map(({ report: { part }, reason }) => [part, reason]);
  };

  it('says of each whether it counts', async () => {
    const here = await judgedScene();
    expect(await list(here)).to.deep.equal([]);
    await report(here, { part: 1 });
    here.time.now += HOUR;
    await report(here, { part: 2 });
    const older = [1, 'superseded_by_newer_report'];
    expect(await list(here)).to.deep.equal([[2, null], older]);
    here.time.now += 25 * HOUR;
    expect(await list(here)).to.deep.equal([[2, 'stale_report'], older]);
    const policy = { ...DEFAULT_POLICY, ownAxes: [] };
    await changePolicy(here, { by: here.owner, ...here.there, policy, version: 2 });
    expect(await list(here)).to.deep.equal([[2, 'not_in_policy'], older]);
  });

  it('says it of a shipped release as of its shipping', async () => {
    const here = await judgedScene();
    const { report: record } = await report(here);
    here.time.now += HOUR;
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    here.time.now += 48 * HOUR;
    expect(await list(here)).to.deep.equal([[48, null]]);
    await changePolicy(here, { by: here.owner, ...here.there, policy: DEFAULT_POLICY, version: 2 });
    expect(await list(here)).to.deep.equal([[48, null]]);
    const read = { principal: here.viewer.principal, ...here.there, axis: 'security', reportId: record.id };
    expect((await readAxisReport(here, read)).reason).to.equal(null);
    expect(await list(here, 'translations')).to.deep.equal([]);
  });

  it('finds no axis that neither the policy nor a report has', async () => {
    const here = await judgedScene();
    await refused(list(here, 'performance'), 'not-found');
    await report(here);
    const other = await planned(here, '1.1');
    const all = { principal: here.viewer.principal, ...here.there, axis: 'security', page: { limit: 1, after: null } };
    expect((await listAxisReports(here, all)).rows).to.have.lengthOf(1);
    await changePolicy(here, { by: here.owner, ...here.there, policy: DEFAULT_POLICY, version: 2 });
    expect((await listAxisReports(here, { ...all, releaseId: other.id })).rows).to.deep.equal([]);
    await refused(listAxisReports(here, { ...all, releaseId: here.project.id }), 'not-found');
    const strange = {
      principal: here.stranger.principal,
      ...here.at,
      axis: 'security',
      page: { limit: 1, after: null },
    };
    await refused(listAxisReports(here, strange), 'not-found');
  });
});

describe('Own axes in thought', () => {
  it('are assumed in facts and in the policy', async () => {
    const here = await judgedScene();
    await report(here, { part: 10 });
    const ask = async (changes: Parameters<typeof readWhatIf>[1]['changes']) =>
      (await readWhatIf(here, { principal: here.viewer.principal, ...here.at, changes })).report.ownAxes?.map(
        ({ axis, state }) => `${axis} ${state}`,
      );
    expect(await ask({ facts: { ownAxes: { translations: { part: 1, whole: 2 } } } })).to.deep.equal([
      'security measured',
      'translations measured',
    ]);
    expect(await ask({ policy: { ownAxes: [{ name: 'translations' }] } })).to.deep.equal(['translations unmeasured']);
  });
});
