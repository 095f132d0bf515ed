import { expect } from 'chai';
import fc from 'fast-check';
import { ISSUE_STATES, ISSUE_TYPES, type Issue, SEVERITIES } from '../../src/issue/issue.js';
import { issueMoves } from '../../src/release/issue-moves.js';

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
