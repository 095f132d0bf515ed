import { expect } from 'chai';
import { LONGEST_ASKED, RETRY_PAUSES, waitAfter } from '../../src/webhook/retry-schedule.js';

const HOUR = 3_600_000;
const straight = (ms: number) => ms;

describe('The schedule of tries', () => {
  it('is that of the specification: ten tries in three days and a bit', () => {
    const waits = RETRY_PAUSES.map((_, place) => waitAfter(place + 1, null, straight));
    expect(waits).to.deep.equal([5_000, 300_000, 1_800_000, ...[2, 5, 10, 14, 20, 24].map((n) => n * HOUR)]);
    const inAll = RETRY_PAUSES.reduce((sum, pause) => sum + pause, 0);
    expect(inAll).to.equal(75 * HOUR + 35 * 60_000 + 5_000);
    expect(waitAfter(10, null, straight)).to.equal(null);
    expect(waitAfter(10, HOUR, straight)).to.equal(null);
  });
  it('waits as long as it is asked to, a day at most, and never less than the schedule says', () => {
    expect(waitAfter(1, 60_000, straight)).to.equal(60_000);
    expect(waitAfter(4, 60_000, straight)).to.equal(2 * HOUR);
    expect(waitAfter(1, 90 * 24 * HOUR, straight)).to.equal(LONGEST_ASKED);
  });
  it('moves its own pauses, not what it was asked for', () => {
    expect(waitAfter(1, null, (ms) => ms * 0.9)).to.equal(4_500);
    expect(waitAfter(1, 5_000, (ms) => ms * 0.9)).to.equal(5_000);
  });
});
