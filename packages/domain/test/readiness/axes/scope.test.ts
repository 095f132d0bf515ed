import { expect } from 'chai';
import { assessRelease, DEFAULT_POLICY, type ReleaseFacts } from '../../../src/readiness/index.js';
import { EMPTY, ISSUES_AS_OF, issues, NOW, READY, ready, standing } from '../sample-release.js';

const scopeOf = (facts: ReleaseFacts) => assessRelease(facts, DEFAULT_POLICY, NOW).axes[0];
const score = (done: number, total: number): number | string =>
  standing(assessRelease(ready(issues(done, total)), DEFAULT_POLICY, NOW), 'scope');

describe('scope: issues of the release, done versus total', () => {
  for (const [done, total, expected] of [
    [0, 3, 0],
    [1, 3, 33.33],
    [2, 3, 66.66],
    [3, 3, 100],
    [1, 1, 100],
  ] as const)
    it(`scores ${done} of ${total} done as ${expected}`, () => {
      expect(score(done, total)).to.equal(expected);
    });

  it('is unmeasured with cause no_issues when no issue counts, never 0 or 100', () => {
    const reading = scopeOf(EMPTY);
    expect(reading).to.include({ axis: 'scope', state: 'unmeasured', cause: 'no_issues' });
    expect(reading).not.to.have.property('score');
    expect(reading?.explanation).to.equal(
      'The release has no issue that counts yet: add issues to it, by hand or by import',
    );
  });

  it('explains itself in one sentence with the numbers', () => {
    expect(scopeOf(ready(issues(2, 3)))?.explanation).to.equal('2 of 3 issues done');
    expect(scopeOf(ready(issues(0, 1)))?.explanation).to.equal('0 of 1 issue done');
  });

  it('says as of when its issues are known while they cannot be read, with the score as it was', () => {
    const known = scopeOf(ready({ ...issues(2, 3), issuesAsOf: ISSUES_AS_OF }));
    expect(known).to.include({ asOf: ISSUES_AS_OF, score: 66.66 });
    expect(known?.explanation).to.equal('2 of 3 issues done, as of 14:03 UTC on 2024-04-30');
    const none = scopeOf({ ...EMPTY, issuesAsOf: ISSUES_AS_OF });
    expect(none).to.include({ asOf: ISSUES_AS_OF, cause: 'no_issues' });
    expect(none?.explanation).to.equal('The release has no issue that counts, as of 14:03 UTC on 2024-04-30');
  });

  it('says nothing of the kind while they are current', () => {
    for (const facts of [READY, { ...READY, issuesAsOf: null }, EMPTY]) {
      const reading = scopeOf(facts);
      expect(reading).to.have.property('asOf', null);
      expect(reading?.explanation).not.to.contain('as of');
    }
  });

  it('shows its facts, its weight and no change failure rate', () => {
    expect(scopeOf(ready(issues(2, 3)))).to.deep.include({
      facts: { done: 2, total: 3 },
      weight: 1,
      changeFailureRate: null,
    });
  });
});
