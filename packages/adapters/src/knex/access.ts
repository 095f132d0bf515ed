import type { ReleaseEvent } from '@shipworthy/domain';
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
  /** Tells whoever listens once the outermost transaction is committed; never when it, or the part this is in, is undone. */
  tell(events: readonly ReleaseEvent[]): Promise<void>;
}

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
