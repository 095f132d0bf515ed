import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { ExitCode } from './exit-code.js';
import type { CommandSession } from './session.js';

/**
 * Turns what a command does into what the parser calls: `act(async (session, ...arguments, options) => exit code)`.
 * The parser's own last argument, the command, says which one it is.
 */
export type Act = <All extends unknown[]>(
  perform: (session: CommandSession, ...all: All) => Promise<ExitCode>,
) => (...all: All) => Promise<void>;

/** One command, ready to be added to the program. */
export type MakeCommand = (act: Act) => CommandUnknownOpts;
