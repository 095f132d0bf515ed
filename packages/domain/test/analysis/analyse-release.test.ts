import { expect } from 'chai';
import {
  accumulateAll,
  accumulateProgress,
  accumulateScopeChange,
  accumulateSummary,
  accumulateTotals,
  analyseRelease,
  type ReleaseRecord,
} from '../../src/analysis/analyse-release.js';
import { movementsOf, NO_MOVEMENT, type ProgressStep, type Span, spansOf } from '../../src/analysis/movement.js';
import { DAY, event, HOUR, START } from './issue-lives.js';
import { record } from './release-records.js';

const NOW = START + 10 * DAY;
const ALL = { from: null, to: null, step: 'day' } as const;
const events = [event('a', 'added', START), event('a', 'done', START + 2 * DAY), event('b', 'added', START + 4 * DAY)];

const frozen = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
};

describe('Analysing a release', () => {
  it('goes from the first thing that happened until now', () => {
    const { asOf, points } = analyseRelease(record({ events, startsAt: START + DAY }), ALL, NOW);
    expect(asOf).to.equal(NOW);
    expect([points[0]?.from, points.at(-1)?.at, points.length]).to.deep.equal([START, NOW, 11]);
    const begun = analyseRelease(record({ events, startsAt: START - DAY }), ALL, NOW);
    expect(begun.points[0]?.from).to.equal(START - DAY);
  });
  it('ends when the release shipped or was canceled, unless asked further', () => {
    const end = START + 3 * DAY;
    for (const closed of [{ shippedAt: end }, { canceledAt: end }]) {
      const release = record({ events, startsAt: START, ...closed });
      const analysis = analyseRelease(release, ALL, NOW);
      expect([analysis.asOf, analysis.release.issues.total]).to.deep.equal([end, 1]);
      expect(analyseRelease(release, { ...ALL, to: NOW }, NOW).release.issues.total).to.equal(2);
    }
  });
  it('ends at now at the latest, and never begins after its end', () => {
    const release = record({ events });
    expect(analyseRelease(release, { ...ALL, to: NOW + DAY }, NOW).asOf).to.equal(NOW);
    const { points } = analyseRelease(release, { ...ALL, from: NOW, to: START }, NOW);
    expect(points.map(({ from, at }) => [from, at])).to.deep.equal([[START, START]]);
  });
  it('has one point of nothing for a release in which nothing happened, none by change', () => {
    const { points, release } = analyseRelease(record(), ALL, NOW);
    expect(points).to.have.lengthOf(1);
    expect(points[0]).to.include({ from: NOW, at: NOW, total: 0, added: 0 });
    expect(release.issues).to.deep.equal({ done: 0, total: 0 });
    expect(analyseRelease(record(), { ...ALL, step: 'change' }, NOW).points).to.deep.equal([]);
  });
  it('shows earlier releases as they shipped', () => {
    const earlier = [record({ id: 'r0', events, shippedAt: START + 3 * DAY })];
    const analysis = analyseRelease(record(), ALL, NOW, earlier);
    expect(analysis.earlier.map(({ id, issues }) => [id, issues.total])).to.deep.equal([['r0', 1]]);
  });
  it('changes nothing it is given', () => {
    const given: ReleaseRecord = frozen(structuredClone(record({ events, startsAt: START })));
    expect(analyseRelease(given, frozen({ ...ALL }), NOW, frozen([given])).points).to.have.lengthOf(11);
  });
});

const progressMovements = movementsOf([
  event('a', 'added', START - DAY),
  event('b', 'added', START + HOUR, 'bug'),
  event('a', 'done', START + DAY),
  event('b', 'canceled', START + 3 * DAY),
]);

const progressOver = (step: ProgressStep, span: Span) =>
  accumulateAll(progressMovements, accumulateProgress(spansOf(step, span, progressMovements)));
const standingAt = (at: number) => accumulateAll(progressMovements, accumulateTotals(at));

