import type { Pause } from '@shipworthy/domain';
import type { CarryOut, Statement } from '../postgres-client.js';
import type { Position } from './position.js';

/** How far a replica is. */
export interface Progress {
  /** Whether it follows that very log. */
  readonly follows: boolean;
  readonly fresh: boolean;
  /** Age of the last change it took over, in seconds; null before the first. */
  readonly behind: number | null;
}

// A replica that was promoted, or follows a server that is not the primary any more, has positions of another log.
// The timeline it is on is known for sure from its own notes on disk only; old ones make it wait, never lie.
const PROGRESS = `select pg_is_in_recovery() and current_database() || ' '
    || (select system_identifier from pg_control_system()) || ' '
    || lpad(upper(to_hex(greatest((select timeline_id from pg_control_checkpoint()),
      (select min_recovery_end_timeline from pg_control_recovery())))), 8, '0') = $1 as follows,
  coalesce(pg_last_wal_replay_lsn() >= $2::pg_lsn, false) as fresh,
  extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 as behind`;

/** What became of reading there. */
export type ReadAt = { readonly rows: readonly unknown[] } | 'behind' | 'stranger';

/** How a read goes on. */
export interface Reading {
  readonly position: Position;
  /** null: only to see whether it could be read. */
  readonly statement: Statement | null;
  /** Most milliseconds of pauses until it is as far. The time of answers is no part of them. */
  readonly waitMs: number;
  readonly pause: Pause;
  /** Sends the statement along with the first question, in one round trip: what comes back is used if it was fresh. */
  readonly together: boolean;
  /** Told of every answer, before the rows are there. */
  readonly noted: (progress: Progress) => void;
  /** Whether nobody waits any more. */
  readonly abandoned: () => boolean;
}

/**
 * Reads on a connection to a replica once that holds everything up to the position; the statement begins after that was
 * seen on the same connection, so that what it sees is as new.
 */
export const readAt = async (carryOut: CarryOut, reading: Reading): Promise<ReadAt> => {
  const { position, statement, waitMs, pause, together, noted, abandoned } = reading;
  for (let [waited, waiting] = [0, 1]; !abandoned(); waiting *= 2) {
    const asked = carryOut({ name: 'replica_progress', text: PROGRESS, values: [position.log, position.lsn] });
    const early = together && waiting === 1 && statement !== null ? carryOut(statement) : null;
    early?.catch(() => {});
    const [progress] = (await asked) as readonly Progress[];
    if (progress === undefined) throw new Error('The replica did not say how far it is.');
    noted(progress);
    if (progress.follows && progress.fresh) return { rows: await (early ?? (statement && carryOut(statement)) ?? []) };
    // The connection is not free for others before it has answered.
    await early?.catch(() => {});
    if (!progress.follows) return 'stranger';
    if (waited + waiting > waitMs) return 'behind';
    await pause(waiting);
    waited += waiting;
  }
  return 'behind';
};
