import { setTimeout as pause } from 'node:timers/promises';
import { type FaultLine, holds, tookAtMost } from '../fault-programme.js';
import { meaningOf } from '../reporters/ask.js';
import type { Try } from '../reporters/crew.js';
import type { HealthWatch } from './health-watch.js';
import type { Outage } from './outage.js';

const ANSWER_AIM_MS = 3_000;
export const RECOVERY_AIM_MS = 5_000;
export const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 10;

/** What callers got while something lasted. */
export class Tally {
  done = 0;
  refused = 0;
  /** Neither, or no answer at all. */
  wrong = 0;
  longest = 0;
  /** When the last change that was acknowledged had been sent. */
  writtenAt = Number.NEGATIVE_INFINITY;

  hear({ asking, reply }: Try): void {
    if (reply === null) {
      this.wrong += 1;
      return;
    }
    const meaning = meaningOf(reply);
    if (meaning === 'done') this.done += 1;
    else if (meaning === 'again') this.refused += 1;
    else this.wrong += 1;
    if (meaning === 'done' && asking.method !== 'GET') this.writtenAt = reply.sentAt;
    this.longest = Math.max(this.longest, reply.took);
  }

  forget(): void {
    [this.done, this.refused, this.wrong, this.longest] = [0, 0, 0, 0];
  }
}

const until = async (what: string, isSo: () => boolean): Promise<void> => {
  for (const deadline = performance.now() + PATIENCE_MS; !isSo(); await pause(LOOK_EVERY_MS))
    if (performance.now() > deadline) throw new Error(`${what}: not within ${PATIENCE_MS / 1_000} s.`);
};

/** Lets an outage happen and last under load, and waits until everything is well again. */
export const goThrough = async (
  outage: Outage,
  lastsMs: number,
  tally: Tally,
  health: HealthWatch,
): Promise<readonly FaultLine[]> => {
  tally.forget();
  health.longest();
  const before = { notAlive: health.notAlive, strays: health.strays };
  const end = await outage.begin();
  const begunAt = performance.now();
  let stillWritten = false;
  try {
    await pause(lastsMs);
    // It must be felt: who looks at nothing finds nothing wrong.
    if (outage.leaves === 'nothing')
      await until(`${outage.name}: not ready`, () => !health.isReady && tally.refused > 0);
    stillWritten = outage.leaves === 'nothing' && tally.writtenAt > begunAt;
  } finally {
    await end();
  }
  const endedAt = performance.now();
  await until(`${outage.name}: back again`, () => health.isReady && tally.writtenAt > endedAt);
  const recovery = performance.now() - endedAt;
  const wrong = tally.wrong + (health.notAlive - before.notAlive) + (health.strays - before.strays);
  const { done, refused } = tally;
  return [
    holds(
      `${outage.name}: answers`,
      `${done} of 2xx, ${refused} of 503, ${wrong} other or none${stillWritten ? ', written without a database' : ''}`,
      'only 2xx, or 503 with Retry-After; livez always 200',
      wrong === 0 && !stillWritten,
    ),
    tookAtMost(`${outage.name}: longest answer`, Math.max(tally.longest, health.longest()), ANSWER_AIM_MS),
    tookAtMost(`${outage.name}: from its end until ready and written to`, recovery, RECOVERY_AIM_MS),
  ];
};
