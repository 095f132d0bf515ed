import { expect } from 'chai';
import { scorecardPaint } from '../../src/rows/scorecard-paint.js';
import { runSmall } from './smoke-size.js';

describe('the row of scorecard and portfolio in a browser', () => {
  it('sees both pages painted, on a slow network too', async () => {
    const { lines } = await runSmall(scorecardPaint);
    expect(lines).to.have.length(8);
    for (const network of ['', ', slow network'])
      for (const page of ['scorecard', 'portfolio of 12 projects'])
        expect(lines.map(({ what }) => what)).to.include(
          `${page}, first visit, largest contentful paint, processor 4x slower${network}`,
        );
  });
});
