import { expect } from 'chai';
import fc from 'fast-check';
import type { Release } from '../../src/release/release.js';
import {
  afterPage,
  budgetPausedUntil,
  IMPORT_STAGES,
  type ImportStage,
  type ImportState,
  isGoneCheckDue,
  keptRequests,
  LEAST_PAUSE,
  pendingReleases,
  retryDue,
  runningState,
  stateAfterFailure,
} from '../../src/repository/import-state.js';
import type { LinkSettings } from '../../src/repository/link.js';
import { releaseOf } from '../release/release-of.js';
import { importStateOf, settingsOf } from './linked-repository-of.js';

const COMPLETE = { next: null, reading: null, marks: {} } as const;
const MARK = { since: 7, validator: 'v' } as const;

const stagesOf = (settings: LinkSettings): readonly (ImportStage | null)[] => {
  const stages: (ImportStage | null)[] = [];
  let state = runningState(importStateOf(), settings, 100);
  while (state.checkpoint.stage !== null) {
    stages.push(state.checkpoint.stage);
    state = afterPage(state, settings, COMPLETE, {}, 200);
  }
  return stages;
};
const inStage = (over: Partial<ImportState> = {}): ImportState => runningState(importStateOf(over), settingsOf(), 100);

describe('The progress of an import', () => {
  it('goes through the stages that the settings ask for, in order', () => {
    expect(stagesOf(settingsOf())).to.deep.equal([...IMPORT_STAGES]);
    expect(stagesOf(settingsOf({ milestones: 'none', deployments: false, testRuns: 'none' }))).to.deep.equal([
      'issues',
      'gone',
    ]);
    expect(stagesOf(settingsOf({ milestones: [3], deployments: false }))).to.deep.equal([
      'milestones',
      'issues',
      'gone',
      'test_runs',
    ]);
  });
  it('begins a run, or goes on with the one that is under way', () => {
    const before = importStateOf({ counts: { milestones: 1, issues: 2, deployments: 3, testRuns: 4 } });
    const begun = runningState(before, settingsOf(), 100);
    expect(begun).to.deep.include({
      startedAt: 100,
      counts: { milestones: 0, issues: 0, deployments: 0, testRuns: 0 },
    });
    expect(runningState(begun, settingsOf(), 900)).to.equal(begun);
  });
  it('stays in its stage while there are pages, with what it will have read', () => {
    const state = afterPage(inStage(), settingsOf(), { next: 'p2', reading: MARK, marks: {} }, { issues: 3 }, 200);
    expect(state.checkpoint).to.deep.equal({ stage: 'milestones', page: 'p2', reading: MARK, marks: {} });
    expect(state.counts).to.deep.equal({ milestones: 0, issues: 3, deployments: 0, testRuns: 0 });
    expect(state).to.include({ startedAt: 100, completedAt: null });
  });
  it('keeps as the mark of a complete stage what it has read, or the one it had', () => {
    const read = afterPage(inStage(), settingsOf(), { ...COMPLETE, reading: MARK }, {}, 200);
    expect(read.checkpoint).to.deep.equal({ stage: 'issues', page: null, reading: null, marks: { milestones: MARK } });
    const kept = afterPage(inStage(), settingsOf(), { ...COMPLETE, marks: { milestones: MARK } }, {}, 200);
    expect(kept.checkpoint.marks).to.deep.equal({ milestones: MARK });
  });
  it('has no pending release any more when all issues are read, and only then', () => {
    const settings = settingsOf();
    let state = inStage({ pendingReleaseIds: ['r1'] });
    for (const [made, left] of [
      [{ ...COMPLETE, pendingReleaseIds: ['r1', 'r2'] }, ['r1', 'r2']],
      [{ ...COMPLETE, next: '2' }, ['r1', 'r2']],
      [COMPLETE, []],
    ] as const) {
      state = afterPage(state, settings, made, {}, 200);
      expect(state.pendingReleaseIds).to.deep.equal(left);
    }
    expect(
      stateAfterFailure(inStage({ pendingReleaseIds: ['r1'] }), { code: 'host-unavailable', message: '' }, 300, 400),
    ).to.deep.include({
      pendingReleaseIds: ['r1'],
    });
  });
  it('ends with its last stage, and is due again in five minutes', () => {
    const last = inStage({ checkpoint: { stage: 'test_runs', page: 'p9', reading: MARK, marks: {} }, startedAt: 100 });
    const over = afterPage(last, settingsOf(), { ...COMPLETE, reading: MARK, goneCheckedAt: 5 }, {}, 200);
    expect(over).to.deep.include({ startedAt: null, completedAt: 200, dueAt: 200 + 5 * 60_000, goneCheckedAt: 5 });
    expect(over.checkpoint).to.deep.equal({ stage: null, page: null, reading: null, marks: { test_runs: MARK } });
  });
  it('counts failures in a row and forgets them with the next page', () => {
    const fault = { code: 'host-unavailable', message: 'It was slow.' } as const;
    const first = stateAfterFailure(inStage(), fault, 300, 400);
    expect(first.failure).to.deep.equal({ ...fault, at: 300, attempts: 1 });
    expect(first.dueAt).to.equal(400);
    const second = stateAfterFailure(first, fault, 500, 600);
    expect(second.failure).to.include({ at: 500, attempts: 2 });
    expect(afterPage(second, settingsOf(), COMPLETE, {}, 700).failure).to.equal(null);
  });
  it('goes on from the page that failed, and begins its stage again when that fails for long', () => {
    const fault = { code: 'host-unavailable', message: 'It was slow.' } as const;
    const reading = { stage: 'issues', page: 'p2', reading: MARK, marks: { milestones: MARK } } as const;
    let state = importStateOf({ checkpoint: reading, startedAt: 100 });
    for (let attempt = 1; attempt < 12; attempt += 1) {
      state = stateAfterFailure(state, fault, 300, 400);
      expect(state.checkpoint).to.deep.equal(reading);
    }
    expect(stateAfterFailure(state, fault, 300, 400).checkpoint).to.deep.equal({
      ...reading,
      page: null,
      reading: null,
    });
  });
});

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('The schedule of imports', () => {
  it('tries again after 1, 2, 4 ... minutes, an hour at most', () => {
    const minutes = [1, 2, 3, 4, 5, 6, 7, 8, 1_000].map((attempts) => (retryDue(NOW, attempts, null) - NOW) / MINUTE);
    expect(minutes).to.deep.equal([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });
  it('tries again when the host says, never at once and never later than in a day', () => {
    expect(retryDue(NOW, 5, NOW + 7)).to.equal(NOW + 7);
    expect(retryDue(NOW, 5, NOW - 7)).to.equal(NOW + 1);
    expect(retryDue(NOW, 1, NOW + 400 * DAY)).to.equal(NOW + DAY);
  });
  it('always lies ahead', () => {
    const moment = fc.option(fc.integer({ min: -1e15, max: 1e15 }), { nil: null });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), moment, (attempts, retryAt) => {
        expect(retryDue(NOW, attempts, retryAt)).to.be.within(NOW + 1, NOW + DAY);
      }),
    );
  });
  it('leaves the host alone while less than a tenth of the budget is left', () => {
    const budget = { limit: 5_000, remaining: 500, resetAt: NOW + MINUTE };
    expect(budgetPausedUntil(budget, NOW)).to.equal(null);
    expect(budgetPausedUntil({ ...budget, remaining: 499 }, NOW)).to.equal(NOW + MINUTE);
    expect(budgetPausedUntil({ ...budget, remaining: 0, resetAt: NOW }, NOW)).to.equal(null);
    expect(budgetPausedUntil({ ...budget, remaining: 0, resetAt: NOW + 400 * DAY }, NOW)).to.equal(NOW + DAY);
    expect(budgetPausedUntil(null, NOW)).to.equal(null);
  });
  it('looks for all issues once a day, but not in the first run', () => {
    expect(isGoneCheckDue(importStateOf({ completedAt: null, goneCheckedAt: null }), NOW)).to.equal(false);
    expect(isGoneCheckDue(importStateOf({ completedAt: 1, goneCheckedAt: null }), NOW)).to.equal(true);
    expect(isGoneCheckDue(importStateOf({ completedAt: 1, goneCheckedAt: NOW - DAY + 1 }), NOW)).to.equal(false);
    expect(isGoneCheckDue(importStateOf({ completedAt: 1, goneCheckedAt: NOW - DAY }), NOW)).to.equal(true);
  });
});

