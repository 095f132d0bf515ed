import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import type { Knex } from 'knex';
import library from 'knex';
import { type RunTime, runTime } from '../../clock/run-time.js';
import { checkBindings } from '../dialect.js';
import { ConnectionLost, codeOf } from '../errors.js';
import { CONNECTION_NAME, probeOf, SilenceWatch } from './outage-watch.js';
import { addressOf, PatientClient, postgresDriver, type Reached, reachServer, Unreached } from './reach.js';

/** The methods of a pool of connections that are used. */
export interface Pool<Connection> {
  acquire(): { readonly promise: Promise<Connection>; abort(): void };
  release(connection: Connection): unknown;
}

/** Disables the pool's own limits, which count clock time: those in run time must come first. */
export const NO_LIMIT_MS = 2 ** 31 - 1;

/** Returns a connection of the pool. Throws ConnectionLost after so many milliseconds of run time in which none was free. */
export const freeConnection = async <Connection>(
  pool: Pool<Connection> | undefined,
  waitMs: number,
  { within }: RunTime = runTime,
): Promise<Connection> => {
  if (pool === undefined) throw new Error('the pool was closed');
  const asked = pool.acquire();
  return within(waitMs, asked.promise, () => {
    asked.abort();
    // The pool may have given a connection in the same turn of the event loop: that one goes back.
    asked.promise.then(
      (connection) => pool.release(connection),
      () => {},
    );
    throw new ConnectionLost(`no connection was free for ${waitMs} ms`);
  });
};

const PostgresClient: typeof Knex.Client = createRequire(import.meta.url)('knex/lib/dialects/postgres/index.js');

/** The members of the driver's connection that are used. */
interface Connection {
  readonly connection: { readonly stream: { destroy(): void } };
  readonly _ending: boolean;
  readonly _queryable: boolean;
  /** The process id of the server's backend. */
  readonly processID: number | null;
  getTransactionStatus(): string | null;
  query(statement: Statement): Promise<{ readonly rows: readonly unknown[] }>;
}

/** A statement as the driver takes it; one with a name is planned once per connection. */
export interface Statement {
  readonly text: string;
  readonly name?: string | undefined;
  readonly values?: readonly unknown[];
}

const isAlive = (connection: Connection): boolean => connection._queryable && !connection._ending;

/** Is told whether a database can be reached. */
export interface ReachabilityListener {
  /** No server can be used; the cause says of each its address and why. Called once until the cause changes. */
  lost(cause: string): void;
  /** The first connection was made, or the first after `lost`. */
  reached(server: ReachedServer): void;
  /** After `reached`: another server of the address cannot be used, and why. */
  passedOver(server: string, cause: string): void;
}

/** A server that is used. */
export interface ReachedServer {
  /** Host and port. */
  readonly place: string;
  /** Whether the connection leads through a pooler. */
  readonly isPooled: boolean;
  /** Whether it coordinates a cluster of Citus. */
  readonly isCluster: boolean;
}

/** The error codes of a server that no longer takes changes: it was the primary until now, or is about to stop. */
const NO_LONGER_PRIMARY: ReadonlySet<string | undefined> = new Set(['25006', '57P01', '57P02', '57P03']);

/** Gives up connections whose server has fallen silent, and makes none while it cannot be reached. */
class ServiceClient extends PostgresClient {
  readonly #watch = new SilenceWatch(probeOf(this.#settings()));
  readonly #made = new WeakMap<Connection, { readonly at: number; readonly link: Link }>();
  /** Whether the database belonged to a cluster of Citus when it was last reached; null: it never was. */
  isCluster: boolean | null = null;
  /** Why no server can be used; null: one can, undefined: none was asked yet. */
  #lostBy: string | null | undefined;

