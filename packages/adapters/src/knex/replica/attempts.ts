import type { Knex } from 'knex';
import { pause, type RunTime, runTime } from '../../clock/index.js';
import type { Statement } from '../postgres-client.js';
import { onConnection } from '../postgres-connections.js';
import type { Position } from './position.js';
import { type Progress, type ReadAt, readAt } from './read-at.js';

/** How long a replica may take, in milliseconds of run time, before the primary is asked. */
export interface ReplicaLimits {
  /** Until it says anything, and from then on until it is far enough. */
  readonly waitMs: number;
  /** Until its rows are there, once it is far enough. The primary has to do all of it again then. */
  readonly readMs: number;
}

/** `failed`: it did not answer. `given_up`: it did, but the rows were late or did not come. */
export type Attempt = ReadAt | 'failed' | 'given_up';

/** Attempts at reading on a replica. */
export interface Attempts {
  /** Reads there within the limits; a null statement only looks. What is late goes on, and is of no use to anybody. */
  read(position: Position, statement: Statement | null): Promise<Attempt>;
  /** Age of the newest change there when it last answered, in seconds; 0 when nothing was missing, null when it did not. */
  readonly behindSeconds: number | null;
}

/** Attempts over the connections of the pool. */
export const attemptsOn = (pool: Knex, { waitMs, readMs }: ReplicaLimits, time: RunTime = runTime): Attempts => {
  let behindSeconds: number | null = null;
  let together = true;
  let answers = 0;
  let reading = 0;

  const read = (position: Position, statement: Statement | null): Promise<Attempt> =>
    new Promise((resolve) => {
      let waited = 0;
      let answersSeen = answers;
      let answered = false;
      let fresh = false;
      let ended = false;
      const end = (attempt: Attempt): void => {
        if (ended) return;
        ended = true;
        stop();
        if (fresh) reading -= 1;
        if (attempt === 'failed') behindSeconds = null;
        resolve(attempt);
      };
      const fail = (): void => end(fresh ? 'given_up' : 'failed');
      const late = (): void => {
        // Where others are answered, it is only a turn that has not come yet.
        const busy = !answered && (reading > 0 || answers > answersSeen);
        waited += waitMs;
        answersSeen = answers;
        if (!busy) fail();
        else if (waited > readMs) end('given_up');
        else stop = time.after(waitMs, late);
      };
      let stop = time.after(waitMs, late);
      const noted = (progress: Progress): void => {
        if (ended) return;
        answers += 1;
        // Statements are sent along only as long as that is rarely in vain.
        if (!answered) together = progress.follows && progress.fresh;
        answered = true;
        fresh = progress.follows && progress.fresh;
        if (fresh) reading += 1;
        behindSeconds = fresh ? 0 : progress.behind;
        stop();
        stop = time.after(fresh ? readMs : waitMs, late);
      };
      const how = { position, statement, waitMs, pause, together, noted, abandoned: () => ended };
      onConnection(pool, (carryOut) => readAt(carryOut, how)).then(end, fail);
    });

  return {
    read,
    get behindSeconds() {
      return behindSeconds;
    },
  };
};
