import library, { type Knex } from 'knex';
import pg from 'pg';
import { type CarryOut, type Connection, ServiceClient } from './postgres-client.js';
import { madeWithin, type PostgresOptions, postgresSettings } from './postgres-settings.js';

/** A connection of its own, beside the pool. */
export const postgresConnection = (options: PostgresOptions): pg.Client =>
  new pg.Client({ ...postgresSettings(options), query_timeout: options.statementMs });

/** A pool of connections that are replaced when they broke, were left inside a transaction or lead nowhere any more. */
export const postgresConnections = (options: PostgresOptions): Knex => {
  const pool: Knex = library.knex({
    client: ServiceClient,
    connection: postgresSettings(options),
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
