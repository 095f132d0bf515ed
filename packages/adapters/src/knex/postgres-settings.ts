import { CONNECTION_NAME } from './postgres-probe.js';
import { ValueTypes } from './postgres-values.js';

export interface PostgresOptions {
  readonly url: string;
  /** Most connections at a time. */
  readonly connections: number;
  /** Longest wait for a free connection, and for a new one to be made, in milliseconds of run time. */
  readonly waitMs: number;
  /** Longest time the server spends on a statement, in milliseconds of its own clock. */
  readonly statementMs: number;
}

/** What the driver is told of every connection. */
export const postgresSettings = ({ url, waitMs, statementMs }: PostgresOptions) => ({
  connectionString: url,
  types: new ValueTypes(),
  application_name: CONNECTION_NAME,
  // Statements are sent at once; the server takes them in their order.
  pipeline: true,
  // Less than the wait for a connection, so that what went wrong is told rather than that the wait is over.
  connectMs: Math.ceil(waitMs * 0.75),
  waitMs,
  statement_timeout: statementMs,
  idle_in_transaction_session_timeout: 2 * statementMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  options: '-c TimeZone=UTC -c DateStyle=ISO -c jit=off',
});

export type PostgresSettings = ReturnType<typeof postgresSettings>;
