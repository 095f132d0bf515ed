import type { Log } from './log.js';

const nothing = (): void => undefined;

/** A log that writes nothing: for those who embed the service and note what they want themselves. */
export const silentLog: Log = {
  level: 'silent',
  informs: false,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  line: nothing,
  flush: async () => undefined,
};
