import type { Backlog, Ports } from '@shipworthy/domain';
import type { Log } from '../observability/log.js';
import { type Loop, startLoop } from './loop.js';

const EVERY_MS = 15_000;

/** Reads what waits to be sent now and then, so that whoever asks for the metrics waits for no database. */
export const startBacklog = (
  { stores }: Pick<Ports, 'stores'>,
  note: (backlog: Backlog) => void,
  log: Log,
  everyMs: number = EVERY_MS,
): Loop =>
  startLoop({
    name: 'backlog',
    everyMs,
    run: async () => {
      note(await stores.webhooks.backlog());
      return false;
    },
    log,
  });
