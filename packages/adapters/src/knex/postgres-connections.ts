import library, { type Knex } from 'knex';
import { NO_LIMIT_MS } from './free-connection.js';
import { type CarryOut, type Connection, ServiceClient } from './postgres-client.js';
import { PatientClient } from './postgres-driver.js';
import { type PostgresOptions, postgresSettings } from './postgres-settings.js';

/** A connection of its own, beside the pool. */
export const postgresConnection = (options: PostgresOptions): PatientClient =>
  new PatientClient({ ...postgresSettings(options), answerMs: options.statementMs });

/** A pool of connections that are replaced when they broke, were left inside a transaction or lead nowhere any more. */
export const postgresConnections = (options: PostgresOptions): Knex => {
  const pool: Knex = library.knex({
    client: ServiceClient,
    connection: postgresSettings(options),
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
