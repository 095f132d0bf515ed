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
  for (const outcome of ['fail', 'error'] as const)
    it(`has one error more where every test passed and the outcome is ${outcome}`, () => {
      const counts = { total: 412, passed: 412, failed: 0, skipped: 3 };
      expect(testRunOfEvent(suiteRunEvent({ outcome, counts }))).to.include({ ...counts, total: 413 });
    });
  it('adds no error where the outcome is pass, or where the counts say that something went wrong', () => {
    const passed = { total: 412, passed: 412, failed: 0, skipped: null };
    expect(testRunOfEvent(suiteRunEvent({ outcome: 'pass', counts: passed }))).to.include(passed);
    const errored = { total: 412, passed: 411, failed: 0, skipped: null };
    expect(testRunOfEvent(suiteRunEvent({ outcome: 'error', counts: errored }))).to.include(errored);
  });
  it('is never more than a record can hold', () => {
    const counts = { total: 2_147_483_647, passed: 2_147_483_647, failed: 0, skipped: null };
    expect(testRunOfEvent(suiteRunEvent({ outcome: 'fail', counts }))).to.include({ ...counts, passed: 2_147_483_646 });
  });
  it('has the counts that were given where they say what went wrong', () => {
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