const pendingAmong = (
  pending: readonly string[],
  before: readonly Partial<Release>[],
  after: readonly Partial<Release>[],
): readonly string[] => pendingReleases(pending, before.map(releaseOf), after.map(releaseOf));

const FOLLOWED = { id: 'r1', externalId: 'github:M1' };
const OWN = { id: 'r1', externalId: null };

describe('Pending releases', () => {
  it('are those that were made of a milestone or adopted by one', () => {
    expect(pendingAmong([], [], [FOLLOWED, { id: 'r2', externalId: null }])).to.deep.equal(['r1']);
    expect(pendingAmong([], [OWN], [FOLLOWED])).to.deep.equal(['r1']);
  });
  it('are not those that followed their milestone before', () => {
    expect(pendingAmong([], [FOLLOWED], [{ ...FOLLOWED, name: '1.1' }])).to.deep.equal([]);
  });
  it('are those that follow another milestone than before', () => {
    expect(pendingAmong([], [{ ...FOLLOWED, externalId: 'github:M2' }], [FOLLOWED])).to.deep.equal(['r1']);
  });
  it('stay so until all issues are read', () => {
    expect(pendingAmong(['r1'], [FOLLOWED], [FOLLOWED])).to.deep.equal(['r1']);
  });
  it('are those that were let go, until their issues have left', () => {
    expect(pendingAmong(['r1'], [FOLLOWED], [OWN])).to.deep.equal(['r1']);
    expect(pendingAmong([], [FOLLOWED], [OWN])).to.deep.equal(['r1']);
  });
  it('are none that are kept by hand, closed, or gone', () => {
    expect(pendingAmong([], [OWN], [OWN])).to.deep.equal([]);
    for (const state of ['shipped', 'canceled'] as const)
      expect(pendingAmong(['r1'], [FOLLOWED], [{ ...FOLLOWED, state }])).to.deep.equal([]);
    expect(pendingAmong(['r1'], [], [])).to.deep.equal([]);
  });
});

