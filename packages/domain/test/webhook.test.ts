import { expect } from 'chai';
import {
  afterAttempt,
  type Delivery,
  LONGEST_RETRY_AFTER_MS,
  newDelivery,
  RETRY_PAUSES,
  replayed,
  type WebhookAnswer,
  waitAfter,
} from '../src/webhook.js';

const AT = 1_000_000;
const fresh = newDelivery({ id: 'e1', webhookId: 'w1', type: 'gate.changed', body: '{}', at: AT - 5 }, AT - 5);
const answered = (status: number | null, retryAfterMs: number | null = null): WebhookAnswer => ({
  ms: 20,
  status,
  failure: status === null ? 'timeout' : null,
  retryAfterMs,
});
const after = (delivery: Delivery, answer: WebhookAnswer) => afterAttempt(delivery, AT, answer, (ms) => ms);

describe('A delivery', () => {
  it('is delivered by any status of 200 to 299', () => {
    for (const status of [200, 202, 204, 299]) {
      const attempts = [{ at: AT, ms: 20, status, failure: null }];
      const delivered = { ...fresh, state: 'delivered', tries: 1, nextAt: null, attempts };
      expect(after(fresh, answered(status))).to.deep.equal(delivered);
    }
  });
  it('is tried again after anything else, counted from the answer', () => {
    for (const status of [199, 300, 301, 404, 429, 500, null])
      expect(after(fresh, answered(status))).to.include({ state: 'pending', tries: 1, nextAt: AT + 20 + 5_000 });
    expect(after(fresh, answered(503, 60_000))).to.include({ nextAt: AT + 20 + 60_000 });
  });
  it('fails when the receiver is gone, or the schedule is through', () => {
    expect(after(fresh, answered(410, 1000))).to.include({ state: 'failed', tries: 1, nextAt: null });
    expect(after({ ...fresh, tries: 9 }, answered(500))).to.include({ state: 'failed', tries: 10, nextAt: null });
    expect(after({ ...fresh, tries: 8 }, answered(500))).to.include({ state: 'pending', tries: 9 });
  });
  it('keeps its last 20 attempts, and nothing the receiver asked for', () => {
    let delivery: Delivery = fresh;
    for (let count = 0; count < 25; count += 1) delivery = { ...after(delivery, answered(500 + count)), tries: 0 };
    expect(delivery.attempts.map(({ status }) => status)).to.deep.equal(Array.from({ length: 20 }, (_, n) => 505 + n));
    expect(Object.keys(delivery.attempts[0] ?? {}).toSorted()).to.deep.equal(['at', 'failure', 'ms', 'status']);
  });
  it('begins again with all its tries, under its own id and with what was tried', () => {
    const failed = after({ ...fresh, tries: 9 }, answered(500));
    const again = replayed(failed, AT + 9);
    expect(again).to.deep.equal({ ...failed, state: 'pending', tries: 0, nextAt: AT + 9 });
    expect(after(again, answered(500)).nextAt).to.equal(AT + 20 + 5_000);
  });
  it('gets another due moment each time it is replayed before its first try, even within a millisecond', () => {
    const once = replayed(fresh, AT - 5);
    expect(once).to.deep.equal({ ...fresh, nextAt: AT - 4 });
    expect(replayed(once, AT - 5).nextAt).to.equal(AT - 3);
    expect(replayed(once, AT + 9).nextAt).to.equal(AT + 9);
  });
});

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
    expect(waitAfter(1, 90 * 24 * HOUR, straight)).to.equal(LONGEST_RETRY_AFTER_MS);
  });
  it('moves its own pauses, not what it was asked for', () => {
    expect(waitAfter(1, null, (ms) => ms * 0.9)).to.equal(4_500);
    expect(waitAfter(1, 5_000, (ms) => ms * 0.9)).to.equal(5_000);
  });
});
