import { DomainError } from '@shipworthy/domain';
import type { EventFeed } from '@shipworthy/domain/ports';
import { codeOf, domainErrorOf } from './errors.js';
import { schemaVersion, takeSteps } from './migrations/migrate.js';
import { SCHEMA_STEPS } from './migrations/steps.js';
import { postgresConnection, postgresConnections, type ReachabilityListener } from './postgres/connection.js';
import { eventLook, postgresFeed } from './postgres/feed.js';
import { type Replica, type ReplicaLimits, replicaOf } from './postgres/replica.js';
import { postgresAccess, requireWritable } from './postgres/transaction.js';
import type { Access } from './sql.js';
import { claimFile, sqliteAccess, sqliteConnections } from './sqlite/connection.js';

export interface DatabaseOptions {
  /**
   * `sqlite:/path/of/file.db` or `postgres://user:password@host:port/name`; several hosts are separated by commas, and
   * the parameter `target_session_attrs` says which kind of server may be used.
   */
  readonly url: string;
  /** That PostgreSQL without a pooler, to listen for events. Missing: uses `url`, and polls if it leads to a pooler. */
  readonly directUrl?: string;
  /** A streaming replica of that PostgreSQL, which answers reads. Missing: the primary answers all of them. */
  readonly readUrl?: string;
  /** Most connections at a time: to PostgreSQL and to its replica each (10 unless given), to read a SQLite file (2). */
  readonly connections?: number;
  /** Longest wait for a connection in milliseconds; 2,000 to PostgreSQL and 10,000 to a SQLite file unless given. */
  readonly waitMs?: number;
  /** Longest time a statement may take on PostgreSQL in milliseconds; 5,000 unless given. */
  readonly statementMs?: number;
  /** Told when PostgreSQL is out of reach, and when it is reached. */
  readonly listener?: ReachabilityListener;
}

/** An open database. */
export interface Database {
  readonly kind: 'sqlite' | 'postgres';
  readonly access: Access;
  /** null: there is none. */
  readonly replica: Replica | null;
  /** The feed of events on this database: of this process on SQLite, of all processes on PostgreSQL. */
  readonly feed: EventFeed;
  /** Settles when the database answers and has every step of the schema; DomainError `unavailable` otherwise. */
  ready(): Promise<void>;
  /** Ends all connections; the database cannot be used afterwards. */
  close(): Promise<void>;
}

/** A working replica is some milliseconds behind; a missing one must not slow a request noticeably. */
const REPLICA_LIMITS: ReplicaLimits = { waitMs: 100, readMs: 1000 };

/** Longest wait until another process releases a SQLite file, in milliseconds. */
const CLAIM_MS = 2000;

/**
 * Longest wait for a connection to a SQLite file, in milliseconds. Longer than to PostgreSQL, because no network is between:
 * what keeps the connection busy is work of this process, or its disk. Shorter than the 15 s in which a request is answered.
 */
const FILE_WAIT_MS = 10_000;

const openSqlite = async (url: string, { connections = 2, waitMs }: DatabaseOptions): Promise<Opened> => {
  const file = url.replace(/^sqlite:(\/\/(?=\/))?/, '');
  if (file === '' || file.startsWith(':')) {
    throw new DomainError(
      'invalid',
      'A SQLite database needs a file: its readers and its writer have connections of their own.',
    );
  }
  const { feed, giveBack } = await claimFile(file, waitMs ?? CLAIM_MS).catch((error: unknown) => {
    throw domainErrorOf(error);
  });
  const pools = sqliteConnections(file, { readers: connections, waitMs: waitMs ?? FILE_WAIT_MS });
  const close = async (): Promise<void> => {
    await pools.readers.destroy();
    await pools.writer.destroy();
    await giveBack();
  };
  return { kind: 'sqlite', access: sqliteAccess(pools, feed), replica: null, feed, close };
};

