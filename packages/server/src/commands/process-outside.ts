import { homedir } from 'node:os';
import type { CreateRoutes } from '../composition/options.js';
import type { Environment } from '../settings/reader.js';
import type { Outside } from './outside.js';
import { textWriter } from './write-text.js';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** The process ends by then, whatever is still in hand. */
const END_LIMIT_MS = 19_000;
const STANDARD_ERROR = 2;

const endAtOnce = (signal: NodeJS.Signals): never => process.exit(signal === 'SIGINT' ? 130 : 143);

/** The first signal is answered; the second one, or taking too long, ends the process at once. */
const askedToEnd = (): Promise<string> =>
  new Promise((resolve) => {
    let first = true;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (!first) endAtOnce(signal);
        first = false;
        setTimeout(() => process.exit(1), END_LIMIT_MS).unref();
        resolve(signal);
      });
      // Last: a signal that came in while there was no listener for a moment would be lost.
      process.off(signal, endAtOnce);
    }
  });

/** The process itself as what a command touches outside. */
export const processOutside = (environment: Environment, createRoutes: CreateRoutes): Outside => {
  // The first process of a container is ended by no signal it does not listen to, while it waits for its database neither.
  for (const signal of SIGNALS) process.on(signal, endAtOnce);
  return {
    environment,
    workingDirectory: process.cwd(),
    homeDirectory: homedir(),
    print: (text) => void process.stdout.write(`${text}\n`),
    complain: (text) => void process.stderr.write(`${text}\n`),
    writeLog: textWriter(STANDARD_ERROR),
    asked: askedToEnd,
    createRoutes,
  };
};
