import { setTimeout as pause } from 'node:timers/promises';
import type { FaultProxy } from '../proxy/fault-proxy.js';
import type { Weather } from '../proxy/weather.js';

const CLEAR: Weather = { kind: 'clear' };
/** A request of the load has some 450 bytes, its answer some 900. */
const REQUEST_BYTES = 500;
const ANSWER_BYTES = 1_000;

const below = (most: number): number => Math.floor(Math.random() * most);

/** Bad weather of one sort, which changes within its sort and lets something through now and then. */
export interface Storm {
  readonly name: string;
  /** What the weather is for a moment; null: everything that is open is reset. */
  next(): Weather | null;
}

const breaking = (direction: 'up' | 'down', bytes: number): Weather => ({
  kind: 'break after',
  direction,
  bytes: below(bytes),
  by: below(2) === 0 ? 'cut' : 'reset',
});
const orClear = (weather: Weather): Weather => (below(4) === 0 ? CLEAR : weather);

const latency: Storm = { name: 'latency of 5 to 250 ms', next: () => ({ kind: 'latency', ms: 5 + below(246) }) };
const slow: Storm = {
  name: 'slow readers and writers (1 to 8 kB/s)',
  next: () => orClear({ kind: 'slow', bytesPerSecond: 1_000 + below(7_001) }),
};
const inRequest: Storm = {
  name: 'broken in the middle of requests',
  next: () => orClear(breaking('up', REQUEST_BYTES)),
};
const inAnswer: Storm = {
  name: 'broken in the middle of answers',
  next: () => orClear(breaking('down', ANSWER_BYTES)),
};
const resets: Storm = { name: 'reset at any moment', next: () => (below(2) === 0 ? null : CLEAR) };
const blackHole: Storm = {
  name: 'everything swallowed for moments',
  next: () => (below(2) === 0 ? { kind: 'black hole' } : CLEAR),
};

export const STORMS: readonly Storm[] = [latency, slow, inRequest, inAnswer, resets, blackHole];

/** Lets a storm rage for a while; afterwards the weather is clear. */
export const rage = async (proxy: FaultProxy, storm: Storm, lastsMs: number): Promise<void> => {
  const end = performance.now() + lastsMs;
  while (performance.now() < end) {
    const weather = storm.next();
    if (weather === null) proxy.breakAll('reset');
    else proxy.setWeather(weather);
    await pause(30 + below(120));
  }
  proxy.setWeather(CLEAR);
};
