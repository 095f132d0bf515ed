import { expect } from 'chai';
import { scorecardPaint } from '../../src/rows/scorecard-paint.js';
import { runSmall } from './smoke-size.js';

describe('the row of the scorecard in a browser', () => {
  it('sees the decision painted on both pages', async () => {
    const { lines } = await runSmall(scorecardPaint);
    expect(lines).to.have.length(1);
    expect(lines[0]?.measured).to.be.greaterThan(0);
    expect(lines[0]?.baseline).to.be.greaterThan(0);
  });
});
