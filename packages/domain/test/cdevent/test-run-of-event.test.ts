import { expect } from 'chai';
import { testRunOfEvent } from '../../src/cdevent/test-run-of-event.js';
import { suiteRunEvent } from './event-of.js';

describe("The test run of a suite's event", () => {
  it('counts as one test where the tests were not counted', () => {
    const countsOf = (outcome: 'pass' | 'fail' | 'error') => {
      const report = testRunOfEvent(suiteRunEvent({ outcome }));
      return [report?.total, report?.passed, report?.failed];
    };
    expect(countsOf('pass')).to.deep.equal([1, 1, 0]);
    expect(countsOf('fail')).to.deep.equal([1, 0, 1]);
    expect(countsOf('error')).to.deep.equal([1, 0, 0]);
  });
  it('has the counts that were given, whatever the outcome', () => {
    const counts = { total: 412, passed: 410, failed: 2, skipped: 3 };
    const event = suiteRunEvent({ outcome: 'fail', counts, commitSha: 'abcdef0' });
    expect(testRunOfEvent(event)).to.deep.equal({
      ...counts,
      releaseId: null,
      suite: 'unit',
      commitSha: 'abcdef0',
      url: null,
      durationSeconds: null,
      ranAt: event.at,
      external: event.external,
    });
  });
  it('is none when the run was canceled', () => {
    const counts = { total: 1, passed: 1, failed: 0, skipped: null };
    expect(testRunOfEvent(suiteRunEvent({ outcome: 'cancel', counts }))).to.equal(null);
  });
});
