import { stat } from 'node:fs/promises';
import { Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { EXIT, type ExitCode, Failure, failureOf, unexpectedFailure, usageFailure } from '../failure.js';
import { harmless } from '../output/safe-text.js';
import { sayDetails } from '../output/screen.js';
import {
  exitOfRun,
  FORMAT_CHOICES,
  findReports,
  NO_TESTS,
  type RecordedRun,
  type RecordOptions,
  type ReportFile,
  type ReportSum,
  recordReports,
  recordSum,
  sumReports,
  unrecorded,
} from '../report/record-reports.js';
import { runChild } from '../run-child.js';
import type { Act, CommandSession } from '../session.js';
import type { World } from '../world.js';
import {
  asCommit,
  asIdempotencyKey,
  asLabel,
  asOneLine,
  collected,
  PAGE_URL,
  PASS_KEY,
  STRICT_REPORT,
} from './option-values.js';

/** `shipworthy tests`: reports the test runs of a pipeline. */
export const testsCommand = (act: Act) =>
  new Command('tests')
    .description('report test runs')
    .addCommand(testsRecordCommand(act))
    .addCommand(testsRunCommand(act));

const RECORD_HELP = `
Reports are counted from the tests in them. What ran is passed, failed or errored; skipped and todo
are outside of it; a test that was tried again counts once, by its last attempt; a file that could not be loaded is an error.
Several reports become one run. The exit code is 0 although tests failed: recording worked, and the ship gate judges.

A report that is broken, missing or without tests ends with 6, names file and line, and nothing is recorded. One that contradicts
itself, such as failures at its head and none in its list, or says what is not understood, is recorded with errors, and ends with 6.
While the server is away the run is kept, and sent by the next report that arrives or by shipworthy flush. Prints the id of the test run.

  shipworthy tests record --app checkout --suite unit report.xml
  shipworthy tests record 'target/surefire-reports/*.xml' --release 2.4`;

/** `shipworthy tests record`: records reports as one test run. */
const testsRecordCommand = (act: Act) =>
  withRecordOptions(
    new Command('record')
      .description('record test reports as one test run')
      .argument('<files...>', 'reports, patterns such as reports/**/*.xml, or - for standard input'),
    'commit that was tested',
  )
    .addHelpText('after', RECORD_HELP)
    .action(act((session, files, options) => recordReports(session, files, options)));

const RUN_HELP = `
Runs the command with this one's own input and output and records the report it wrote, also when tests failed. The exit code is
the command's own; where it is not 0 although every test in the report passed, or without a report that can be read, one error
is recorded. Where the command succeeded, a report that is missing, broken or without tests ends with 6 and is not recorded; one
that contradicts itself, or says what is not understood, is recorded with errors and ends with 6. Where a good report could not
be sent, that is said on stderr; --strict-report makes it the exit code (2, 4 or 5). The command does not get the API key, unless
--pass-key says so.

Only reports that were written while the command ran are recorded. Each --report must have one. Without --report the usual
places are looked at (junit.xml, test-results/*.xml, target/surefire-reports/TEST-*.xml, ctrf/*.json and the like); what is
there must be unambiguous.
A run that was interrupted is not recorded.

  shipworthy tests run --app checkout --report junit.xml -- npm test`;

/** `shipworthy tests run`: runs a command and records the test report it writes. */
const testsRunCommand = (act: Act) =>
  withRecordOptions(
    new Command('run')
      .description('run a command and record the test report it writes')
      .argument('<command...>', 'what tests, after --')
      .option('--report <pattern>', 'report the command writes; may be given again', collected),
    'commit that is tested',
  )
    .addOption(PASS_KEY)
    .addHelpText('after', RUN_HELP)
    .action(act((session, [command = '', ...words], options) => runTests(session, [command, ...words], options)));

/** Adds the options that describe a test run, common to `tests record` and `tests run`. */
const withRecordOptions = <Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
  commit: string,
) =>
  command
    .addOption(new Option('--format <format>', 'of the reports').choices(FORMAT_CHOICES).default('auto' as const))
    .option('--suite <name>', 'label of the suite', asLabel)
    .option('--release <release>', 'its id or exact name; the active one unless given', asOneLine)
    .option('--commit <sha>', commit, asCommit)
    .addOption(PAGE_URL)
    .option('--allow-empty', 'reports without tests are no error; nothing is recorded for them')
    .option(
      '--idempotency-key <key>',
      'name of this step: run again, for the same suite, release and commit, it counts once, as it was first',
      asIdempotencyKey,
    )
    .addOption(STRICT_REPORT);

interface RunOptions extends RecordOptions {
  readonly report?: readonly string[] | undefined;
  /** Whether the command gets the API key, too. */
  readonly passKey?: boolean | undefined;
}

interface Reported {
  readonly recorded: RecordedRun;
  /** The exit code of `tests run` where the command that it ran succeeded. */
  readonly exit: ExitCode;
}

/** The counts of the reports, with one error more when they show no failure although the command failed. */
const withErrorOfCommand = ({ screen }: CommandSession, sum: ReportSum, commandExit: ExitCode): ReportSum => {
  if (commandExit === EXIT.done || sum.passed !== sum.total) return sum;
  const why = sum.total === 0 ? 'and no report shows a test' : 'although every test in its report passed';
  screen.warn(`The command ended with ${commandExit}, ${why}: one error is added.`);
  return { ...sum, total: sum.total + 1, errored: sum.errored + 1 };
};

