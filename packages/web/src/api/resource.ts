import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { type CallFault, callFaultOf } from './fault.js';

/** What is known of something on the server. A value stays while it is read again, and when that reading fails. */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  /** When it was read, in milliseconds since the epoch. */
  readonly readAt: number | undefined;
  readonly fault: CallFault | undefined;
  readonly reading: boolean;
}

/** A resource on a screen: what is known of it, and how to read it again. */
export interface Resource<Value> {
  readonly state: ReadonlySignal<Loaded<Value>>;
  readonly refresh: () => Promise<void>;
  /** Stores a value that the answer to a change already holds, so that nothing flickers until the next reading. */
  readonly put: (value: Value) => void;
}

interface Entry {
  readonly state: Signal<Loaded<unknown>>;
  read: (signal: AbortSignal) => Promise<unknown>;
  running: AbortController | undefined;
  /** Resolves once the last reading has ended, or was given up for a newer one. */
  ended: Promise<void>;
  /** How many parts of the screen show it. */
  numberOfViewers: number;
  /** Whether something changed since the running reading began, so that another one follows it. */
  isOutdated: boolean;
  isReadRegularly: boolean;
  /** Whether it was made before the last sign-out. */
  isForgotten: boolean;
}

/** How a resource is kept up to date. */
export interface ReadingOptions {
  /**
   * Whether the timer reads it again while it is shown; true unless given. false for what costs the server or the
   * repository host much: it is read again after events only.
   */
  readonly isReadRegularly?: boolean;
}

const KEPT = 200;
const entries = new Map<string, Entry>();
const EMPTY: Loaded<never> = { value: undefined, readAt: undefined, fault: undefined, reading: false };

const entryFor = (key: string, read: Entry['read']): Entry => {
  const found = entries.get(key);
  if (found !== undefined) {
    // Moves it to the end, so that the entries used longest ago are removed first.
    entries.delete(key);
    entries.set(key, found);
    return found;
  }
  for (const [old, { numberOfViewers }] of entries) {
    if (entries.size < KEPT) break;
    if (numberOfViewers === 0) entries.delete(old);
  }
  const made: Entry = {
    state: signal(EMPTY),
    read,
    running: undefined,
    ended: Promise.resolve(),
    numberOfViewers: 0,
    isOutdated: false,
    isReadRegularly: true,
    isForgotten: false,
  };
  entries.set(key, made);
  return made;
};

let onSignedOut = (): void => undefined;

/** Sets what happens when a reading finds that the session has ended. */
export const whenSignedOut = (act: () => void): void => {
  onSignedOut = act;
};

const readAgain = (entry: Entry): Promise<void> => {
  entry.running?.abort();
  const running = new AbortController();
  entry.running = running;
  entry.state.value = { ...entry.state.value, reading: true };
  entry.ended = readInto(entry, running);
  return entry.ended;
};

/**
 * Reads again after a change by others, or by the timer. A running reading ends first: where changes come faster than
 * answers, no answer would ever arrive otherwise.
 */
const readAfterRunning = (entry: Entry): void => {
  if (entry.state.peek().reading) entry.isOutdated = true;
  else void readAgain(entry);
};

const readInto = async (entry: Entry, running: AbortController): Promise<void> => {
  do {
    entry.isOutdated = false;
    try {
      const value = await entry.read(running.signal);
      if (running.signal.aborted) return;
      entry.state.value = { value, readAt: Date.now(), fault: undefined, reading: entry.isOutdated };
    } catch (error) {
      if (running.signal.aborted) return;
      const fault = callFaultOf(error);
      entry.state.value = { ...entry.state.value, fault, reading: entry.isOutdated };
      if (fault.signedOut && !entry.isForgotten) onSignedOut();
    }
  } while (entry.isOutdated && !running.signal.aborted);
};

/**
 * Reads a resource and keeps it under its key: coming back to a screen shows at once what was known, and reads it again.
 * The key names everything the reading depends on, ids first: `release/<id>/gate`.
 */
export const useResource = <Value>(
  key: string,
  read: (signal: AbortSignal) => Promise<Value>,
  { isReadRegularly = true }: ReadingOptions = {},
): Resource<Value> => {
  const entry = useMemo(() => entryFor(key, read), [key]);
  entry.read = read;
  entry.isReadRegularly = isReadRegularly;
  // Asks before the screen is painted; `useEffect` would ask a frame later.
  useLayoutEffect(() => {
    entry.numberOfViewers += 1;
    void readAgain(entry);
    return () => {
      entry.numberOfViewers -= 1;
    };
  }, [entry]);
  return useMemo(
    () => ({
      // Only this function writes under the key, with values of one type.
      state: entry.state as ReadonlySignal<Loaded<Value>>,
      refresh: () => readAgain(entry),
      put: (value) => {
        entry.running?.abort();
        entry.state.value = { value, readAt: Date.now(), fault: undefined, reading: false };
      },
    }),
    [entry],
  );
};

const shownUnder = (prefix: string): readonly Entry[] =>
  [...entries].filter(([key, entry]) => entry.numberOfViewers > 0 && key.startsWith(prefix)).map(([, entry]) => entry);

/** Reads again, after the person's own change, every resource on the screen whose key begins with the prefix. */
export const refreshShown = (prefix: string): void => {
  for (const entry of shownUnder(prefix)) void readAgain(entry);
};

/** Reads them again after a change by others; a running reading ends first. `''`: all of them. */
export const refreshAfterEvent = (prefix: string): void => {
  for (const entry of shownUnder(prefix)) readAfterRunning(entry);
};

/** Reads again what is on the screen, as the timer does: not what is only read after an event. */
export const refreshRegularly = (): void => {
  for (const entry of shownUnder('')) if (entry.isReadRegularly) readAfterRunning(entry);
};

/** How long `untilRead` waits at most, since one reading may follow another without end. */
const MOST_WAIT_MS = 5_000;

/** Waits until nothing on the screen is being read, for 5 seconds at most. */
export const untilRead = async (): Promise<void> => {
  const isLate = AbortSignal.timeout(MOST_WAIT_MS);
  const late = new Promise((resolve) => isLate.addEventListener('abort', resolve));
  while (!isLate.aborted) {
    const reading = [...entries.values()].filter(
      ({ numberOfViewers, state }) => numberOfViewers > 0 && state.peek().reading,
    );
    if (reading.length === 0) return;
    await Promise.race([late, Promise.all(reading.map(({ ended }) => ended))]);
  }
};

/** Reads again all resources on the screen that failed: one cause mostly makes several fail. */
export const retryFailed = (): void => {
  for (const entry of entries.values())
    if (entry.numberOfViewers > 0 && entry.state.value.fault !== undefined) void readAgain(entry);
};

addEventListener('online', retryFailed);

/** Forgets everything, as after signing out. A reading under way then ends without asking the next person to sign in again. */
export const forgetAll = (): void => {
  for (const entry of entries.values()) entry.isForgotten = true;
  entries.clear();
};
