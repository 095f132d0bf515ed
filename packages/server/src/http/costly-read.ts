import type { Stores } from '@shipworthy/domain';
import type { Ports, Slices } from '@shipworthy/domain/ports';
import { Problem } from './problem.js';

/** How long a slice may hold the thread, in milliseconds, before others get their turn. */
export const SLICE_MS = 20;
/** Processor time that one request may take in all its slices, in milliseconds. Time in the database does not count. */
export const MOST_WORK_MS = 10_000;

interface SlicesOptions {
  /** Ends the work between two slices with its reason. */
  readonly signal: AbortSignal;
  /** The monotonic clock of the process, in milliseconds. */
  readonly monotonic: () => number;
  /** Lets the event loop turn; `turnOfLoop` unless given. */
  readonly turn?: () => Promise<void>;
}

const waiting: (() => void)[] = [];

const letNextGoOn = (): void => {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(letNextGoOn);
};

/**
 * Waits for a turn of the event loop. Each turn lets only one of all waiters go on: slices of many requests in one turn
 * would hold the thread as one long slice does.
 */
export const turnOfLoop = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(letNextGoOn);
  });

/**
 * Creates the slices of one request and sums up their work. @throws Problem `unavailable` beyond 10 s of work, the
 * reason of the signal
 */
export const createSlices = ({ signal, monotonic, turn = turnOfLoop }: SlicesOptions): Slices => {
  let worked = 0;
  /** Work since others last had their turn, in milliseconds: many short lists hold the thread as one long list does. */
  let held = 0;
  const count = (milliseconds: number): void => {
    worked += milliseconds;
    held += milliseconds;
    signal.throwIfAborted();
    if (worked > MOST_WORK_MS) throw new Problem('unavailable', 'The answer takes too much work: ask for less.');
  };
  return {
    async map<Item, Result>(items: readonly Item[], work: (item: Item, place: number) => Result) {
      const results: Result[] = [];
      let began = monotonic();
      for (const [place, item] of items.entries()) {
        results.push(work(item, place));
        if (held + monotonic() - began < SLICE_MS) continue;
        count(monotonic() - began);
        await turn();
        signal.throwIfAborted();
        held = 0;
        began = monotonic();
      }
      count(monotonic() - began);
      return results;
    },
  };
};

/** Runs a call to a store, or refuses it. */
type RunCall = <Result>(ask: () => Promise<Result>) => Promise<Result>;

const storeThrough = <Store extends object>(store: Store, runCall: RunCall): Store =>
  new Proxy(store, {
    get: (target, key) => {
      const method: unknown = Reflect.get(target, key);
      if (typeof method !== 'function') return method;
      return (...given: readonly unknown[]) => runCall(async () => Reflect.apply(method, target, given));
    },
  });

/** Returns the stores with each call to them run by `runCall`; a transaction is one call. */
export const storesThrough = (stores: Stores, runCall: RunCall): Stores =>
  new Proxy(stores, {
    get: (target, name) => {
      const store: unknown = Reflect.get(target, name);
      if (name === 'transaction')
        return (...given: Parameters<Stores['transaction']>) => runCall(() => target.transaction(...given));
      return typeof store === 'object' && store !== null ? storeThrough(store, runCall) : store;
    },
  });

/** The ports of a costly read: once the signal has fired, they start no slice of work and no query. */
export const costlyPorts = (ports: Ports, options: SlicesOptions): Ports => ({
  ...ports,
  slices: createSlices(options),
  stores: storesThrough(ports.stores, async (ask) => {
    options.signal.throwIfAborted();
    return ask();
  }),
});
