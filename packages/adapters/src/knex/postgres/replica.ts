import type { Pause } from '@shipworthy/domain/ports';
import type { Knex } from 'knex';
import { pause, type RunTime, runTime } from '../../clock/run-time.js';
import { groupCommit } from '../../group-commit/group-commit.js';
import type { Value } from '../dialect.js';
import type { Access } from '../sql.js';
import { type CarryOut, type Link, onConnection, type Statement } from './connection.js';
import { driverStatement } from './transaction.js';

/**
 * Where a read was answered: `replica`, or else the reason why the primary answered it. `resting`: the replica was unfit a
 * short time ago and is not asked yet; `given_up`: the replica was fit, but its rows came too late or not at all.
 */
export type ReplicaRead = 'replica' | Unfit | 'resting' | 'given_up';

/** Receives the state changes of a replica. */
export interface ReplicaListener {
  read(how: ReplicaRead): void;
  /** Called when reads stop going to it, with the cause, and with null when they go to it again. */
  changed(cause: Unfit | null): void;
}

/** A streaming replica whose reads are as new as those of the primary. */
export interface Replica {
  /**
   * Rows of a reading statement that sees everything committed when it was asked for; undefined when the primary must
   * be asked instead. Never fails.
   */
  read<Row>(sql: string, bindings?: readonly Value[], name?: string): Promise<readonly Row[] | undefined>;
  /** Age of its newest change when it last answered, in seconds; 0 when nothing was missing, null when it did not. */
  readonly behindSeconds: number | null;
  watch(listener: ReplicaListener): void;
}

/** The replica the pool leads to; positions are asked of the primary. */
export const replicaOf = (primary: Access, pool: Knex, limits: ReplicaLimits): Replica => {
  const newest = newestPosition(primary);
  const attempts = attemptsOn(pool, limits);
  const listeners: ReplicaListener[] = [];
  const state = fitness(
    () => performance.now(),
    (cause) => {
      for (const listener of listeners) listener.changed(cause);
    },
  );

  const look = async (): Promise<void> => {
    const position = await newest().catch(() => null);
    const found = position === null ? 'failed' : await attempts.read(position, null);
    state.looked(typeof found === 'object' ? null : found === 'given_up' ? 'failed' : found);
  };

  const told = (how: ReplicaRead): undefined => {
    for (const listener of listeners) listener.read(how);
  };

  return {
    get behindSeconds() {
      return attempts.behindSeconds;
    },
    watch: (listener) => void listeners.push(listener),
    read: async <Row>(sql: string, bindings?: readonly Value[], name?: string) => {
      // The look runs in the background: this read goes to the primary.
      if (state.takeLook()) void look();
      if (!state.fit) return told('resting');
      const position = await newest().catch(() => null);
      // Without the primary its newest position is unknown.
      const found = position === null ? 'failed' : await attempts.read(position, driverStatement(sql, bindings, name));
      if (typeof found === 'object') {
        told('replica');
        return found.rows as readonly Row[];
      }
      if (found !== 'given_up') state.failed(found);
      return told(found);
    },
  };
};

/**
 * Reads outside a transaction on the replica, if it is fit, and does everything else on the primary. On a cluster the
 * primary does everything, since a replica of the coordinator does not ask the workers.
 */
export const readingAccess = (primary: Access, replica: Replica): Access => ({
  ...primary,
  get dialect() {
    return primary.dialect;
  },
  read: async (sql, bindings, name) =>
    (primary.dialect.cluster === null ? await replica.read<never>(sql, bindings, name) : undefined) ??
    primary.read(sql, bindings, name),
});

/** How far a replica has followed the primary. */
export interface ReplicaProgress {
  /** Whether it follows the log that was asked about. */
  readonly follows: boolean;
  readonly fresh: boolean;
  /** Age of the last change it took over, in seconds; null before the first. */
  readonly behind: number | null;
}

