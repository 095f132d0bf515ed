import { expect } from 'chai';
import { suiteTimes } from '../../../../src/screens/test-runs/report/suite-times.js';
import { element, test } from './element.js';

const suites = [
  element('testsuite', { time: '1,001.5', timestamp: '2026-11-20T09:30:00Z' }),
  element('testsuite', { time: '2', timestamp: '2026-11-20T09:00:00+00:00' }),
];

describe('the times of a report', () => {
  it('are the sum of the suites, and the last end', () => {
    expect(suiteTimes(element('testsuites', {}, ...suites))).to.deep.equal({
      durationSeconds: 1003.5,
      ranAt: Date.UTC(2026, 10, 20, 9, 46, 41, 500),
    });
  });

  it("are the root's where it says its own", () => {
    expect(suiteTimes(element('testsuites', { time: '7' }, ...suites)).durationSeconds).to.equal(7);
  });

  it('stay open where a test lies beside the suites, and where the zone would be guessed', () => {
    expect(suiteTimes(element('testsuites', {}, ...suites, test('a'))).durationSeconds).to.equal(undefined);
    expect(suiteTimes(element('testsuite', { time: '-1', timestamp: '2026-11-20T09:30:00' }))).to.deep.equal({
      durationSeconds: undefined,
      ranAt: undefined,
    });
    expect(suiteTimes(element('testsuites', { timestamp: '2026-11-20T09:30:00Z' })).ranAt).to.equal(undefined);
  });
});
