import { runChild } from '../child/run-child.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Failure, failureOf, unexpectedFailure, usageFailure } from '../failure.js';
import { sayDetails } from '../output/show-failure.js';
import type { Session } from '../session.js';
import { type Before, lookAfter, lookBefore } from './fresh-reports.js';
import type { RecordOptions } from './record-options.js';
import { exitOfRun, type RecordedRun, recordSum, unrecorded } from './record-sum.js';
import { type ReportSum, sumReports } from './sum-reports.js';

export interface RunOptions extends RecordOptions {
  readonly report?: readonly string[] | undefined;
}

interface Reported {
  readonly recorded: RecordedRun;
  /** How the command ends where what it ran succeeded. */
  readonly exit: ExitCode;
}

const sayLoudly = ({ screen }: Session, failure: Failure): void => {
  screen.warn(`The test run is not recorded: ${failure.message}`);
  sayDetails(screen, failure);
};

/** What the reports say; one error more where they are clean although the command failed: something was not well. */
const judged = ({ screen }: Session, sum: ReportSum, commandExit: ExitCode): ReportSum => {
  if (commandExit === EXIT.done || sum.passed !== sum.total) return sum;
  screen.warn(`The command ended with ${commandExit}, although every test in its report passed: one error is added.`);
  return { ...sum, total: sum.total + 1 };
};

/** The sum of the reports the command wrote; undefined where no test ran and that is allowed. Rejects with the fault of a report. */
const readReports = async ({ screen, world }: Session, options: RunOptions, before: Before) => {
  const { format, allowEmpty = false } = options;
  const note = (line: string) => screen.warn(line);
  const files = await lookAfter(world, before, note);
  return sumReports(files, { format, allowEmpty, note, stdin: world.stdin });
};

/** A run that is not recorded, which is said loudly. */
const notRecorded = (session: Session, error: unknown, exitFor: (failure: Failure) => ExitCode): Reported => {
  const failure = failureOf(error) ?? unexpectedFailure(error, session.world.env);
  sayLoudly(session, failure);
  return { recorded: unrecorded('not_recorded'), exit: exitFor(failure) };
};

/**
 * Records what the command wrote. A report that cannot be read, is missing or is doubted is no evidence, and never ends softly
 * (exit 6). What only keeps a good report from being sent costs the command its success where reports are strict.
 */
const report = async (
  session: Session,
  options: RunOptions,
  before: Before,
  commandExit: ExitCode,
): Promise<Reported> => {
  let sum: ReportSum | undefined;
  try {
    sum = await readReports(session, options, before);
  } catch (error) {
    return notRecorded(session, error, () => EXIT.report);
  }
  if (sum === undefined) {
    session.screen.warn('No test ran; nothing was recorded.');
    return { recorded: unrecorded('empty'), exit: EXIT.done };
  }
  const doubted = exitOfRun(sum);
  try {
    const recorded = await recordSum(session, judged(session, sum, commandExit), options);
    return { recorded, exit: doubted };
  } catch (error) {
    return notRecorded(session, error, (failure) => (options.strictReport ? failure.exit : doubted));
  }
};

/**
 * `tests run`: runs a command that tests, and records the report it wrote, also when it failed. Its exit code wins over what became
 * of the report; where it is 0 a report that is missing, broken, empty or doubted ends with 6, and where reports are strict one
 * that could not be sent counts, too. An interrupted run is not recorded.
 */
export const runTests = async (
  session: Session,
  command: readonly [string, ...string[]],
  options: RunOptions,
): Promise<ExitCode> => {
  const { world, screen } = session;
  if (session.globals.dryRun)
    throw usageFailure('tests run has nothing to show before the command ran.', 'Use tests record --dry-run FILE.');
  const before = await lookBefore(world, options.report ?? []);
  const { exit, signal, interruptedBy, isStarted } = await runChild(session, command);
  if (signal !== null) screen.say(`The command was ended by ${signal}.`);
  if (interruptedBy !== null || !isStarted) {
    screen.warn(
      `The test run is not recorded: the command ${interruptedBy === null ? 'did not run' : 'was interrupted'}.`,
    );
    screen.answer('', { ...unrecorded('not_recorded'), exit, command_exit: exit, signal });
    return exit;
  }
  const { recorded, exit: reportExit } = await report(session, options, before, exit);
  const ending = exit !== EXIT.done ? exit : reportExit;
  screen.answer('', { ...recorded, exit: ending, command_exit: exit, signal });
  return ending;
};