  override async acquireRawConnection(): Promise<unknown> {
    if (this.#watch.isLost) {
      // Waits for the next turn of the event loop: an immediate retry would block the check that finds the server again.
      await setImmediate();
      throw new ConnectionLost(this.#lostBy ?? 'the server fell silent');
    }
    const begunAt = performance.now();
    const settings = this.#settings();
    try {
      const reached = await reachServer(
        settings.address,
        (url) => new PatientClient({ ...settings.driver, session: settings.session, connectionString: url }),
      );
      const { client } = reached;
      const connection = client as unknown as Connection;
      this.#made.set(connection, { at: performance.now(), link: this.#linkOn(connection, reached) });
      this.#noteReached(reached);
      return client;
    } catch (error) {
      if (error instanceof Unreached && error.isSilence) this.#watch.suspect(begunAt);
      this.#noteLost(error instanceof Error ? error.message : String(error));
      throw error instanceof Unreached || codeOf(error) !== undefined ? error : new ConnectionLost(String(error));
    }
  }

  override acquireConnection(): Promise<Connection> {
    return freeConnection(this.pool as Pool<Connection> | undefined, this.#settings().waitMs);
  }

  override query(connection: Connection, query: string | { readonly bindings?: unknown }): unknown {
    if (typeof query === 'object') checkBindings(query.bindings);
    return this.#watched(connection, super.query(connection, query));
  }

  /** Runs a statement without knex's builder, which takes longer than the statement itself. */
  async carryOut(connection: Connection, statement: Statement): Promise<readonly unknown[]> {
    checkBindings(statement.values);
    return (await this.#watched(connection, connection.query(statement))).rows;
  }

  /** Returns how transactions begin and statements are sent on a connection of the pool. */
  linkOf(connection: Connection): Link {
    return this.#made.get(connection)?.link ?? this.#linkOn(connection, { isPooled: true, isCluster: false });
  }

  #linkOn(connection: Connection, { isPooled, isCluster }: Pick<Link, 'isPooled' | 'isCluster'>): Link {
    if (!isPooled)
      return { isPooled, isCluster, begin: 'begin', carryOut: (statement) => this.carryOut(connection, statement) };
    const session = Object.entries(this.#settings().session);
    const settings = session.map(([name, value]) => `; set local ${name} = '${value}'`);
    return {
      isPooled,
      isCluster,
      begin: `begin${settings.join('')}`,
      // Drops the name: a named statement is planned in one server process, and the next transaction may get another.
      carryOut: ({ text, values = [] }) => this.carryOut(connection, { text, values }),
    };
  }

  /** Whether a connection of the pool can be used again. */
  isUsable(connection: Connection): boolean {
    return (
      isAlive(connection) &&
      connection.getTransactionStatus() === 'I' &&
      this.#watch.trusts(this.#made.get(connection)?.at ?? Number.NEGATIVE_INFINITY)
    );
  }

  override destroy(...given: readonly unknown[]): unknown {
    this.#watch.end();
    return Reflect.apply(super.destroy, this, given);
  }

  #settings(): PostgresSettings {
    return this.config.connection as PostgresSettings;
  }

  #noteReached(reached: Reached): void {
    this.isCluster = reached.isCluster;
    const { listener } = this.#settings();
    if (this.#lostBy !== null && listener !== undefined) {
      listener.reached(reached);
      void reached.unfit.then((failures) => {
        for (const { place, words } of failures) listener.passedOver(place, words);
      });
    }
    this.#lostBy = null;
  }

  #noteLost(cause: string): void {
    if (this.#lostBy !== cause) this.#settings().listener?.lost(cause);
    this.#lostBy = cause;
  }

  async #watched<Answer>(connection: Connection, answer: Promise<Answer>): Promise<Answer> {
    const giveUp = (): void => connection.connection.stream.destroy();
    try {
      return await this.#watch.watched(answer, connection.processID ?? 0, giveUp);
    } catch (error) {
      const code = codeOf(error);
      // The other connections lead to the same server.
      if (NO_LONGER_PRIMARY.has(code)) this.#watch.distrust();
      // The driver's own failures of a broken connection carry no code; the state of the connection tells them.
      throw code === undefined && !isAlive(connection) ? new ConnectionLost(String(error)) : error;
    }
  }
}

/** Carries out statements one after the other on one connection; they are sent without waiting for each other. */
export type CarryOut = (statement: Statement) => Promise<readonly unknown[]>;

/** A connection while one piece of work has it. */
export interface Link {
  /** Whether it leads through a pooler: then only the statements of one transaction run in the same server process. */
  readonly isPooled: boolean;
  /** Whether the database belongs to a cluster of Citus. */
  readonly isCluster: boolean;
  /** Begins a transaction; through a pooler also applies the settings, which such a connection does not keep. */
  readonly begin: string;
  readonly carryOut: CarryOut;
}

