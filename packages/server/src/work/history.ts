import { recordHistory } from '@shipworthy/domain';
import type { Log } from '../observability/log.js';
import { type Loop, startLoop } from './loop.js';

const PORTION = 100;
const LEASE_MS = 30_000;
const EVERY_MS = 1000;

/** Writes the trend of releases that changed, at most a second late. Safe on many instances: each release is claimed. */
export const startHistory = (
  ports: Parameters<typeof recordHistory>[0],
  log: Log,
  everyMs: number = EVERY_MS,
): Loop => {
  const record = recordHistory(ports);
  return startLoop({
    name: 'history',
    everyMs,
    run: async () => (await record({ limit: PORTION, leaseMs: LEASE_MS })) === PORTION,
    log,
  });
};
