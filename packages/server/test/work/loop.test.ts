import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import { createLog } from '../../src/observability/log.js';
import { silentLog } from '../../src/observability/silent-log.js';
import { startLoop } from '../../src/work/loop.js';
import { DELIVERIES_KEPT, forgetOld, REPLIES_KEPT } from '../../src/work/retention.js';
import { createTestClock } from '../harness/test-clock.js';

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('startLoop', () => {
  it('repeats, never two at a time, and ends after the run that is under way', async () => {
    let running = 0;
    let runs = 0;
    const loop = startLoop({
      name: 'test',
      everyMs: 1,
      log: silentLog,
      run: async () => {
        running += 1;
        expect(running).to.equal(1);
        await pause(5);
        running -= 1;
        runs += 1;
        return false;
      },
    });
    while (runs < 3) await pause(1);
    await loop.stop();
    const done = runs;
    expect(running).to.equal(0);
    await pause(30);
    expect(runs).to.equal(done);
  });

  it('goes on at once while there is more to do', async () => {
    let left = 50;
    const loop = startLoop({
      name: 'test',
      everyMs: 60_000,
      log: silentLog,
      run: async () => {
        left -= 1;
        return left > 0;
      },
    });
    while (left > 0) await pause(1);
    await loop.stop();
  });

  it('notes a failure and goes on, slower', async () => {
    const texts: string[] = [];
    const log = createLog(
      'info',
      async (text) => void texts.push(text),
      () => 0,
    );
    const runs: number[] = [];
    const loop = startLoop({
      name: 'fragile',
      everyMs: 10,
      log,
      run: async () => {
        runs.push(performance.now());
        throw new Error(`failure ${runs.length}`);
      },
    });
    while (runs.length < 4) await pause(1);
    await loop.stop();
    await log.flush();
    // Timers may fire up to a millisecond early.
    for (const failures of [1, 2, 3])
      expect((runs[failures] ?? 0) - (runs[failures - 1] ?? 0)).to.be.at.least(10 * (1 + failures) - 1);
    expect(texts.join('')).to.contain('"work":"fragile","error":"failure 1"');
  });
});

describe('forgetOld', () => {
  it('forgets answers after seven days', async () => {
    const stores = memoryStores();
    const clock = createTestClock();
    const request = { caller: 'c', operation: 'POST /x', key: 'k', fingerprint: 'f', at: clock.read() };
    const taken = () => stores.transaction(async ({ idempotency }) => (await idempotency.take(request)).state);
    await stores.transaction(async ({ idempotency }) => {
      await idempotency.take(request);
      await idempotency.remember(request, { status: 201, location: null, body: '{}' });
    });
    clock.pass(REPLIES_KEPT);
    expect(await forgetOld({ stores, clock: clock.read })).to.equal(0);
    expect(await taken()).to.equal('taken');
    clock.pass(1);
    expect(await forgetOld({ stores, clock: clock.read })).to.equal(1);
    expect(await taken()).to.equal('free');
  });

  it('forgets approvals that were never finished, and deliveries no host sends again', async () => {
    const stores = memoryStores();
    const clock = createTestClock();
    const approval = { stateHash: 's', sessionId: 'i', userId: 'u', host: 'github', sealedVerifier: 'v' };
    const begun = { ...approval, redirectUrl: 'https://ship.acme.dev/back', expiresAt: clock.read() + 1000 };
    await stores.hostConnections.begin(begun);
    await stores.repositoryLinks.receive('github', 'one', clock.read());
    expect(await forgetOld({ stores, clock: clock.read })).to.equal(0);
    clock.pass(1001);
    expect(await forgetOld({ stores, clock: clock.read })).to.equal(1);
    expect(await stores.hostConnections.take('s')).to.equal(undefined);
    clock.pass(DELIVERIES_KEPT);
    expect(await forgetOld({ stores, clock: clock.read })).to.equal(1);
    expect(await stores.repositoryLinks.receive('github', 'one', clock.read())).to.equal(true);
  });
});