/** A moment as PostgreSQL writes it: `2026-11-21 03:31:00.123456+00`; the offset may have minutes and seconds. */
const MOMENT = /^(\d+)-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d+))?([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/;

/** Milliseconds since 1970 of a `timestamptz`, for any zones of server, session and process. */
export const momentOfTimestamp = (text: string): number => {
  const parts = MOMENT.exec(text);
  if (parts === null) throw new RangeError(`not a moment of the years 1 to 9999: ${text}`);
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [offsetHours = 0, offsetMinutes = 0, offsetSeconds = 0] = parts.slice(9, 12).map((part) => Number(part ?? 0));
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  const offset = (offsetHours * 3600 + offsetMinutes * 60 + offsetSeconds) * (parts[8] === '-' ? -1 : 1);
  const seconds = hour * 3600 + minute * 60 + second - offset;
  return local.getTime() + seconds * 1000 + Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
};

/** How values are read on these connections only: the driver's own settings stay as they are. */
class ValueTypes {
  readonly #overrides = new (postgresDriver().TypeOverrides)();
  constructor() {
    const { builtins } = postgresDriver().types;
    this.#overrides.setTypeParser(builtins.TIMESTAMPTZ, momentOfTimestamp);
    this.#overrides.setTypeParser(builtins.INT8, Number);
    this.#overrides.setTypeParser(builtins.NUMERIC, Number);
    this.#overrides.setTypeParser(builtins.JSON, (text: string) => text);
    this.#overrides.setTypeParser(builtins.JSONB, (text: string) => text);
  }
  getTypeParser(oid: number, format?: string): unknown {
    return this.#overrides.getTypeParser(oid, format === 'binary' ? 'binary' : 'text');
  }
}

interface PostgresOptions {
  /** The address of one server or several, as `addressOf` reads it. */
  readonly url: string;
  /** Most connections at a time. */
  readonly connections: number;
  /** Longest wait for a free connection, and for a new one to be made, in milliseconds of run time. */
  readonly waitMs: number;
  /** Longest time the server spends on a statement, in milliseconds of the server's clock. */
  readonly statementMs: number;
  readonly listener?: ReachabilityListener | undefined;
  /**
   * Whether to connect for reads only: to a single server of any kind, or to a standby of several; otherwise to a server that
   * takes changes. `target_session_attrs` in the url overrides both.
   */
  readonly onlyReads?: boolean;
}

/** What the pool's connections need. DomainError `invalid` for a url that is no address. */
const settingsOf = ({ url, waitMs, statementMs, listener, onlyReads = false }: PostgresOptions) => {
  // Less than the wait for a connection, so that the caller learns the failure and not only that the wait is over.
  const connectMs = Math.ceil(waitMs * 0.75);
  return {
    // Of several replicas, a promoted one is skipped. A single one is connected to even when it was promoted, so that the
    // cause can be named.
    address: onlyReads ? addressOf(url, 'any', 'standby') : addressOf(url, 'read-write'),
    waitMs,
    connectMs,
    listener,
    /** The driver's options, but for the url. */
    driver: {
      types: new ValueTypes(),
      application_name: CONNECTION_NAME,
      // Statements are sent at once; the server takes them in their order.
      pipeline: true,
      connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    },
    /** Settings of the server: applied once to a direct connection, and in each transaction through a pooler. */
    session: {
      statement_timeout: statementMs,
      idle_in_transaction_session_timeout: 2 * statementMs,
      timezone: 'UTC',
      datestyle: 'ISO',
      jit: 'off',
    },
  };
};

type PostgresSettings = ReturnType<typeof settingsOf>;

/** Returns a function that makes a connection outside the pool; its answers may take `statementMs`. */
export const postgresConnection = (options: PostgresOptions): (() => Promise<Reached>) => {
  const { address, driver } = settingsOf(options);
  const answerMs = options.statementMs;
  return () => reachServer(address, (url) => new PatientClient({ ...driver, answerMs, connectionString: url }));
};

/** A pool that replaces connections that broke, were left inside a transaction or no longer reach the server. */
export const postgresConnections = (options: PostgresOptions): Knex => {
  const pool: Knex = library.knex({
    client: ServiceClient,
    connection: settingsOf(options) as Knex.StaticConnectionConfig,
    compileSqlOnError: false,
    acquireConnectionTimeout: NO_LIMIT_MS,
    pool: {
      min: 0,
      max: options.connections,
      createTimeoutMillis: NO_LIMIT_MS,
      validate: (connection: Connection) => (pool.client as ServiceClient).isUsable(connection),
    },
    log: { warn: () => {}, error: () => {} },
  });
  return pool;
};

/** Whether the pool's database belonged to a cluster of Citus when it was last reached; null: it never was. */
export const isOnCluster = (knex: Knex): boolean | null => (knex.client as ServiceClient).isCluster;

/** Runs the work on a connection of the pool. A connection with an open transaction is not used again. */
export const onConnection = async <Result>(knex: Knex, work: (link: Link) => Promise<Result>): Promise<Result> => {
  const client: ServiceClient = knex.client;
  const connection: Connection = await client.acquireConnection();
  try {
    return await work(client.linkOf(connection));
  } finally {
    await client.releaseConnection(connection);
  }
};
