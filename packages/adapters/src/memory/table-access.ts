import type { ReleaseEvent } from '@shipworthy/domain';
import { type LocalFeed, localFeed } from '../event-feed/local-feed.js';
import { atomically, draftTables, emptyTables, type Tables } from './tables.js';

/** How a store gets at the tables. The work is synchronous, so it sees one state of them. */
export interface TableAccess {
  read<Result>(work: (tables: Tables) => Result): Promise<Result>;
  /** What the work changed is there when it returns, and not at all when it throws. */
  change<Result>(work: (tables: Tables) => Result): Promise<Result>;
  /** Tells whoever listens when what is changed here is there for all; never when it is undone. */
  tell(events: readonly ReleaseEvent[]): Promise<void>;
}

/** The data behind a bundle of stores; bundles on the same data see each other's rows. */
export interface MemoryData {
  readonly tables: Tables;
  readonly feed: LocalFeed;
  /** Runs the work when everything that changes rows and came before is over. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Data without a row. */
export const memoryData = (): MemoryData => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    tables: emptyTables(),
    feed: localFeed(),
    inTurn: (work) => {
      const mine = last.then(work);
      last = mine.catch(() => undefined);
      return mine;
    },
  };
};

/** Outside a transaction: reads at once, changes one at a time. */
export const directAccess = (data: MemoryData): TableAccess => ({
  read: async (work) => work(data.tables),
  change: (work) => data.inTurn(async () => atomically(data.tables, work)),
  tell: (events) => data.inTurn(async () => data.feed.tell(events)),
});

/** Inside a transaction: everything on one draft, which is merged or dropped when it ends. */
export const transactionAccess = (data: MemoryData): { access: TableAccess; end(keep: boolean): void } => {
  const { tables, merge } = draftTables(data.tables);
  const told: ReleaseEvent[] = [];
  let over = false;
  const open = (): Tables => {
    if (over) throw new Error('The transaction is over; its stores are not to be used any more.');
    return tables;
  };
  return {
    access: {
      read: async (work) => work(open()),
      change: async (work) => atomically(open(), work),
      tell: async (events) => void told.push(...events),
    },
    end: (keep) => {
      over = true;
      if (!keep) return;
      merge();
      data.feed.tell(told);
    },
  };
};
