import { expect } from 'chai';
import { afterAttempt, type Delivery, newDelivery, replayed } from '../../src/webhook/delivery.js';
import type { HookAnswer } from '../../src/webhook/hook-sender.js';

const AT = 1_000_000;
const fresh = newDelivery({ id: 'e1', webhookId: 'w1', type: 'gate.changed', body: '{}', at: AT - 5 }, AT - 5);
const answered = (status: number | null, retryAfterMs: number | null = null): HookAnswer => ({
  ms: 20,
  status,
  failure: status === null ? 'timeout' : null,
  retryAfterMs,
});
const after = (delivery: Delivery, answer: HookAnswer) => afterAttempt(delivery, AT, answer, (ms) => ms);

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
});
