import { runChild } from '../child/run-child.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Failure, failureOf, unexpectedFailure, usageFailure } from '../failure.js';
import { sayDetails } from '../output/show-failure.js';
import type { Session } from '../session.js';
import { type Before, lookAfter, lookBefore } from './fresh-reports.js';
import type { RecordOptions } from './record-options.js';
import { exitOf, type RecordedRun, recordSum, unrecorded } from './record-sum.js';
import { type ReportSum, sumReports } from './sum-reports.js';

export interface RunOptions extends RecordOptions {
  readonly report?: readonly string[] | undefined;
}

interface Reported {
  readonly recorded: RecordedRun;
  /** What a strict report makes of it. */
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

/** Records what the command wrote. Whatever keeps that from happening is said loudly and answered as an exit code. */
const report = async (
  session: Session,
  options: RunOptions,
  before: Before,
  commandExit: ExitCode,
): Promise<Reported> => {
  const { screen, world } = session;
  const { format, allowEmpty = false } = options;
  const note = (line: string) => screen.warn(line);
  try {
    const files = await lookAfter(world, before, note);
    const sum = await sumReports(files, { format, allowEmpty, note, stdin: world.stdin });
    if (sum !== undefined) {
      const recorded = await recordSum(session, judged(session, sum, commandExit), options);
      return { recorded, exit: exitOf(recorded) };
    }
    screen.warn('No test ran; nothing was recorded.');
    return { recorded: unrecorded('empty'), exit: EXIT.done };
  } catch (error) {
    const failure = failureOf(error) ?? unexpectedFailure(error);
    sayLoudly(session, failure);
    return { recorded: unrecorded('not_recorded'), exit: failure.exit };
  }
};

/**
 * `tests run`: runs a command that tests, and records the report it wrote, also when it failed. Its exit code wins over whatever
 * became of the report; where it is 0 a report that was recorded and is doubted ends with 6, and where reports are strict every fault
 * of theirs counts. An interrupted run is not recorded.
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
  let isStarted = false;
  const onStart = () => {
    isStarted = true;
  };
  const { exit, signal, interruptedBy } = await runChild(session, command, { onStart });
  if (signal !== null) screen.say(`The command was ended by ${signal}.`);
  if (interruptedBy !== null || !isStarted) {
    screen.warn(
      `The test run is not recorded: the command ${interruptedBy === null ? 'did not run' : 'was interrupted'}.`,
    );
    screen.answer('', { ...unrecorded('not_recorded'), exit, command_exit: exit, signal });
    return exit;
  }
  const { recorded, exit: reportExit } = await report(session, options, before, exit);
  const ending = exit !== EXIT.done ? exit : options.strictReport ? reportExit : exitOf(recorded);
  screen.answer('', { ...recorded, exit: ending, command_exit: exit, signal });
  return ending;
};
