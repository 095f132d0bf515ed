import { expect } from 'chai';
import fc from 'fast-check';
import { CHECKLIST_STATES, type ChecklistState } from '../../src/checklist.js';
import { ISSUE_STATES, ISSUE_TYPES, type Issue, SEVERITIES } from '../../src/issue.js';
import { DEFAULT_POLICY } from '../../src/readiness/policy.js';
import {
  deploymentMove,
  issueMoves,
  itemMove,
  policyMove,
  projectMove,
  releaseMove,
  waiverMove,
} from '../../src/release/change-log.js';
import type { ReleaseState } from '../../src/release/release.js';

describe('A move', () => {
  const release = (state: ReleaseState, startsAt: number | null) => ({ id: 'r1', state, startsAt });

  it('of a release is one of its window', () => {
    const what = (...sides: Parameters<typeof release>[]) => {
      const [before, after] = sides.map((side) => release(...side));
      if (before === undefined || after === undefined) throw new Error('two sides were expected');
      const { what: happened, axes } = releaseMove(before, after, 9);
      expect(axes).to.deep.equal(happened.length === 0 ? [] : ['stability']);
      return happened;
    };
    expect(what(['planned', 1], ['active', 1])).to.deep.equal([]);
    expect(what(['planned', null], ['active', 5])).to.deep.equal(['window_changed']);
    expect(what(['active', 1], ['shipped', 1])).to.deep.equal(['shipped']);
    expect(what(['planned', 1], ['canceled', 2])).to.deep.equal(['window_changed', 'canceled']);
  });
  it('of a policy names its version, as the current one says less', () => {
    const next = { policy: { ...DEFAULT_POLICY, threshold: 3 }, version: 4, changedAt: 9, changedBy: null };
    const move = policyMove('p1', DEFAULT_POLICY, next);
    expect(move).to.deep.equal({ kind: 'policy', id: 'p1', at: 9, what: ['changed'], axes: [], title: 'version 4' });
  });
  it('of a waiver is one of its reason', () => {
    expect(waiverMove({ id: 'w1', axis: 'ops' }, 'signed', 9).axes).to.deep.equal(['ops']);
    expect(waiverMove({ id: 'w1', axis: null }, 'withdrawn', 9).axes).to.deep.equal([]);
  });
  it('of a deployment is one of stability, and of a name none', () => {
    expect(deploymentMove('d1', 'begun', 9)).to.deep.include({ what: ['begun'], axes: ['stability'] });
    expect(projectMove('p1', 9)).to.deep.include({ what: [], axes: [] });
  });
});

const someIssue = (releaseIds: readonly (string | null)[]): fc.Arbitrary<Issue> =>
  fc.record({
    id: fc.constant('i1'),
    projectId: fc.constant('p1'),
    releaseId: fc.constantFrom(...releaseIds),
    title: fc.constantFrom('Pay', 'Pay by card'),
    type: fc.constantFrom(...ISSUE_TYPES),
    state: fc.constantFrom(...ISSUE_STATES),
    severity: fc.constantFrom(null, ...SEVERITIES),
    url: fc.constant(null),
    externalId: fc.constant(null),
    version: fc.constant(1),
    createdAt: fc.constant(0),
    updatedAt: fc.constant(9),
  });

/** What the axes count of an issue in a release. */
const counted = (issue: Issue | null, releaseId: string) => {
  if (issue?.releaseId !== releaseId || issue.state === 'canceled') return { scope: null, quality: null };
  const done = issue.state === 'done';
  return { scope: done, quality: issue.type === 'bug' ? (done ? 'resolved' : `open ${issue.severity}`) : null };
};

describe('Moves of an issue', () => {
  it('name exactly the axes of each release that count it otherwise', () => {
    const releaseIds = ['r1', 'r2', null];
    fc.assert(
      fc.property(fc.option(someIssue(releaseIds)), someIssue(releaseIds), (before, after) => {
        const moves = issueMoves(before, after);
        for (const releaseId of ['r1', 'r2']) {
          const [was, is] = [counted(before, releaseId), counted(after, releaseId)];
          const changed = (['scope', 'quality'] as const).filter((axis) => was[axis] !== is[axis]);
          const ofRelease = moves.filter((each) => each.releaseId === releaseId);
          expect(ofRelease.flatMap(({ move }) => move.axes)).to.deep.equal(changed);
          for (const { move } of ofRelease) expect(move.what.length > 0).to.equal(changed.length > 0);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('mark the release an issue was in and the one it is in, whether or not an axis looks at it', () => {
    const [issue] = fc.sample(someIssue(['r1']), 1);
    if (issue === undefined) throw new Error('an issue was expected');
    const releases = (before: Issue | null, after: Issue) =>
      issueMoves(before, after).map(({ releaseId }) => releaseId);
    expect(releases(issue, { ...issue, title: 'Renamed' })).to.deep.equal(['r1']);
    expect(releases(issue, { ...issue, releaseId: 'r2' })).to.deep.equal(['r1', 'r2']);
    expect(releases(issue, { ...issue, releaseId: null })).to.deep.equal(['r1']);
    expect(releases(null, { ...issue, releaseId: null })).to.deep.equal([]);
    expect(issueMoves(null, issue)[0]?.move).to.include({ kind: 'issue', id: 'i1', at: 9, title: null });
  });
});

const MARK = { reason: 'Texts only', markedBy: 'Ben', markedAt: 1, confirmedBy: 'Ada', confirmedAt: 2 };
const item = (state: ChecklistState, confirmed = true) => {
  const mark = confirmed ? MARK : { ...MARK, confirmedBy: null, confirmedAt: null };
  return { id: 'c1', title: 'Docs', state, mark: state === 'not_applicable' ? mark : null };
};

describe('A move of a checklist item', () => {
  it('is one of ops wherever it counts otherwise', () => {
    for (const was of [null, ...CHECKLIST_STATES]) {
      for (const is of [null, ...CHECKLIST_STATES]) {
        const { what, axes, title, ...cause } = itemMove(was && item(was), is && item(is), 9);
        const moved = (was ?? 'not_applicable') !== (is ?? 'not_applicable');
        expect([what.length, axes]).to.deep.equal(moved ? [1, ['ops']] : [0, []]);
        expect(title).to.equal(is === null && was !== null ? 'Docs' : null);
        if (was !== null || is !== null) expect(cause).to.deep.equal({ kind: 'checklist_item', id: 'c1', at: 9 });
      }
    }
  });
  it('says what became of it', () => {
    const what = (was: ChecklistState | null, is: ChecklistState | null) =>
      itemMove(was && item(was), is && item(is), 9).what[0];
    expect([what(null, 'open'), what('open', 'done'), what('done', 'open')]).to.deep.equal([
      'added',
      'done',
      'reopened',
    ]);
    expect([what('open', 'not_applicable'), what('done', null)]).to.deep.equal(['not_applicable', 'removed']);
  });
  it('takes a mark that awaits an owner for an open item', () => {
    const awaiting = item('not_applicable', false);
    const whats = [
      itemMove(item('open'), awaiting, 9),
      itemMove(item('done'), awaiting, 9),
      itemMove(awaiting, item('not_applicable'), 9),
      itemMove(item('not_applicable'), awaiting, 9),
      itemMove(awaiting, item('open'), 9),
      itemMove(null, awaiting, 9),
    ].map(({ what }) => what);
    expect(whats).to.deep.equal([[], ['reopened'], ['not_applicable'], ['reopened'], [], ['added']]);
  });
});
