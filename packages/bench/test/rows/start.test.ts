import { expect } from 'chai';
import { startAndMemory } from '../../src/rows/start.js';
import { runSmall } from './smoke-size.js';

describe('the row of starts and memory', () => {
  it('starts on both databases, twice on each, beside a bare server', async () => {
    const { lines } = await runSmall(startAndMemory);
    expect(lines).to.have.length(process.platform === 'linux' ? 8 : 4);
    for (const { unit, measured } of lines) expect(measured, unit).to.be.within(unit === 's' ? 0.05 : 20, 1_000);
  });
});
