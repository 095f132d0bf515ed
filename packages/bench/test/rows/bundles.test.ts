import { expect } from 'chai';
import { bundles } from '../../src/rows/bundles.js';
import { runSmall } from './smoke-size.js';

describe('the row of the bundles', () => {
  it('measures client, engine, application and command, as they are and compressed', async () => {
    const { lines } = await runSmall(bundles);
    expect(lines).to.have.length(8);
    for (const { ratio } of lines) expect(ratio).to.be.within(0.05, 0.6);
  });
});
