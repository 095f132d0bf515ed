import { expect } from 'chai';
import { assessRelease, DEFAULT_POLICY, type ReleaseFacts } from '../../../src/readiness/index.js';
import { EMPTY, issues, NOW, ready } from '../sample-release.js';

const qualityOf = (facts: ReleaseFacts) => assessRelease(facts, DEFAULT_POLICY, NOW).axes[1];

describe('quality: bug-type issues in the release, resolved versus total', () => {
  for (const [resolved, open, expected] of [
    [0, 2, 0],
    [1, 2, 33.33],
    [2, 1, 66.66],
    [5, 0, 100],
  ] as const)
    it(`scores ${resolved} resolved of ${resolved + open} as ${expected}`, () => {
      expect(qualityOf(ready(issues(8, 12, { resolved, minor: open })))).to.include({
        state: 'measured',
        score: expected,
      });
    });

  it('is 100 when the release has issues but no bug', () => {
    expect(qualityOf(ready(issues(0, 4)))).to.include({
      state: 'measured',
      score: 100,
      explanation: 'No bug among 4 issues',
    });
    expect(qualityOf(ready(issues(0, 1)))?.explanation).to.equal('No bug among 1 issue');
  });

  it('is unmeasured with cause no_issues when the release has no issue', () => {
    const reading = qualityOf(EMPTY);
    expect(reading).to.include({ state: 'unmeasured', cause: 'no_issues', changeFailureRate: null });
    expect(reading?.explanation).to.contain('nothing is known about its bugs: add issues to it');
  });

  for (const [bugs, expected] of [
    [{ resolved: 1 }, '1 of 1 bug resolved'],
    [{ resolved: 3 }, '3 of 3 bugs resolved'],
    [{ resolved: 3, unspecified: 1 }, '3 of 4 bugs resolved, 1 open'],
    [{ resolved: 3, critical: 2, major: 1 }, '3 of 6 bugs resolved, 3 open, 2 of them critical'],
    [{ minor: 1 }, '0 of 1 bug resolved, 1 open'],
  ] as const)
    it(`explains itself: ${expected}`, () => {
      expect(qualityOf(ready(issues(6, 12, bugs)))?.explanation).to.equal(expected);
    });

  it('a bug without severity is not critical', () => {
    const { gate } = assessRelease(ready(issues(11, 12, { resolved: 9, unspecified: 1 })), DEFAULT_POLICY, NOW);
    expect(gate.decision).to.equal('go');
  });

  it('shows its facts with open bugs by severity', () => {
    const facts = ready(issues(6, 12, { resolved: 3, critical: 2, major: 1 }));
    expect(qualityOf(facts)?.facts).to.deep.equal({
      resolved: 3,
      total: 6,
      open: { critical: 2, major: 1, minor: 0, unspecified: 0 },
    });
  });
});
