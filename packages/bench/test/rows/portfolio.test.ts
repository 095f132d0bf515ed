import { expect } from 'chai';
import { portfolio } from '../../src/rows/portfolio.js';
import { runSmall } from './smoke-size.js';

describe('the row of the portfolio', () => {
  it('measures many projects beside one, counts the statements of both and finds every project in it', async () => {
    const { lines, verifiedRecords } = await runSmall(portfolio);
    expect(lines).to.have.length(3);
    expect(lines[2]).to.include({ unit: 'queries', ratio: 1 });
    expect(lines[2]?.measured).to.be.within(5, 12);
    expect(verifiedRecords).to.equal(13);
  });
});
