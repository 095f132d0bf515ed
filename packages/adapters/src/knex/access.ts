import type { Knex } from 'knex';
import type { Dialect, Value } from './dialect.js';
import { isRefusal, translated } from './failure.js';

/** The way to the data: outside any transaction, or inside one. */
export interface Access {
  readonly dialect: Dialect;
  readonly inTransaction: boolean;
  /** Rows of a reading statement. A name lets the database keep its plan: only for texts that never change. */
  read<Row>(sql: string, bindings?: readonly Value[], name?: string): Promise<readonly Row[]>;
  /** Carries out a writing statement and answers the rows it returns. */
  write<Row = unknown>(sql: string, bindings?: readonly Value[], name?: string): Promise<readonly Row[]>;
  /**
   * All of the work or nothing: in a transaction of its own, or as a part of the running one that can be undone by itself.
   * An error inside must not be caught inside.
   */
  atomically<Result>(work: (inside: Access) => Promise<Result>): Promise<Result>;
}

export interface Connections {
  readonly dialect: Dialect;
  readonly writer: Knex;
  readonly readers: Knex;
}

const rowsOf = async <Row>(
  connection: Knex,
  sql: string,
  bindings: readonly Value[],
  name: string | undefined,
): Promise<readonly Row[]> => {
  const statement = connection.raw(sql, bindings);
  const answer: readonly Row[] | { readonly rows: readonly Row[] } = await (name === undefined
    ? statement
    : statement.options({ name }));
  return 'rows' in answer ? answer.rows : answer;
};

/** Runs the work in a transaction; an error of the work undoes it, and a broken transaction is never answered as success. */
const transaction = async <Result>(
  dialect: Dialect,
  knex: Knex,
  work: (inside: Access) => Promise<Result>,
): Promise<Result> =>
  knex.transaction(async (trx) => {
    const result = await work(inside(dialect, trx));
    // A transaction that PostgreSQL has given up fails here; its COMMIT would be answered like any other.
    await trx.raw('select 1');
    return result;
  });

const inside = (dialect: Dialect, trx: Knex): Access => ({
  dialect,
  inTransaction: true,
  read: (sql, bindings = [], name) => rowsOf(trx, sql, bindings, name),
  write: (sql, bindings = [], name) => rowsOf(trx, sql, bindings, name),
  atomically: (work) => transaction(dialect, trx, work),
});

/** Access outside any transaction. */
export const accessTo = ({ dialect, writer, readers }: Connections): Access => ({
  dialect,
  inTransaction: false,
  read: (sql, bindings = [], name) => rowsOf(readers, sql, bindings, name),
  write: (sql, bindings = [], name) => rowsOf(writer, sql, bindings, name),
  atomically: (work) => transaction(dialect, writer, work),
});

/** What went wrong inside a transaction that was no refusal: such a transaction must not be committed. */
export interface Failures {
  first: unknown;
}

/** The store with failures of the database turned into what they mean; inside a transaction the first is kept. */
export const translating = <Store extends object>(store: Store, failures?: Failures): Store =>
  new Proxy(store, {
    get: (target, key) => {
      const method: unknown = Reflect.get(target, key);
      if (typeof method !== 'function') return method;
      return async (...given: readonly unknown[]): Promise<unknown> => {
        try {
          return await Reflect.apply(method, target, given);
        } catch (error) {
          const meaning = translated(error);
          if (failures !== undefined && !isRefusal(meaning)) failures.first ??= meaning;
          throw meaning;
        }
      };
    },
  });
