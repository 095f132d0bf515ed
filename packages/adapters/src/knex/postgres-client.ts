import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import type { Knex } from 'knex';
import { ConnectionLost, codeOf } from './failure.js';
import { freeConnection, type Pool } from './free-connection.js';
import { PatientClient, SilentServer } from './postgres-driver.js';
import { probeOf } from './postgres-probe.js';
import type { PostgresSettings } from './postgres-settings.js';
import { SilenceWatch } from './silence.js';
import { checkBindings } from './well-formed.js';

const PostgresClient: typeof Knex.Client = createRequire(import.meta.url)('knex/lib/dialects/postgres/index.js');

/** What is used of the driver's connection. */
export interface Connection {
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

const isAlive = (connection: Connection): boolean => connection._queryable && !connection._ending;

/** Gives up connections whose server has fallen silent, and makes none while it cannot be reached. */
export class ServiceClient extends PostgresClient {
  readonly #watch = new SilenceWatch(probeOf(this.#settings()));
  readonly #madeAt = new WeakMap<Connection, number>();

  override async acquireRawConnection(): Promise<unknown> {
    if (this.#watch.isLost) {
      // Not within the same turn: who tries again at once would keep the server from being found.
      await setImmediate();
      throw new ConnectionLost('the server cannot be reached');
    }
    const begunAt = performance.now();
    const made = new PatientClient(this.#settings());
    // What breaks later is told by the state of the connection.
    made.on('error', () => {});
    try {
      await made.reach();
      this.#madeAt.set(made as unknown as Connection, performance.now());
      return made;
    } catch (error) {
      if (error instanceof SilentServer) this.#watch.suspect(begunAt);
      const told = codeOf(error) !== undefined || error instanceof AggregateError;
      throw told ? error : new ConnectionLost(String(error));
    }
  }

  override acquireConnection(): Promise<Connection> {
    return freeConnection(this.pool as Pool<Connection> | undefined, this.#settings().waitMs);
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

  #settings(): PostgresSettings {
    return this.config.connection as PostgresSettings;
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
