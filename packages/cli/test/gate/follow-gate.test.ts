import { ConnectionError, type ReadinessReport } from '@shipworthy/client';
import { expect } from 'chai';
import { Failure } from '../../src/failure.js';
import {
  type AskedReport,
  type AskGateOnce,
  type Followed,
  followGate,
  pauseBefore,
} from '../../src/gate/follow-gate.js';

const answering = (decision: 'go' | 'hold' | 'unknown'): AskedReport => ({
  place: { project: {}, release: {}, scorecard: '', path: {} } as unknown as AskedReport['place'],
  report: { gate: { decision } } as unknown as ReadinessReport,
  etag: decision,
});
const away = () =>
  new ConnectionError('refused', 'ECONNREFUSED', {
    operation: 'readReadiness',
    attempts: 1,
    requestId: null,
    idempotencyKey: null,
  });
type Saying = 'go' | 'hold' | 'unknown' | 'away';

/** Follows a gate that says one thing after the other, a second of a made-up clock for each try; then its last word. */
const following = async (sayings: readonly Saying[], waitMs: number, signal = new AbortController().signal) => {
  let now = 0;
  const pauses: number[] = [];
  const told: string[] = [];
  const limits: number[] = [];
  let tries = 0;
  const ask = async (_: AskedReport | undefined, timeoutMs: number): Promise<AskedReport> => {
    limits.push(timeoutMs);
    const saying = sayings[Math.min(tries, sayings.length - 1)] ?? 'hold';
    tries += 1;
    now += 100;
    if (saying === 'away') throw away();
    return answering(saying);
  };
  const pause = async (ms: number) => {
    pauses.push(ms);
    now += ms;
  };
  const onChange = ({ asked, unavailable }: Followed) =>
    told.push(unavailable ? 'away' : (asked?.report.gate.decision ?? ''));
  const options = { waitMs, timeoutMs: 30_000, signal, onChange };
  const followed = await followGate(ask, { now: () => now, pause, random: () => 0 }, options);
  return { followed, told, pauses, limits, tries, now };
};

describe('followGate', () => {
  it('asks once when it is not to wait', async () => {
    for (const saying of ['go', 'hold', 'unknown', 'away'] as const) {
      const { followed, told, tries } = await following([saying], 0);
      expect([tries, told, followed.ranOut]).to.deep.equal([1, [], false]);
      expect(followed.unavailable instanceof Failure).to.equal(saying === 'away');
    }
  });

  it('waits for go, and tells each change once', async () => {
    const { followed, told } = await following(
      ['away', 'away', 'hold', 'hold', 'unknown', 'hold', 'hold', 'go'],
      60_000,
    );
    expect(followed.asked?.report.gate.decision).to.equal('go');
    expect(followed.ranOut).to.equal(false);
    expect(told).to.deep.equal(['away', 'hold', 'unknown', 'hold']);
  });

  it('asks at most every few seconds, less and less often, and once more at the end of its time', async () => {
    const { followed, pauses, now } = await following(['hold'], 60_000);
    expect(followed.ranOut).to.equal(true);
    expect(pauses.slice(0, 6)).to.deep.equal([1000, 1500, 2250, 3375, 5000, 5000]);
    expect(Math.max(...pauses)).to.equal(5000);
    expect(now).to.equal(60_100);
  });

  it('lets no try take longer than is left', async () => {
    const { limits } = await following(['away'], 10_000);
    expect(limits[0]).to.equal(10_000);
    expect(limits.at(-1)).to.equal(1_000);
  });

  it('says that the server cannot be asked when that is how it ended', async () => {
    const { followed } = await following(['hold', 'away'], 5_000);
    expect(followed.unavailable?.exit).to.equal(5);
    expect(followed.ranOut).to.equal(true);
  });

  it('ends a try of several requests when its time is over', async () => {
    const ask: AskGateOnce = (_, __, ending) =>
      new Promise((_resolve, reject) => ending?.addEventListener('abort', () => reject(ending.reason)));
    const world = { now: Date.now, pause: async () => undefined, random: () => 0 };
    const options = { waitMs: 1, timeoutMs: 600_000, signal: new AbortController().signal, onChange: () => undefined };
    const { unavailable, ranOut } = await followGate(ask, world, options);
    expect([unavailable?.exit, unavailable?.code, ranOut]).to.deep.equal([5, 'timeout', true]);
  });

  it('ends when it is told to', async () => {
    const { tries } = await following(['hold'], 60_000, AbortSignal.abort());
    expect(tries).to.equal(1);
  });

  it('spreads its pauses by half', () => {
    expect([pauseBefore(0, 0), pauseBefore(0, 0.5), pauseBefore(50, 0)]).to.deep.equal([1000, 750, 5000]);
  });
});
