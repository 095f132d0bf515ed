import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { type Connection, connect, type DryRunEnd, unsentRequestText, warningOfExpiry } from './connection.js';
import { EXIT, type ExitCode, Failure } from './failure.js';
import { createScreen, type Screen } from './output/screen.js';
import { type CommandSettings, readSettings } from './settings.js';
import type { InterruptSignal, World } from './world.js';

/** The options of every command. */
export interface GlobalOptions {
  readonly apiUrl?: string | undefined;
  readonly app?: string | undefined;
  readonly json?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  /** Seconds for one call, its repetitions included. */
  readonly timeout: number;
  readonly color: boolean;
}

/** One invocation of a command. */
export interface CommandSession {
  readonly world: World;
  readonly screen: Screen;
  readonly globals: GlobalOptions;
  /** Read once; warnings are shown then. Failure (exit 2) for a settings file that cannot be understood. */
  readonly settings: () => Promise<CommandSettings>;
  /** Failure (exit 2, 4) without an address or a key. */
  readonly connect: () => Promise<Connection>;
  /** Takes interrupts over from the default, which ends the command at once; answers how to give them back. */
  readonly takeInterrupts: (listener: (signal: InterruptSignal) => void) => () => void;
  /** Rejects when the command is to end now: interrupted (exit 130, 143), or a dry run has shown its request. */
  readonly ended: Promise<never>;
  /** The exit code of a dry run after it has shown its request: as far as known, that of the real run. */
  dryRunExit: ExitCode;
  readonly close: () => void;
}

const SIGNAL_EXITS: Readonly<Record<InterruptSignal, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** The failure an interrupt ends a command with: exit 128 and the signal's number. */
export const interruption = (signal: InterruptSignal): Failure =>
  new Failure(SIGNAL_EXITS[signal], `Interrupted by ${signal}.`, { code: 'interrupted' });

const openEnd = () => {
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<never>((_, rejecting) => {
    reject = rejecting;
  });
  // Often nothing waits for this promise: its rejection must not count as unhandled.
  promise.catch(() => undefined);
  return { promise, reject };
};

/** Rejects when the command is about to end: work that is still running after an interrupt must not begin anything new. */
export const requireNotEnded = ({ ended }: Pick<CommandSession, 'ended'>): Promise<void> =>
  Promise.race([ended, Promise.resolve()]);

export const openCommandSession = (world: World, command: string, globals: GlobalOptions): CommandSession => {
  const screen = createScreen(world, { json: globals.json ?? false, command, color: globals.color });
  const end = openEnd();
  let listener = (signal: InterruptSignal): void => end.reject(interruption(signal));
  const byDefault = listener;
  const stopListening = world.onInterrupt((signal) => listener(signal));

  let reading: Promise<CommandSettings> | undefined;
  const settings = (): Promise<CommandSettings> => {
    reading ??= readSettings(world, globals).then((found) => {
      screen.hide(found.apiKey?.value ?? '');
      for (const line of found.warnings) screen.warn(line);
      return found;
    });
    return reading;
  };
  const watched = warningOfExpiry(world, screen);
  const dryRun = globals.dryRun ? (shown: DryRunEnd) => end.reject(shown) : undefined;
  return {
    world,
    screen,
    globals,
    settings,
    connect: async () => connect(watched, screen, await settings(), { timeoutMs: globals.timeout * 1000, dryRun }),
    takeInterrupts: (taker) => {
      listener = taker;
      return () => {
        listener = byDefault;
      };
    },
    ended: end.promise,
    dryRunExit: EXIT.done,
    close: stopListening,
  };
};

/** Always rejects: with the request that the dry run has shown, else with the failure that came before one. */
export const endOfDryRun = ({ ended }: Pick<CommandSession, 'ended'>, failure: unknown): Promise<never> =>
  Promise.race([ended, Promise.reject(failure)]);

/** Shows what a dry run would have sent. */
export const showUnsent = ({ screen }: CommandSession, { request }: DryRunEnd): void => {
  screen.say('Dry run: this request was not sent.');
  screen.answer(unsentRequestText(request), { dry_run: true, request });
};

/**
 * Turns what a command does into what the parser calls: `act(async (session, ...arguments, options) => exit code)`.
 * The parser's own last argument, the command, says which one it is.
 */
export type Act = <All extends unknown[]>(
  perform: (session: CommandSession, ...all: All) => Promise<ExitCode>,
) => (...all: All) => Promise<void>;

/** One command, ready to be added to the program. */
export type MakeCommand = (act: Act) => CommandUnknownOpts;
