import { stat } from 'node:fs/promises';
import { EXIT, type ExitCode, Failure, failureOf, unexpectedFailure, usageFailure } from '../failure.js';
import { harmless } from '../output/safe-text.js';
import { sayDetails } from '../output/screen.js';
import { runChild } from '../run-child.js';
import type { CommandSession } from '../session.js';
import type { World } from '../world.js';
import { exitOfRun, type RecordedRun, type RecordOptions, recordSum, unrecorded } from './record-reports.js';
import { findReports, type ReportFile, type ReportSum, sumReports } from './sum-reports.js';

interface RunOptions extends RecordOptions {
  readonly report?: readonly string[] | undefined;
  /** Whether the command gets the API key, too. */
  readonly passKey?: boolean | undefined;
}

interface Reported {
  readonly recorded: RecordedRun;
  /** How the command ends where what it ran succeeded. */
  readonly exit: ExitCode;
}

const sayLoudly = ({ screen }: CommandSession, failure: Failure): void => {
  screen.warn(`The test run is not recorded: ${failure.message}`);
  sayDetails(screen, failure);
};

/** The counts of the reports, with one error more when they show no failure although the command failed. */
const judged = ({ screen }: CommandSession, sum: ReportSum, commandExit: ExitCode): ReportSum => {
  if (commandExit === EXIT.done || sum.passed !== sum.total) return sum;
  screen.warn(`The command ended with ${commandExit}, although every test in its report passed: one error is added.`);
  return { ...sum, total: sum.total + 1 };
};

/** The sum of the reports the command wrote; undefined where no test ran and that is allowed. Rejects with the fault of a report. */
const readReports = async ({ screen, world }: CommandSession, options: RunOptions, before: Before) => {
  const { format, allowEmpty = false } = options;
  const note = (line: string) => screen.warn(line);
  const files = await lookAfter(world, before, note);
  return sumReports(files, { format, allowEmpty, note, stdin: world.stdin });
};

/** A run that is not recorded, which is said loudly. */
const notRecorded = (session: CommandSession, error: unknown, exitFor: (failure: Failure) => ExitCode): Reported => {
  const failure = failureOf(error) ?? unexpectedFailure(error, session.world.env);
  sayLoudly(session, failure);
  return { recorded: unrecorded('not_recorded'), exit: exitFor(failure) };
};

/**
 * Records what the command wrote. A report that cannot be read, is missing or is doubted is no evidence, and never ends softly
 * (exit 6). What only keeps a good report from being sent costs the command its success where reports are strict.
 */
const report = async (
  session: CommandSession,
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
  session: CommandSession,
  command: readonly [string, ...string[]],
  options: RunOptions,
): Promise<ExitCode> => {
  const { world, screen } = session;
  if (session.globals.dryRun)
    throw usageFailure('tests run has nothing to show before the command ran.', 'Use tests record --dry-run FILE.');
  const before = await lookBefore(world, options.report ?? []);
  const { exit, signal, interruptedBy, isStarted } = await runChild(session, command, options.passKey);
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

/** File systems keep moments as coarse as this. */
const COARSE_MS = 2_000;

/** The reports before a command runs, and when each was written. */
export interface Before {
  readonly patterns: readonly string[];
  readonly startedAt: number;
  readonly written: ReadonlyMap<string, string>;
}

interface Written {
  readonly file: ReportFile;
  /** Differs once the file was written again. */
  readonly mark: string;
  readonly at: number;
}

const writtenNow = async (folder: string, patterns: readonly string[]): Promise<readonly Written[]> => {
  const { files } = await findReports(folder, patterns);
  const all = await Promise.all(
    files.map(async (file): Promise<readonly Written[]> => {
      // The file may have been removed.
      const found = await stat(file.path).catch(() => undefined);
      if (found === undefined) return [];
      return [{ file, mark: `${found.mtimeMs} ${found.size} ${found.ino}`, at: found.mtimeMs }];
    }),
  );
  return all.flat();
};

/** Looks at what the patterns, or the usual places where none is given, hold before a command runs. */
const lookBefore = async ({ folder, now }: World, patterns: readonly string[]): Promise<Before> => {
  const places = patterns.length === 0 ? USUAL_PLACES : patterns;
  const written = await writtenNow(folder, places);
  return { patterns, startedAt: now(), written: new Map(written.map(({ file, mark }) => [file.path, mark])) };
};

const NAME_IT = 'Name the report with --report, as in shipworthy tests run --report junit.xml -- npm test.';

const missing = (message: string, ...fixes: readonly string[]): Failure =>
  new Failure(EXIT.report, message, { code: 'report-missing', fixes });

const listed = (files: readonly Written[]): string => harmless(files.map(({ file }) => file.name).join(', '));

const freshAt = async ({ folder }: World, { startedAt, written }: Before, patterns: readonly string[]) => {
  const all = await writtenNow(folder, patterns);
  // A cache may put an old report back with its old time.
  const isFresh = ({ file, mark, at }: Written) =>
    written.get(file.path) !== mark && at >= Math.floor(startedAt) - COARSE_MS;
  return { fresh: all.filter(isFresh), stale: all.filter((one) => !isFresh(one)) };
};

const atUsualPlaces = async (world: World, before: Before): Promise<readonly ReportFile[]> => {
  const places: (readonly Written[])[] = [];
  for (const place of USUAL_PLACES) {
    const { fresh } = await freshAt(world, before, [place]);
    if (fresh.length > 0) places.push(fresh);
  }
  const [only, another] = places;
  if (only === undefined) throw missing('The command wrote no report where reports usually are.', NAME_IT);
  if (another !== undefined) throw missing(`The command wrote several reports: ${listed(places.flat())}.`, NAME_IT);
  return only.map(({ file }) => file);
};

/**
 * The reports the command wrote: those of the patterns that were written while it ran; without patterns, those at the one usual
 * place where it wrote any. Failure (exit 6) when there is none, and when several usual places have some.
 */
const lookAfter = async (
  world: World,
  before: Before,
  warn: (line: string) => void,
): Promise<readonly ReportFile[]> => {
  if (before.patterns.length === 0) return atUsualPlaces(world, before);
  const { fresh, stale } = await freshAt(world, before, before.patterns);
  if (fresh.length === 0 && stale.length > 0)
    throw missing(`The command did not write ${listed(stale)}; what is there is older, and is not recorded.`);
  if (fresh.length === 0) throw missing(`The command wrote no ${harmless(before.patterns.join(', '))}.`);
  if (stale.length > 0) warn(`Left aside, because the command did not write them: ${listed(stale)}.`);
  return fresh.map(({ file }) => file);
};

/** Where tools write reports unless told otherwise, and where their guides say to; one entry for each place; no file is at two. */
export const USUAL_PLACES: readonly string[] = [
  'junit.xml',
  'report.xml',
  'results.xml',
  'test-results.xml',
  'test-report.xml',
  'reports/*.xml',
  'test-results/*.xml',
  'test-reports/**/*.xml',
  'target/surefire-reports/TEST-*.xml',
  'target/failsafe-reports/TEST-*.xml',
  'build/test-results/**/TEST-*.xml',
  'ctrf/*.json',
  'ctrf-report.json',
  'test-results.json',
  'report.json',
  'results.json',
  'playwright-report/results.json',
  'test-results/results.json',
  'report.tap',
  'results.tap',
];