describe('Progress', () => {
  it('has at every point the sum of all earlier events, and moves by those within', () => {
    const points = progressOver('day', { from: START, at: START + 3 * DAY - 1 });
    const day = (place: number) => ({ from: START + place * DAY, at: START + (place + 1) * DAY - 1 });
    expect(points).to.deep.equal([
      { ...NO_MOVEMENT, ...day(0), total: 2, bugs: 1, openBugs: 1, added: 1 },
      { ...NO_MOVEMENT, ...day(1), done: 1, total: 2, bugs: 1, openBugs: 1, completed: 1 },
      { ...NO_MOVEMENT, ...day(2), done: 1, total: 2, bugs: 1, openBugs: 1 },
    ]);
  });
  it('has a point for each change when asked so', () => {
    const points = progressOver('change', { from: START + HOUR, at: START + 9 * DAY });
    expect(points.map(({ at, total }) => [at, total])).to.deep.equal([
      [START + HOUR, 2],
      [START + DAY, 2],
      [START + 3 * DAY, 1],
    ]);
  });
  it('is known at any moment, that moment included', () => {
    expect(standingAt(START - DAY - 1)).to.deep.equal(NO_MOVEMENT);
    expect(standingAt(START - DAY)).to.include({ total: 1, added: 1 });
    expect(standingAt(START + DAY)).to.include({ total: 2, done: 1, openBugs: 1 });
  });
});

const scopeMovements = movementsOf([
  event('a', 'added', 1),
  event('b', 'added', 2),
  event('c', 'added', 10),
  event('a', 'removed', 11),
  event('b', 'canceled', 12),
  event('d', 'added', 13),
  event('e', 'added', 14),
]);

const scopeChange = (startsAt: number | null, at: number) =>
  accumulateAll(scopeMovements, accumulateScopeChange(startsAt, at));

describe('Scope change', () => {
  it('tells what came before the start from what came after, the first moment being after', () => {
    expect(scopeChange(10, 99)).to.deep.equal({
      beforeStart: { added: 2, removed: 0, canceled: 0, net: 2 },
      afterStart: { added: 3, removed: 1, canceled: 1, net: 1 },
      changeRate: 0.5,
    });
  });
  it('goes no further than it is asked, that moment included', () => {
    expect(scopeChange(10, 12)).to.deep.include({
      afterStart: { added: 1, removed: 1, canceled: 1, net: -1 },
      changeRate: -0.5,
    });
    expect(scopeChange(10, 9).afterStart).to.include({ added: 0, net: 0 });
  });
  it('has no rate without a window, or when nothing was there at its start', () => {
    expect(scopeChange(null, 99)).to.deep.equal({
      beforeStart: { added: 5, removed: 1, canceled: 1, net: 3 },
      afterStart: null,
      changeRate: null,
    });
    expect(scopeChange(1, 99)).to.deep.include({ changeRate: null });
  });
});

const summary = (release: ReleaseRecord, at: number) =>
  accumulateAll(movementsOf(release.events), accumulateSummary(release, at));

describe('A release summary', () => {
  it('tells duration, lead, work and deployments', () => {
    const first = { startedAt: 40, succeededAt: 55 };
    const events = [event('a', 'added', 5), event('b', 'added', 20, 'bug'), event('a', 'done', 30)];
    const shipped = record({ startsAt: 10, shippedAt: 100, events, first, deployments: { succeeded: 3, failed: 1 } });
    expect(summary(shipped, 100)).to.deep.equal({
      id: 'r1',
      name: '1.0',
      startsAt: 10,
      shippedAt: 100,
      duration: 90,
      issues: { done: 1, total: 2 },
      bugs: { open: 1, total: 1 },
      scope: {
        beforeStart: { added: 1, removed: 0, canceled: 0, net: 1 },
        afterStart: { added: 1, removed: 0, canceled: 0, net: 1 },
        changeRate: 1,
      },
      deployments: { succeeded: 3, failed: 1 },
      lead: { firstDeploymentAt: 40, firstSuccessAt: 55, toFirstSuccess: 15, toShipping: 60 },
    });
  });
  it('has no duration and no lead before there are any', () => {
    const open = summary(record({ startsAt: 10 }), 50);
    expect(open.duration).to.equal(null);
    const none = { firstDeploymentAt: null, firstSuccessAt: null, toFirstSuccess: null, toShipping: null };
    expect(open.lead).to.deep.equal(none);
    const failing = record({ first: { startedAt: 40, succeededAt: null }, shippedAt: 100 });
    expect(summary(failing, 100).lead).to.include({ toFirstSuccess: null, toShipping: 60 });
    expect(summary(failing, 100).duration).to.equal(null);
  });
});