/** The sum of the reports the command wrote; undefined where no test ran and that is allowed. Rejects with the fault of a report. */
const readReports = async (
  { screen, world }: CommandSession,
  options: RunOptions,
  before: Before,
  commandExit: ExitCode,
) => {
  const { format, allowEmpty = false } = options;
  const note = (line: string) => screen.warn(line);
  const files = await lookAfter(world, before, commandExit, note);
  return sumReports(files, { format, allowEmpty, note, stdin: world.stdin });
};

/** Says loudly what kept the run from being recorded, or a report from being read; returns it. */
const sayFault = (session: CommandSession, what: string, error: unknown): Failure => {
  const failure = failureOf(error) ?? unexpectedFailure(error, session.world.env);
  session.screen.warn(`${what}: ${failure.message}`);
  sayDetails(session.screen, failure);
  return failure;
};

/** Warns that the run is not recorded, and why; returns the result for it. */
const notRecorded = (session: CommandSession, error: unknown, exitFor: (failure: Failure) => ExitCode): Reported => {
  const failure = sayFault(session, 'The test run is not recorded', error);
  return { recorded: unrecorded('not_recorded'), exit: exitFor(failure) };
};

/**
 * Records the reports that the command wrote. Where it succeeded, a report that is missing, unreadable or doubted is no
 * evidence: exit 6. Where it failed without one, an error is recorded, so that an older run that passed does not stay the latest.
 * A good report that cannot be sent changes the exit code only where reports are strict.
 */
const report = async (
  session: CommandSession,
  options: RunOptions,
  before: Before,
  commandExit: ExitCode,
): Promise<Reported> => {
  let sum: ReportSum | undefined;
  try {
    sum = await readReports(session, options, before, commandExit);
  } catch (error) {
    if (commandExit === EXIT.done) return notRecorded(session, error, () => EXIT.report);
    sayFault(session, 'The report cannot be read', error);
  }
  if (sum === undefined && commandExit === EXIT.done) {
    session.screen.warn('No test ran; nothing was recorded.');
    return { recorded: unrecorded('empty'), exit: EXIT.done };
  }
  sum = withErrorOfCommand(session, sum ?? NO_TESTS, commandExit);
  const doubted = exitOfRun(sum);
  try {
    const recorded = await recordSum(session, sum, options);
    return { recorded, exit: doubted };
  } catch (error) {
    return notRecorded(session, error, (failure) => (options.strictReport ? failure.exit : doubted));
  }
};

/**
 * `tests run`: runs a command that tests, and records the report it wrote, also when it failed; then an error at least. The
 * command's exit code wins. Where it is 0, a report that is missing, broken, empty or doubted ends with 6; where reports are
 * strict, one that could not be sent ends with the code of that failure. An interrupted run is not recorded.
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

/** File systems may round the time of a change by this much. */
const COARSE_MS = 2_000;

/** The reports that are there before a command runs; `written` maps the path of each to its mark. */
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

/** Finds the reports of the patterns, or of the usual places where none is given, before a command runs. */
const lookBefore = async ({ folder, now }: World, patterns: readonly string[]): Promise<Before> => {
  const places = patterns.length === 0 ? USUAL_PLACES : patterns;
  // Each place by itself: a file that two of them name differently is known by both names.
  const written = (await Promise.all(places.map((place) => writtenNow(folder, [place])))).flat();
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

/** A pattern of which the command wrote nothing, and what older files it names. */
interface Unwritten {
  readonly pattern: string;
  readonly older: readonly Written[];
}

const unwrittenOf = async (world: World, before: Before): Promise<readonly Unwritten[]> => {
  const unwritten: Unwritten[] = [];
  for (const pattern of before.patterns) {
    const { fresh, stale } = await freshAt(world, before, [pattern]);
    if (fresh.length === 0) unwritten.push({ pattern, older: stale });
  }
  return unwritten;
};

/** What to say of them, in a sentence or two. */
const unwrittenText = (unwritten: readonly Unwritten[]): string => {
  const absent = unwritten.filter(({ older }) => older.length === 0).map(({ pattern }) => pattern);
  const older = unwritten.flatMap((one) => one.older);
  return [
    ...(absent.length === 0 ? [] : [`The command wrote no ${harmless(absent.join(', '))}.`]),
    ...(older.length === 0
      ? []
      : [`The command did not write ${listed(older)}; what is there is older, and is not recorded.`]),
  ].join(' ');
};

/**
 * The reports the command wrote: those of the patterns that were written while it ran; without patterns, those at the one usual
 * place where it wrote any. Failure (exit 6) when there is none, when several usual places have some, and when the command
 * succeeded and wrote nothing of one of the patterns. Where it failed, what it did write is evidence of that, and is read.
 */
const lookAfter = async (
  world: World,
  before: Before,
  commandExit: ExitCode,
  warn: (line: string) => void,
): Promise<readonly ReportFile[]> => {
  if (before.patterns.length === 0) return atUsualPlaces(world, before);
  const { fresh, stale } = await freshAt(world, before, before.patterns);
  const unwritten = await unwrittenOf(world, before);
  if (unwritten.length > 0 && (fresh.length === 0 || commandExit === EXIT.done))
    throw missing(unwrittenText(unwritten));
  if (unwritten.length > 0) warn(unwrittenText(unwritten));
  const named = new Set(unwritten.flatMap(({ older }) => older.map(({ file }) => file.path)));
  const aside = stale.filter(({ file }) => !named.has(file.path));
  if (aside.length > 0) warn(`Left aside, because the command did not write them: ${listed(aside)}.`);
  return fresh.map(({ file }) => file);
};

/** Where tools, or their guides, put reports unless told otherwise; one entry for each place; no file matches two. */
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
