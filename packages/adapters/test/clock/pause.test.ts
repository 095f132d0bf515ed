import { expect } from 'chai';
import { pause } from '../../src/clock/pause.js';

describe('pause', () => {
  it('lets at least so much time pass', async () => {
    const began = performance.now();
    await pause(20);
    // Timers may fire up to a millisecond early.
    expect(performance.now() - began).to.be.at.least(18);
  });
});