const openPostgres = (options: DatabaseOptions): Opened => {
  const { url, directUrl, readUrl, connections = 10, waitMs = 2000, statementMs = 5000, listener } = options;
  const settings = { url, connections, waitMs, statementMs };
  const pool = postgresConnections({ ...settings, listener });
  const access = postgresAccess(pool, directUrl === undefined);
  const { feed, close: silence } = postgresFeed({
    connect: postgresConnection({ ...settings, url: directUrl ?? url }),
    startLooking: () => eventLook(access),
  });
  const readSettings = { ...settings, statementMs: REPLICA_LIMITS.readMs };
  const readPool =
    readUrl === undefined ? null : postgresConnections({ ...readSettings, url: readUrl, onlyReads: true });
  const replica = readPool && replicaOf(access, readPool, REPLICA_LIMITS);
  const close = async (): Promise<void> => {
    await silence();
    await Promise.all([pool.destroy(), readPool?.destroy()]);
  };
  return { kind: 'postgres', access, replica, feed, close };
};

type Opened = Omit<Database, 'ready'>;

/**
 * Opens a database. PostgreSQL is first reached by the first statement; a SQLite file is claimed for this process,
 * which may open it more than once. DomainError `unavailable` when another process has the file or it cannot be opened,
 * `invalid` for any other url.
 */
export const openDatabase = async (options: DatabaseOptions): Promise<Database> => {
  const opened = await open(options);
  return { ...opened, ready: () => checkReady(opened.access) };
};

const open = async (options: DatabaseOptions): Promise<Opened> => {
  if (options.url.startsWith('sqlite:')) return openSqlite(options.url, options);
  if (/^postgres(ql)?:/.test(options.url)) return openPostgres(options);
  throw new DomainError('invalid', 'The url of a database begins with sqlite: or postgres:.');
};

const checkReady = async (access: Access): Promise<void> => {
  const version = await requireWritable(access)
    .then(() => schemaVersion(access))
    .catch((error: unknown) => {
      throw domainErrorOf(error);
    });
  // A running service continues while a later version takes its steps, since steps only ever widen the schema. It cannot start
  // again on that schema.
  if (version >= SCHEMA_STEPS.length) return;
  throw new DomainError('unavailable', `The schema has taken ${version} of ${SCHEMA_STEPS.length} steps.`);
};

/**
 * Brings the schema up to date; safe when several processes start at once. DomainError `unavailable`; Error when a later
 * version changed the schema, with nothing changed.
 */
export const migrate = async ({ access }: Database): Promise<void> => {
  await requireWritable(access)
    .then(() => takeSteps(access, SCHEMA_STEPS))
    .catch((error: unknown) => {
      throw domainErrorOf(error);
    });
};

/** Pause before each try to bring the schema up to date, in milliseconds. */
const AGAIN = 500;

const notYet = (): DomainError =>
  new DomainError('unavailable', 'The database could not be reached yet, and its schema may lack steps.');

/** Access that refuses everything until the schema is known to be up to date: tables may be missing. */
const heldBack = (access: Access, isUpToDate: () => boolean): Access => {
  const whenUpToDate = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (!isUpToDate()) throw notYet();
    return work();
  };
  return {
    ...access,
    get dialect() {
      return access.dialect;
    },
    read: (...given) => whenUpToDate(() => access.read(...given)),
    write: (...given) => whenUpToDate(() => access.write(...given)),
    atomically: (work) => whenUpToDate(() => access.atomically(work)),
    publish: (events) => whenUpToDate(() => access.publish(events)),
  };
};

/**
 * Tries again and again to bring a database up to date that could not be reached. Until that succeeds, the returned
 * database is not ready and refuses everything (DomainError `unavailable`).
 * @param fails is called for any failure but an unreachable database, such as a missing right; once while it repeats
 */
export const migrateLater = (database: Database, fails: (error: unknown) => void): Database => {
  let isUpToDate = false;
  let isClosed = false;
  let told = '';
  let wake: () => void = () => {};
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
      setTimeout(resolve, AGAIN).unref();
    });
  const tellOnce = (error: unknown): void => {
    if (error instanceof DomainError) return;
    const words = `${codeOf(error)} ${String(error)}`;
    if (words !== told) fails(error);
    told = words;
  };
  const catchUp = async (): Promise<void> => {
    while (!isUpToDate && !isClosed) {
      await pause();
      if (isClosed) return;
      await migrate(database).then(() => {
        isUpToDate = true;
      }, tellOnce);
    }
  };
  const caughtUp = catchUp();
  return {
    ...database,
    access: heldBack(database.access, () => isUpToDate),
    ready: async () => {
      await database.ready();
      if (!isUpToDate) throw notYet();
    },
    close: async () => {
      isClosed = true;
      wake();
      await caughtUp;
      await database.close();
    },
  };
};
