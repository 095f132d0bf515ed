import { expect } from 'chai';
import { inProgressText } from '../../../src/screens/deployments/in-progress.js';

const HOUR = 3_600_000;

describe('a deployment in progress', () => {
  it('says for how long', () => {
    expect(inProgressText(0, 5 * 60_000)).to.equal('for 5 minutes');
    expect(inProgressText(0, HOUR - 1)).to.equal('for 59 minutes');
  });

  it('is doubted after an hour', () => {
    expect(inProgressText(0, HOUR)).to.equal('for 1 hour: did the pipeline end without telling?');
    expect(inProgressText(0, 3 * HOUR)).to.equal('for 3 hours: did the pipeline end without telling?');
  });

  it('that starts ahead of this clock has just begun', () => {
    expect(inProgressText(HOUR, 0)).to.equal('for 0 seconds');
  });
});
