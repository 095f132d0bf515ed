import { DomainError } from '@shipworthy/domain';

/** How items are gathered. */
export interface GroupCommitOptions {
  /** Most items in one batch. */
  readonly maxItems?: number;
  /** Batches under way at once. With more than one, batches may end in another order than they began. */
  readonly lanes?: number;
  /** Most items that may wait; whoever comes then is refused with DomainError `unavailable`. */
  readonly maxWaiting?: number;
}

/** One item at a time in, one batch at a time out. */
export interface GroupCommit<Item, Result> {
  /** Answers the item's own result once its batch is done; rejects with what the batch threw. */
  submit(item: Item): Promise<Result>;
  /** Resolves when nothing waits and nothing is under way. */
  drain(): Promise<void>;
}

/** An item with the two ends of its promise. */
interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Whoever waits behind a batch that took longer than this to find out that nothing is to be had is not kept waiting further, in milliseconds. */
const STALLED = 1000;

const isStalled = (error: unknown, began: number): boolean =>
  error instanceof DomainError && error.code === 'unavailable' && performance.now() - began > STALLED;

const wholeNumber = (name: string, value: number): number => {
  if (!Number.isInteger(value) || value < 1) throw new RangeError(`${name} must be a whole number from 1`);
  return value;
};

/**
 * Turns a function on many items into one on a single item: what arrives while a batch is under way waits and goes into
 * the next one, so the more there is to do the larger the batches are. Items keep their order of arrival.
 * The results of a batch come in the order of its items, as many as there were. When a batch fails as `unavailable` after
 * a long wait, so does what waits behind it.
 */
export const groupCommit = <Item, Result>(
  batch: (items: readonly Item[]) => Promise<readonly Result[]>,
  options: GroupCommitOptions = {},
): GroupCommit<Item, Result> => {
  const maxItems = wholeNumber('maxItems', options.maxItems ?? 500);
  const lanes = wholeNumber('lanes', options.lanes ?? 1);
  const maxWaiting = wholeNumber('maxWaiting', options.maxWaiting ?? 10_000);
  let waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let scheduled = false;
  let drained: (() => void)[] = [];

  const answer = (taken: readonly Waiting<Item, Result>[], results: readonly Result[]): void => {
    if (results.length !== taken.length) {
      throw new Error(`a batch of ${taken.length} items answered ${results.length} results`);
    }
    for (let place = 0; place < taken.length; place += 1) taken[place]?.resolve(results[place] as Result);
  };

  const run = async (taken: readonly Waiting<Item, Result>[]): Promise<void> => {
    const began = performance.now();
    try {
      answer(taken, await batch(taken.map(({ item }) => item)));
    } catch (error) {
      for (const { reject } of taken) reject(error);
      if (isStalled(error, began)) for (const { reject } of waiting.splice(0)) reject(error);
    }
    underWay -= 1;
    startBatches();
  };

  const startBatches = (): void => {
    scheduled = false;
    while (waiting.length > 0 && underWay < lanes) {
      const taken = waiting.length <= maxItems ? waiting : waiting.slice(0, maxItems);
      waiting = taken === waiting ? [] : waiting.slice(maxItems);
      underWay += 1;
      void run(taken);
    }
    if (underWay === 0 && drained.length > 0) {
      for (const resolve of drained) resolve();
      drained = [];
    }
  };

  return {
    submit: (item) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= maxWaiting) {
          reject(new DomainError('unavailable', 'Too much is waiting to be stored; try again.'));
          return;
        }
        waiting.push({ item, resolve, reject });
        if (scheduled || underWay >= lanes) return;
        scheduled = true;
        // Not at once: what arrives in the same turn of the event loop shares the first batch.
        setImmediate(startBatches);
      }),
    drain: () =>
      new Promise((resolve) => {
        if (waiting.length === 0 && underWay === 0) resolve();
        else drained.push(resolve);
      }),
  };
};
