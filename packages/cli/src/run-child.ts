import { constants } from 'node:os';
import spawn from 'cross-spawn';
import { reasonOf, usageFailure } from './failure.js';
import { harmless } from './output/safe-text.js';
import { withoutKey } from './run-program.js';
import type { CommandSession } from './session.js';
import { KEY_WITHHELD } from './settings.js';
import type { InterruptSignal } from './world.js';

/** How a child process ended. */
export interface ChildEnd {
  /** The exit code as a shell reports it: 128 plus the signal's number when killed, 127 not found, 126 not executable. */
  readonly exit: number;
  /** The signal that killed it. */
  readonly signal: NodeJS.Signals | null;
  /** The first interrupt that reached this command while the child ran. */
  readonly interruptedBy: InterruptSignal | null;
  /** False for a command that is not there or cannot be run. */
  readonly isStarted: boolean;
}

// One interrupt may arrive twice: from the terminal, and from a starter such as npx that hands it on.
const SAME_INTERRUPT_MS = 500;

/** The environment of the child, without our key unless `passKey`: tests and deploy scripts run foreign code that does not need it. */
const environmentFor = ({ env }: CommandSession['world'], passKey: boolean): Record<string, string | undefined> => {
  if (passKey) return { ...env };
  const rest = withoutKey(env);
  const isWithheld = Object.keys(rest).length < Object.keys(env).length;
  return { ...rest, ...(isWithheld && { [KEY_WITHHELD]: '1' }) };
};

const exitOf = (code: number | null, signal: NodeJS.Signals | null): number =>
  signal === null ? (code ?? 1) : 128 + (constants.signals[signal] ?? 0);

const exitOfNotStarted = (error: NodeJS.ErrnoException): number => (error.code === 'ENOENT' ? 127 : 126);

/**
 * Runs a command with this one's own input and output, and hands interrupts on to it until it ends; the second one
 * kills it. It gets the environment of this one, the API key only with `passKey`. Never rejects because of the child:
 * that a command cannot be started is said on stderr, and ends with 127 or 126.
 */
export const runChild = (
  { world, screen, takeInterrupts }: CommandSession,
  [command, ...words]: readonly [string, ...string[]],
  passKey = false,
): Promise<ChildEnd> =>
  new Promise((resolve, reject) => {
    if (command === '') return reject(usageFailure('The command to run is empty.'));
    let interruptedBy: InterruptSignal | null = null;
    let interruptedAt = 0;
    const child = spawn(command, words, { cwd: world.folder, env: environmentFor(world, passKey), stdio: 'inherit' });
    const giveBack = takeInterrupts((signal) => {
      if (interruptedBy === null) {
        interruptedBy = signal;
        interruptedAt = world.now();
        // A terminal sends its SIGINT to the whole foreground group: the child has it already.
        if (signal !== 'SIGINT' || world.stdin.isTTY !== true) child.kill(signal);
      } else if (world.now() - interruptedAt >= SAME_INTERRUPT_MS) {
        screen.say('A second interrupt: the command is killed.');
        child.kill('SIGKILL');
      }
    });
    const end = (exit: number, signal: NodeJS.Signals | null, isStarted = true) => {
      giveBack();
      resolve({ exit, signal, interruptedBy, isStarted });
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      // A signal that could not be sent is no end of the child. On Windows the interpreter that was started for a missing command
      // has a process id, too: cross-spawn reports the missing command by an error in place of an exit.
      if (error.syscall === 'kill') return;
      screen.warn(`${harmless(command)} could not be started: ${reasonOf(error)}.`);
      end(exitOfNotStarted(error), null, false);
    });
    child.once('exit', (code, signal) => end(exitOf(code, signal), signal));
  });
