import { expect } from 'chai';
import { failed, progressed, underWay } from '../../src/repository/import-progress.js';
import { IMPORT_STAGES, type ImportStage, type ImportState } from '../../src/repository/import-state.js';
import type { LinkSettings } from '../../src/repository/repository-link.js';
import { importStateOf, settingsOf } from './linked-repository-of.js';

const COMPLETE = { next: null, reading: null, marks: {} } as const;
const MARK = { since: 7, validator: 'v' } as const;

const stagesOf = (settings: LinkSettings): readonly (ImportStage | null)[] => {
  const stages: (ImportStage | null)[] = [];
  let state = underWay(importStateOf(), settings, 100);
  while (state.checkpoint.stage !== null) {
    stages.push(state.checkpoint.stage);
    state = progressed(state, settings, COMPLETE, {}, 200);
  }
  return stages;
};
const inStage = (over: Partial<ImportState> = {}): ImportState => underWay(importStateOf(over), settingsOf(), 100);

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
    const begun = underWay(before, settingsOf(), 100);
    expect(begun).to.deep.include({
      startedAt: 100,
      counts: { milestones: 0, issues: 0, deployments: 0, testRuns: 0 },
    });
    expect(underWay(begun, settingsOf(), 900)).to.equal(begun);
  });
  it('stays in its stage while there are pages, with what it will have read', () => {
    const state = progressed(inStage(), settingsOf(), { next: 'p2', reading: MARK, marks: {} }, { issues: 3 }, 200);
    expect(state.checkpoint).to.deep.equal({ stage: 'milestones', page: 'p2', reading: MARK, marks: {} });
    expect(state.counts).to.deep.equal({ milestones: 0, issues: 3, deployments: 0, testRuns: 0 });
    expect(state).to.include({ startedAt: 100, completedAt: null });
  });
  it('keeps as the mark of a complete stage what it has read, or the one it had', () => {
    const read = progressed(inStage(), settingsOf(), { ...COMPLETE, reading: MARK }, {}, 200);
    expect(read.checkpoint).to.deep.equal({ stage: 'issues', page: null, reading: null, marks: { milestones: MARK } });
    const kept = progressed(inStage(), settingsOf(), { ...COMPLETE, marks: { milestones: MARK } }, {}, 200);
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
      state = progressed(state, settings, made, {}, 200);
      expect(state.pendingReleaseIds).to.deep.equal(left);
    }
    expect(
      failed(inStage({ pendingReleaseIds: ['r1'] }), { code: 'host-unavailable', message: '' }, 300, 400),
    ).to.deep.include({
      pendingReleaseIds: ['r1'],
    });
  });
  it('ends with its last stage, and is due again in five minutes', () => {
    const last = inStage({ checkpoint: { stage: 'test_runs', page: 'p9', reading: MARK, marks: {} }, startedAt: 100 });
    const over = progressed(last, settingsOf(), { ...COMPLETE, reading: MARK, goneCheckedAt: 5 }, {}, 200);
    expect(over).to.deep.include({ startedAt: null, completedAt: 200, dueAt: 200 + 5 * 60_000, goneCheckedAt: 5 });
    expect(over.checkpoint).to.deep.equal({ stage: null, page: null, reading: null, marks: { test_runs: MARK } });
  });
  it('counts failures in a row and forgets them with the next page', () => {
    const fault = { code: 'host-unavailable', message: 'It was slow.' } as const;
    const first = failed(inStage(), fault, 300, 400);
    expect(first.failure).to.deep.equal({ ...fault, at: 300, attempts: 1 });
    expect(first.dueAt).to.equal(400);
    const second = failed(first, fault, 500, 600);
    expect(second.failure).to.include({ at: 500, attempts: 2 });
    expect(progressed(second, settingsOf(), COMPLETE, {}, 700).failure).to.equal(null);
  });
  it('goes on from the page that failed, and begins its stage again when that fails for long', () => {
    const fault = { code: 'host-unavailable', message: 'It was slow.' } as const;
    const reading = { stage: 'issues', page: 'p2', reading: MARK, marks: { milestones: MARK } } as const;
    let state = importStateOf({ checkpoint: reading, startedAt: 100 });
    for (let attempt = 1; attempt < 12; attempt += 1) {
      state = failed(state, fault, 300, 400);
      expect(state.checkpoint).to.deep.equal(reading);
    }
    expect(failed(state, fault, 300, 400).checkpoint).to.deep.equal({ ...reading, page: null, reading: null });
  });
});