// A replica that was promoted, or follows a server that is no longer the primary, has positions of another log. Only
// its control file tells for sure which timeline it is on; an outdated one makes it wait, but never answer stale data.
const PROGRESS = `select pg_is_in_recovery() and current_database() || ' '
    || (select system_identifier from pg_control_system()) || ' '
    || lpad(upper(to_hex(greatest((select timeline_id from pg_control_checkpoint()),
      (select min_recovery_end_timeline from pg_control_recovery())))), 8, '0') = $1 as follows,
  coalesce(pg_last_wal_replay_lsn() >= $2::pg_lsn, false) as fresh,
  extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 as behind`;

/** The result of a read at the replica. */
type ReadAt = { readonly rows: readonly unknown[] } | 'behind' | 'stranger';

/** How a read at a replica is done. */
export interface ReplicaReading {
  readonly position: Position;
  /** null: only checks whether the replica can be read. */
  readonly statement: Statement | null;
  /** Longest total pause until the replica reaches the position, in milliseconds; the time of its answers is not counted. */
  readonly waitMs: number;
  readonly pause: Pause;
  /** Sends the statement along with the first question about progress; its rows are used if it was fresh then. */
  readonly together: boolean;
  /** Called with every progress, before the rows are there. */
  readonly noted: (progress: ReplicaProgress) => void;
  /** Whether no caller waits for the answer now. */
  readonly abandoned: () => boolean;
}

/**
 * Reads on a connection to a replica once it holds everything up to the position. The statement begins after that was
 * seen on the same connection, so that its rows are as new.
 */
export const readAt = async (carryOut: CarryOut, reading: ReplicaReading): Promise<ReadAt> => {
  const { position, statement, waitMs, pause, together, noted, abandoned } = reading;
  for (let [waited, waiting] = [0, 1]; !abandoned(); waiting *= 2) {
    const asked = carryOut({ name: 'replica_progress', text: PROGRESS, values: [position.log, position.lsn] });
    const early = together && waiting === 1 && statement !== null ? carryOut(statement) : null;
    early?.catch(() => {});
    const [progress] = (await asked) as readonly ReplicaProgress[];
    if (progress === undefined) throw new Error('The replica did not say how far it is.');
    noted(progress);
    if (progress.follows && progress.fresh) return { rows: await (early ?? (statement && carryOut(statement)) ?? []) };
    // Until the early statement has answered, the connection is not free for others.
    await early?.catch(() => {});
    if (!progress.follows) return 'stranger';
    if (waited + waiting > waitMs) return 'behind';
    await pause(waiting);
    waited += waiting;
  }
  return 'behind';
};

/** Reads by `readAt`; through a pooler in a transaction, since only that stays in one server process. */
const readOn = async ({ carryOut, begin, isPooled }: Link, reading: ReplicaReading): Promise<ReadAt> => {
  if (!isPooled) return readAt(carryOut, reading);
  await carryOut({ text: begin });
  const found = await readAt(carryOut, reading);
  await carryOut({ text: 'commit' });
  return found;
};

/** How long a replica may take, in milliseconds of run time, before the primary is asked. */
export interface ReplicaLimits {
  /** How long to wait for its first answer, and then until it is as new as the primary. */
  readonly waitMs: number;
  /** How long to wait for its rows once it is new enough. After that the primary does the whole read again. */
  readonly readMs: number;
}

/** `failed`: it did not answer. `given_up`: its rows were late or did not come, or the read waited too long behind others. */
type Attempt = ReadAt | 'failed' | 'given_up';

