import type { Knex } from 'knex';
import type { Statement } from '../postgres-client.js';
import { onConnection } from '../postgres-connections.js';
import type { Position } from './position.js';
import { type Progress, type ReadAt, readAt } from './read-at.js';

/** How long a replica may take, in milliseconds, before the primary is asked. */
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
export const attemptsOn = (pool: Knex, { waitMs, readMs }: ReplicaLimits): Attempts => {
  let behindSeconds: number | null = null;
  let together = true;
  let lastAnswer = Number.NEGATIVE_INFINITY;
  let reading = 0;

  const read = (position: Position, statement: Statement | null): Promise<Attempt> =>
    new Promise((resolve) => {
      const began = performance.now();
      let answered = false;
      let fresh = false;
      let ended = false;
      const end = (attempt: Attempt): void => {
        if (ended) return;
        ended = true;
        clearTimeout(timer);
        if (fresh) reading -= 1;
        if (attempt === 'failed') behindSeconds = null;
        resolve(attempt);
      };
      const fail = (): void => end(fresh ? 'given_up' : 'failed');
      const look = (): void => {
        // Where others are answered, it is only a turn that has not come yet.
        const busy = !answered && (reading > 0 || performance.now() - lastAnswer < waitMs);
        if (!busy) fail();
        else if (performance.now() - began > readMs) end('given_up');
        else timer = setTimeout(late, waitMs);
      };
      // When this process itself was held up, the answer may be here already, unread.
      const late = (): void => void setImmediate(() => ended || look());
      let timer = setTimeout(late, waitMs);
      const noted = (progress: Progress): void => {
        if (ended) return;
        lastAnswer = performance.now();
        // Statements are sent along only as long as that is rarely in vain.
        if (!answered) together = progress.follows && progress.fresh;
        answered = true;
        fresh = progress.follows && progress.fresh;
        if (fresh) reading += 1;
        behindSeconds = fresh ? 0 : progress.behind;
        clearTimeout(timer);
        timer = setTimeout(late, fresh ? readMs : waitMs);
      };
      const how = { position, statement, waitMs, together, noted, abandoned: () => ended };
      onConnection(pool, (carryOut) => readAt(carryOut, how)).then(end, fail);
    });

  return {
    read,
    get behindSeconds() {
      return behindSeconds;
    },
  };
};