describe('What was asked of an import while a worker had it', () => {
  const seen = importStateOf({ dueAt: 1000, startedAt: 500, suspectIssueIds: ['a'] });
  const kept = (stored: object, next: Partial<ImportState>) => {
    const { dueAt, suspectIssueIds, rerunRequested } = keptRequests(
      { dueAt: seen.dueAt, suspectIssueIds: seen.suspectIssueIds, rerunRequested: false, ...stored },
      { ...seen, dueAt: 60_000, ...next },
      seen,
      2000,
    );
    return [dueAt, suspectIssueIds, rerunRequested];
  };

  it('waits for its end where the run goes on, and makes it due again after the least pause', () => {
    expect(kept({ dueAt: 999 }, { suspectIssueIds: [] })).to.deep.equal([60_000, [], true]);
    expect(kept({ rerunRequested: true }, { suspectIssueIds: [] })).to.deep.equal([60_000, [], true]);
    const over = { startedAt: null, suspectIssueIds: [] };
    expect(kept({ dueAt: 999 }, over)).to.deep.equal([2000 + LEAST_PAUSE, [], false]);
    expect(kept({ rerunRequested: true }, over)).to.deep.equal([2000 + LEAST_PAUSE, [], false]);
    expect(kept({}, over)).to.deep.equal([60_000, [], false]);
  });

  it('ends the pause after a failure', () => {
    const failure = { code: 'internal', message: '', at: 2000, attempts: 1 } as const;
    expect(kept({ dueAt: 999 }, { failure, suspectIssueIds: [] })).to.deep.equal([999, [], true]);
  });

  it('keeps the suspects that came since, and none of those that were looked for', () => {
    expect(kept({ suspectIssueIds: ['a', 'b'] }, { suspectIssueIds: [] })).to.deep.equal([60_000, ['b'], false]);
  });
});