/** Attempts at reading on a replica. */
interface Attempts {
  /** Reads there within the limits; a null statement only looks. A late read continues, and its result is dropped. */
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
        // While the replica answers other reads, this one may only be waiting for its turn.
        const busy = !answered && (reading > 0 || answers > answersSeen);
        waited += waitMs;
        answersSeen = answers;
        if (!busy) fail();
        else if (waited > readMs) end('given_up');
        else stop = time.after(waitMs, late);
      };
      let stop = time.after(waitMs, late);
      const noted = (progress: ReplicaProgress): void => {
        if (ended) return;
        answers += 1;
        // A statement is sent along only while its rows are rarely too old to be used.
        if (!answered) together = progress.follows && progress.fresh;
        answered = true;
        fresh = progress.follows && progress.fresh;
        if (fresh) reading += 1;
        behindSeconds = fresh ? 0 : progress.behind;
        stop();
        stop = time.after(fresh ? readMs : waitMs, late);
      };
      const how = { position, statement, waitMs, pause, together, noted, abandoned: () => ended };
      onConnection(pool, (link) => readOn(link, how)).then(end, fail);
    });

  return {
    read,
    get behindSeconds() {
      return behindSeconds;
    },
  };
};

/** Why a replica is not read: too far behind, no replica of this very database, or no answer. */
export type Unfit = 'behind' | 'stranger' | 'failed';

/** Whether a replica is worth asking. */
interface Fitness {
  readonly fit: boolean;
  /** Notes that a read found it unfit: it rests. The sooner this happens again, the longer it rests. */
  failed(cause: Unfit): void;
  /** Whether its pause is over and it should be looked at; true once per look, which ends with `looked`. */
  takeLook(): boolean;
  /** Takes the result of a look; null: the replica is fit again. */
  looked(cause: Unfit | null): void;
}

/** The first rest and the longest one, in milliseconds. */
const FIRST_REST = 100;
const LONGEST_REST = 5000;

/** `now` is in milliseconds and never goes back; `changed` is told why the replica is unfit, and null when it is fit again. */
export const fitness = (now: () => number, changed: (cause: Unfit | null) => void): Fitness => {
  let fit = true;
  let looking = false;
  let rest = 0;
  let restUntil = 0;
  let fitSince = now();
  const layDown = (longest: number): void => {
    rest = Math.min(Math.max(rest * 2, FIRST_REST), longest);
    restUntil = now() + rest;
  };
  return {
    get fit() {
      return fit;
    },
    failed: (cause) => {
      // Reads that began while it was fit may fail after it is known to be unfit.
      if (!fit) return;
      fit = false;
      layDown(now() - fitSince > LONGEST_REST ? FIRST_REST : LONGEST_REST);
      changed(cause);
    },
    takeLook: () => {
      if (fit || looking || now() < restUntil) return false;
      looking = true;
      return true;
    },
    looked: (cause) => {
      looking = false;
      if (cause !== null) return layDown(LONGEST_REST);
      fit = true;
      fitSince = now();
      changed(null);
    },
  };
};

/** A position in a log of changes, and which log that is. */
interface Position {
  /** Database, cluster and timeline: positions are comparable only within one. */
  readonly log: string;
  readonly lsn: string;
}

// Visible rows are flushed to disk, except with synchronous_commit off: then only the insert position is after them.
const POSITION = `select current_database() || ' ' || (select system_identifier from pg_control_system())
    || ' ' || left(pg_walfile_name(lsn), 8) as log, lsn::text as lsn
  from (select case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
    else pg_current_wal_flush_lsn() end as lsn) as newest`;

const ask = async (primary: Access): Promise<Position> => {
  const [position] = await primary.read<Position>(POSITION, [], 'log_position');
  if (position === undefined) throw new Error('The database did not answer where its log ends.');
  return position;
};

/**
 * Returns a function that answers a position after everything that was committed when it was called. One statement
 * answers all calls that come while others are under way.
 */
export const newestPosition = (primary: Access): (() => Promise<Position>) => {
  const asked = groupCommit<undefined, Position>(
    async (askers) => {
      const position = await ask(primary);
      return askers.map(() => position);
    },
    { lanes: 2, maxItems: 10_000 },
  );
  return () => asked.submit(undefined);
};
