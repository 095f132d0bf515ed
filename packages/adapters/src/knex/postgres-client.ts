import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import library, { type Knex } from 'knex';
import pg from 'pg';
import { ConnectionLost, codeOf } from './failure.js';
import { CONNECTION_NAME, probeOf } from './postgres-probe.js';
import { ValueTypes } from './postgres-values.js';
import { SilenceWatch } from './silence.js';
import { checkBindings } from './well-formed.js';

const PostgresClient: typeof Knex.Client = createRequire(import.meta.url)('knex/lib/dialects/postgres/index.js');

/** What is used of the driver's connection. */
interface Connection {
  readonly connection: { readonly stream: { destroy(): void } };
  readonly _ending: boolean;
  readonly _queryable: boolean;
  /** Of the server's process. */
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

/** What took this share of the time it was given was not refused but left without an answer. */
const IN_TIME = 0.9;

const isAlive = (connection: Connection): boolean => connection._queryable && !connection._ending;

class ServiceClient extends PostgresClient {
  readonly #watch = new SilenceWatch(probeOf(this.#settings()));
  readonly #madeAt = new WeakMap<Connection, number>();

  override async acquireRawConnection(): Promise<unknown> {
    if (this.#watch.isLost) {
      // Not within the same turn: who tries again at once would keep the server from being found.
      await setImmediate();
      throw new ConnectionLost('the server cannot be reached');
    }
    const begunAt = performance.now();
    try {
      const connection: Connection = await super.acquireRawConnection();
      this.#madeAt.set(connection, performance.now());
      return connection;
    } catch (error) {
      const told = codeOf(error) !== undefined || error instanceof AggregateError;
      if (!told && performance.now() - begunAt > IN_TIME * this.#settings().connectionTimeoutMillis)
        this.#watch.suspect(begunAt);
      throw told ? error : new ConnectionLost(String(error));
    }
  }

  override query(connection: Connection, query: string | { readonly bindings?: unknown }): unknown {
    if (typeof query === 'object') checkBindings(query.bindings);
    return this.#watched(connection, super.query(connection, query));
  }

  /** A statement past the builder, which costs more than the statement itself. */
  async carryOut(connection: Connection, statement: Statement): Promise<readonly unknown[]> {
    checkBindings(statement.values);
    return (await this.#watched(connection, connection.query(statement))).rows;
  }

  /** Whether a connection of the pool may be given to the next. */
  isUsable(connection: Connection): boolean {
    return (
      isAlive(connection) &&
      connection.getTransactionStatus() === 'I' &&
      this.#watch.trusts(this.#madeAt.get(connection) ?? Number.NEGATIVE_INFINITY)
    );
  }

  override destroy(...given: readonly unknown[]): unknown {
    this.#watch.end();
    return Reflect.apply(super.destroy, this, given);
  }

  #settings(): Settings {
    return this.config.connection as Settings;
  }

  async #watched<Answer>(connection: Connection, answer: Promise<Answer>): Promise<Answer> {
    const giveUp = (): void => connection.connection.stream.destroy();
    try {
      return await this.#watch.watched(answer, connection.processID ?? 0, giveUp);
    } catch (error) {
      // The driver's own failures of a broken connection carry no code; the state of the connection tells them.
      throw codeOf(error) === undefined && !isAlive(connection) ? new ConnectionLost(String(error)) : error;
    }
  }
}

/** Carries out statements one after the other on one connection; they are sent without waiting for each other. */
export type CarryOut = (statement: Statement) => Promise<readonly unknown[]>;

/** Runs the work on a connection of the pool. What leaves a transaction open is not given to the next. */
export const onConnection = async <Result>(
  knex: Knex,
  work: (carryOut: CarryOut) => Promise<Result>,
): Promise<Result> => {
  const client: ServiceClient = knex.client;
  const connection: Connection = await client.acquireConnection();
  try {
    return await work((statement) => client.carryOut(connection, statement));
  } finally {
    await client.releaseConnection(connection);
  }
};

export interface PostgresOptions {
  readonly url: string;
  /** Most connections at a time. */
  readonly connections: number;
  /** Longest wait for a free connection, and for a new one to be made. */
  readonly waitMs: number;
  readonly statementMs: number;
}

/** Less than the wait for a connection, so that what went wrong is told rather than that the wait is over. */
const madeWithin = (waitMs: number): number => Math.ceil(waitMs * 0.75);

const settings = ({ url, waitMs, statementMs }: PostgresOptions) => ({
  connectionString: url,
  types: new ValueTypes(),
  application_name: CONNECTION_NAME,
  // Statements are sent at once; the server takes them in their order.
  pipeline: true,
  connectionTimeoutMillis: madeWithin(waitMs),
  statement_timeout: statementMs,
  idle_in_transaction_session_timeout: 2 * statementMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  options: '-c TimeZone=UTC -c DateStyle=ISO -c jit=off',
});

type Settings = ReturnType<typeof settings>;

/** A connection of its own, beside the pool. */
export const postgresConnection = (options: PostgresOptions): pg.Client =>
  new pg.Client({ ...settings(options), query_timeout: options.statementMs });

/** A pool of connections that are replaced when they broke, were left inside a transaction or lead nowhere any more. */
export const postgresConnections = (options: PostgresOptions): Knex => {
  const pool: Knex = library.knex({
    client: ServiceClient,
    connection: settings(options),
    compileSqlOnError: false,
    acquireConnectionTimeout: options.waitMs,
    pool: {
      min: 0,
      max: options.connections,
      // One that hangs while it is being set up would keep the pool from making another.
      createTimeoutMillis: madeWithin(options.waitMs),
      validate: (connection: Connection) => (pool.client as ServiceClient).isUsable(connection),
    },
    log: { warn: () => {}, error: () => {} },
  });
  return pool;
};
