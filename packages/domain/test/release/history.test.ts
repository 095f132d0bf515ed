import { expect } from 'chai';
import type { Waiver } from '../../src/readiness/waiver.js';
import type { Cause } from '../../src/release/change-log.js';
import type { ReleaseInputs } from '../../src/release/facts.js';
import {
  type DirtyRelease,
  pointsSince,
  type RecordedPoint,
  readsTheSame,
  scoresTheSame,
} from '../../src/release/history.js';
import { inputsOf, waiverOf } from './inputs-of.js';

const cause: Cause = { kind: 'deployment', id: 'd1', at: 900 };
const dirty: DirtyRelease = { releaseId: 'r1', revision: 4, causes: [cause], causeCount: 1, claimedUntil: 0 };
const clean: DirtyRelease = { ...dirty, causes: [], causeCount: 0 };

const points = (inputs: ReleaseInputs, over: Partial<DirtyRelease> = {}, last?: RecordedPoint, now = 5_000) =>
  pointsSince({ ...dirty, ...over }, inputs, null, last, now);

const firstPoint = (inputs = inputsOf(), over: Partial<DirtyRelease> = {}): RecordedPoint => {
  const [point] = points(inputs, over);
  if (point === undefined) throw new Error('a point was expected');
  return point;
};

/** The inputs after a change at the moment. */
const changed = (at: number, done = 3): ReleaseInputs => {
  const before = inputsOf();
  return {
    ...before,
    facts: { ...before.facts, scope: { done, total: 3 } },
    revision: { revision: 5, changedAt: at },
  };
};

describe('A point of the trend', () => {
  it('holds time, five readings, score, coverage, decision, causes and all it was made of', () => {
    const { facts, policy, waivers } = inputsOf();
    expect(points(inputsOf())).to.deep.equal([
      {
        releaseId: 'r1',
        at: 1_000,
        score: 91.13,
        coverage: 1,
        decision: 'go',
        axes: [
          { axis: 'scope', score: 66.66 },
          { axis: 'quality', score: 100 },
          { axis: 'ops', score: 100 },
          { axis: 'verification', score: 99 },
          { axis: 'stability', score: 90 },
        ],
        causes: [cause],
        causeCount: 1,
        revision: 4,
        snapshot: { project: { name: 'Shop' }, release: { name: '1.0', state: 'active' }, facts, policy, waivers },
      },
    ]);
  });
  it('holds the first 20 causes and how many there were', () => {
    const causes = Array.from({ length: 21 }, (_, at) => ({ ...cause, at }));
    const point = firstPoint(inputsOf(), { causes, causeCount: 37 });
    expect(point.causes).to.deep.equal(causes.slice(0, 20));
    expect(point.causeCount).to.equal(37);
  });
  it('has null for an axis that is unmeasured', () => {
    const inputs = inputsOf();
    const unmeasured = { ...inputs, facts: { ...inputs.facts, verification: null } };
    expect(firstPoint(unmeasured).axes[3]).to.deep.equal({ axis: 'verification', score: null });
  });
});

describe('The points by which a trend goes on', () => {
  const first = firstPoint();
  it('are none when nothing moved', () => {
    expect(points({ ...inputsOf(), revision: { revision: 5, changedAt: 3_000 } }, { revision: 5 }, first)).to.be.empty;
  });
  it('are one at the moment of the last change, even if it is noticed late', () => {
    const [point, ...more] = points(changed(3_000), { revision: 5 }, first, 900_000);
    expect(point).to.include({ at: 3_000, score: 97.8, causeCount: 1 });
    expect(more).to.be.empty;
  });
  it('are one more for each time limit that passed since', () => {
    const waived = (id: string, expiresAt: number): Waiver => ({ ...waiverOf(expiresAt), id });
    const waivers = [waived('w1', 4_000), waived('w2', 90_000)];
    const low = { scope: { done: 0, total: 9 }, stability: { succeeded: 1, failed: 9, inProgress: 0 } };
    const inputs = inputsOf({ minimums: { scope: 0, quality: 0, ops: 0, verification: 0, stability: 0 } }, waivers);
    const facts = { ...inputs.facts, ...low };
    const found = points({ ...inputs, facts }, {}, undefined, 100_000);
    expect(found.map(({ at, decision }) => [at, decision])).to.deep.equal([
      [1_000, 'go'],
      [90_000, 'hold'],
    ]);
    expect(found[1]?.causes).to.deep.equal([{ kind: 'time_limit', id: 'r1', at: 90_000 }]);
  });
  it('take the place of a point of the same second, causes included', () => {
    const second = { ...cause, id: 'd2' };
    const [point] = points(changed(1_999), { revision: 5, causes: [second] }, first);
    expect(point).to.deep.include({ at: 1_999, causes: [cause, second], causeCount: 2 });
    const [later] = points(changed(2_000), { revision: 5, causes: [second] }, first);
    expect(later).to.deep.include({ at: 2_000, causes: [second], causeCount: 1 });
  });
  it('give a point the causes of changes it showed before they were claimed', () => {
    const [point] = points(changed(3_000), { revision: 4 }, first);
    expect(point).to.deep.include({ at: 1_000, score: first.score, causes: [cause, cause], causeCount: 2 });
  });
  it('follow the time limits of a canceled release, and none of a shipped one', () => {
    const inputs = inputsOf({ freshnessHours: 1 });
    const inState = (state: 'canceled' | 'shipped') => ({ ...inputs, release: { ...inputs.release, state } });
    const later = (one: ReleaseInputs) => pointsSince(clean, one, null, firstPoint(one), 9e9);
    expect(later(inState('canceled'))).to.have.length(1);
    expect(later(inState('shipped'))).to.be.empty;
  });
});

describe('Two points', () => {
  const point = firstPoint();
  it('show the same when the numbers and the decision do', () => {
    const later: RecordedPoint = { ...point, at: 7, causes: [], causeCount: 0, snapshot: null };
    expect(scoresTheSame(point, later)).to.equal(true);
    for (const moved of [{ score: 1 }, { coverage: 0.5 }, { decision: 'unknown' as const }])
      expect(scoresTheSame(point, { ...point, ...moved })).to.equal(false);
    const axes = point.axes.map((one) => (one.axis === 'ops' ? { ...one, score: null } : one));
    expect(scoresTheSame(point, { ...point, axes })).to.equal(false);
  });
  it('read the same when they also have the same facts, policy, waivers and names', () => {
    const { snapshot } = point;
    if (snapshot === null) throw new Error('a snapshot was expected');
    expect(readsTheSame(point, { ...point, at: 7, revision: 9, causes: [], causeCount: 0 })).to.equal(true);
    const others = [
      { facts: { ...snapshot.facts, stability: { succeeded: 18, failed: 2, inProgress: 0 } } },
      { policy: { ...snapshot.policy, version: 2 } },
      { waivers: [waiverOf(5_000)] },
      { project: { name: 'Store' } },
      { release: { name: '1.0', state: 'planned' as const } },
    ];
    for (const other of others)
      expect(readsTheSame(point, { ...point, snapshot: { ...snapshot, ...other } })).to.equal(false);
    expect(readsTheSame({ ...point, snapshot: null }, point)).to.equal(false);
  });
});
