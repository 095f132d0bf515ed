import { atomically, draftTables, emptyTables, type Tables } from './tables.js';

/** How a store gets at the tables. The work is synchronous, so it sees one state of them. */
export interface TableAccess {
  read<Result>(work: (tables: Tables) => Result): Promise<Result>;
  /** What the work changed is there when it returns, and not at all when it throws. */
  change<Result>(work: (tables: Tables) => Result): Promise<Result>;
}

/** The data behind a bundle of stores; bundles on the same data see each other's rows. */
export interface MemoryData {
  readonly tables: Tables;
  /** Runs the work when everything that changes rows and came before is over. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Data without a row. */
export const memoryData = (): MemoryData => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    tables: emptyTables(),
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
});

/** Inside a transaction: everything on one draft, which is merged or dropped when it ends. */
export const transactionAccess = (data: MemoryData): { access: TableAccess; end(keep: boolean): void } => {
  const { tables, merge } = draftTables(data.tables);
  let over = false;
  const open = (): Tables => {
    if (over) throw new Error('The transaction is over; its stores are not to be used any more.');
    return tables;
  };
  return {
    access: {
      read: async (work) => work(open()),
      change: async (work) => atomically(open(), work),
    },
    end: (keep) => {
      over = true;
      if (keep) merge();
    },
  };
};
