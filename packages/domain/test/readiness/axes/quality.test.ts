import { expect } from 'chai';
import { assessRelease, DEFAULT_POLICY, factFaults, type ReleaseFacts } from '../../../src/readiness/index.js';
import { EMPTY, ISSUES_AS_OF, issues, NOW, READY, ready } from '../sample-release.js';

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

  for (const [bugs, expected] of [
    [{ resolved: 3, minor: 1 }, '3 of 4 bugs resolved, 1 open, as of 14:03 UTC on 2024-04-30'],
    [{ resolved: 3 }, '3 of 3 bugs resolved, as of 14:03 UTC on 2024-04-30'],
    [{}, 'No bug among 12 issues, as of 14:03 UTC on 2024-04-30'],
  ] as const)
    it(`says as of when its bugs are known: ${expected}`, () => {
      const stale = qualityOf(ready({ ...issues(6, 12, bugs), issuesAsOf: ISSUES_AS_OF }));
      const { explanation: _, asOf, ...reading } = stale ?? {};
      expect([asOf, stale?.explanation]).to.deep.equal([ISSUES_AS_OF, expected]);
      expect(qualityOf(ready(issues(6, 12, bugs)))).to.deep.include(reading);
    });

  it('says so without any issue, too', () => {
    const reading = qualityOf({ ...EMPTY, issuesAsOf: ISSUES_AS_OF });
    expect(reading).to.include({ asOf: ISSUES_AS_OF, cause: 'no_issues' });
    expect(reading?.explanation).to.equal(
      'The release has no issue that counts, so nothing is known about its bugs, as of 14:03 UTC on 2024-04-30',
    );
  });

  it('says nothing of the kind while they are current', () => {
    for (const facts of [READY, { ...READY, issuesAsOf: null }, EMPTY]) {
      const reading = qualityOf(facts);
      expect(reading).to.have.property('asOf', null);
      expect(reading?.explanation).not.to.contain('as of');
    }
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

  it('says nothing further of a count that is none', () => {
    const pointers = (facts: ReleaseFacts) => factFaults(facts).map(({ pointer }) => pointer);
    const { quality } = issues(9, 12, { minor: 1 });
    expect(pointers(ready({ ...issues(9, 12), quality: { ...quality, resolved: -1 } }))).to.deep.equal([
      '/quality/resolved',
    ]);
    const open = { ...quality.open, critical: 0.5 };
    expect(pointers(ready({ ...issues(9, 12), quality: { ...quality, open } }))).to.deep.equal([
      '/quality/open/critical',
    ]);
  });
});
