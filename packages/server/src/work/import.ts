import { type ImportFromHost, importFromHost } from '@shipworthy/domain';
import type { Log } from '../observability/log.js';
import { type Loop, startLoop } from './loop.js';

/** A turn ends within its lease, so that a service that closes need not wait longer than its manager does. */
const TURN: ImportFromHost = { leaseMs: 17_000, pageMs: 10_000 };
const EVERY_MS = 1000;

/** Imports from the repository host what is due. Safe on many instances: each connection is claimed. */
export const startImport = (
  ports: Parameters<typeof importFromHost>[0],
  log: Log,
  everyMs: number = EVERY_MS,
): Loop => {
  const turn = importFromHost(ports);
  return startLoop({ name: 'import', everyMs, run: () => turn(TURN), log });
};
