import { expect } from 'chai';
import { testsOf } from '../../../../src/screens/test-runs/report/attempts.js';

describe('attempts of one test', () => {
  it('take failures with a pass at their end for one test, and anything else for several', () => {
    expect(testsOf(['failed', 'errored', 'passed'])).to.deep.equal(['passed']);
    expect(testsOf(['failed', 'failed'])).to.deep.equal(['failed']);
    expect(testsOf(['failed', 'passed', 'passed'])).to.deep.equal(['failed', 'passed', 'passed']);
    expect(testsOf(['failed', 'skipped'])).to.deep.equal(['skipped', 'failed']);
  });
});
