import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TestRun } from '@shipworthy/client';
import { TestRunRequest } from '@shipworthy/client/contract';
import {
  BrokenReport,
  REPORT_FORMATS,
  type ReportCounts,
  type ReportFormat,
  readReport,
  sumOf,
  type TestCounts,
} from '@shipworthy/test-reports';
import { glob, isDynamicPattern } from 'tinyglobby';
import type { Connection } from '../connection.js';
import { EXIT, type ExitCode, Failure } from '../failure.js';
import { harmless } from '../output/safe-text.js';
import { readPipeline } from '../pipeline/read-pipeline.js';
import { pathOf, visibleProjects } from '../project.js';
import { schemaFaults } from '../schema.js';
import type { CommandSession } from '../session.js';
import { ANSWERED_TEST_RUN, type Sent } from '../spool/deliver.js';
import type { NamedTestRunEntry } from '../spool/entry.js';
import { type ReportOptions, reportOrKeep } from '../spool/report-or-keep.js';
import { shownScore } from '../verdict/show-score.js';

/**
 * `tests record`: counts the reports that paths and patterns name, and records them as one run. Failure (exit 6) for a report
 * that cannot be recorded; ends with 6 also when a recorded one is doubted.
 */
export const recordReports = async (
  session: CommandSession,
  patterns: readonly string[],
  options: RecordOptions,
): Promise<ExitCode> => {
  const { world, screen } = session;
  const { files, unmatched } = await findReports(world.folder, patterns);
  if (unmatched.length > 0)
    throw new Failure(EXIT.report, `No file is named ${harmless(unmatched.join(', '))}. Nothing was recorded.`, {
      code: 'report-missing',
      fixes: ['Say where the report is, as in shipworthy tests record target/surefire-reports/*.xml.'],
    });
  const note = (line: string) => screen.warn(line);
  const sum = await sumReports(files, {
    format: options.format,
    allowEmpty: options.allowEmpty ?? false,
    note,
    stdin: world.stdin,
  });
  if (sum === undefined) screen.warn('No test ran; nothing was recorded.');
  const recorded = sum === undefined ? unrecorded('empty') : await recordSum(session, sum, options);
  screen.answer(recorded.test_run_id ?? recorded.reference ?? '', recorded);
  return exitOfRun(recorded);
};

/** The options of `tests record` and `tests run`. */
export interface RecordOptions extends ReportOptions {
  readonly format: ReportFormat | 'auto';
  readonly suite?: string | undefined;
  readonly release?: string | undefined;
  readonly allowEmpty?: boolean | undefined;
}

/** What `--format` may be. */
export const FORMAT_CHOICES = ['auto', ...REPORT_FORMATS] as const;

/** The result of a run, as `--json` prints it. */
export interface RecordedRun {
  readonly report: 'sent' | 'kept' | 'lost' | 'empty' | 'not_recorded';
  readonly test_run_id: string | null;
  /** The reference under which it is kept. */
  readonly reference: string | null;
  readonly url: string | null;
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly errored: number;
  readonly skipped: number;
  /** Why reports are doubted, each with its file; what they did not list is counted as errors. */
  readonly doubts: readonly string[];
  readonly files: readonly { readonly name: string; readonly format: string; readonly total: number }[];
}

type Sending = Pick<RecordedRun, 'report' | 'test_run_id' | 'reference' | 'url'>;

/** The sum of no reports. */
export const NO_TESTS: ReportSum = { ...sumOf([]), files: [] };

const asRecorded = (sum: ReportSum, sending: Sending): RecordedRun => ({
  ...sending,
  total: sum.total,
  passed: sum.passed,
  failed: sum.failed,
  errored: sum.errored,
  skipped: sum.skipped,
  doubts: sum.doubts,
  files: sum.files.map(({ name, counts }) => ({ name, format: counts.format, total: counts.total })),
});

/** The exit code of a command that records a run: a doubted report fails the step, even if all of its tests passed. */
export const exitOfRun = ({ doubts }: Pick<ReportSum, 'doubts'>): ExitCode =>
  doubts.length === 0 ? EXIT.done : EXIT.report;

/** A run that was not recorded. */
export const unrecorded = (report: 'empty' | 'not_recorded'): RecordedRun =>
  asRecorded(NO_TESTS, { report, test_run_id: null, reference: null, url: null });

/**
 * Records what the reports say as one run, or keeps it during an outage; says what became of it. Failure (exit 2, 4) when it is
 * refused, (exit 5) during an outage when reports are strict. A dry run ends as the run itself would.
 */
export const recordSum = async (
  session: CommandSession,
  sum: ReportSum,
  options: RecordOptions,
): Promise<RecordedRun> => {
  session.screen.say(`${countsInWords(sum)}.`);
  for (const doubt of sum.doubts) session.screen.warn(`${doubt}; recorded as errors.`);
  session.dryRunExit = exitOfRun(sum);
  const connection = await session.connect();
  const entry = await testRunEntry(session, connection, sum, options);
  const done = await reportOrKeep(session, connection, entry, options.strictReport ?? false);
  if (done.outcome === 'kept') {
    const report = done.reference === null ? 'lost' : 'kept';
    return asRecorded(sum, { report, test_run_id: null, reference: done.reference, url: null });
  }
  const url = await sayTestRun(session, connection, done);
  return asRecorded(sum, { report: 'sent', test_run_id: done.id, reference: null, url });
};

/** The largest count that the API takes. More is cut to it: without this run an older one would stay the latest. */
const MOST = TestRunRequest.properties.total.maximum;

// A step that runs again reports the same run; another suite, release or commit makes another one.
const repeatableId = (key: string, ...parts: readonly (string | undefined)[]): string =>
  createHash('sha256')
    .update(JSON.stringify([key, ...parts.map((part) => part ?? null)]))
    .digest('hex');

/**
 * The report of a run, without a time: the clock of a report file does not decide which run is the latest. Its names are
 * resolved to project and release when it is sent, so that it can be kept through an outage.
 */
const testRunEntry = async (
  session: CommandSession,
  { address }: Connection,
  sum: ReportSum,
  options: RecordOptions,
): Promise<NamedTestRunEntry> => {
  const { world, screen } = session;
  const { suite, release, commit, url, idempotencyKey: given } = options;
  const run = await readPipeline(world, { commit, url });
  for (const line of run.assumed) screen.say(screen.paint.faint(line));
  const madeAt = world.now();
  const idempotencyKey = given ?? randomUUID();
  const app = (await session.settings()).app?.value ?? '';
  const { total, passed, failed, skipped, durationSeconds } = sum;
  return {
    operation: 'recordNamedTestRun',
    path: { app, release: release ?? '' },
    body: {
      total: Math.min(total, MOST),
      passed,
      failed,
      skipped,
      ...(suite !== undefined && { suite }),
      ...(run.commit !== undefined && { commit_sha: run.commit }),
      ...(run.url !== undefined && { url: run.url }),
      ...(durationSeconds !== undefined && durationSeconds <= MOST && { duration_seconds: durationSeconds }),
      external_id: given === undefined ? idempotencyKey : repeatableId(given, suite, release, run.commit),
    },
    idempotencyKey,
    address,
    madeAt,
  };
};

const LINK_MS = 2_000;

/** The counts in words: `412 tests ran: 409 passed, 2 failed, 1 errored; 3 skipped`. */
const countsInWords = ({ total, passed, failed, errored, skipped }: Omit<TestCounts, 'doubts'>): string => {
  const parts = [`${passed} passed`, `${failed} failed`, ...(errored > 0 ? [`${errored} errored`] : [])];
  return `${total} ${total === 1 ? 'test' : 'tests'} ran: ${parts.join(', ')}${skipped > 0 ? `; ${skipped} skipped` : ''}`;
};

const isTestRun = (record: Sent['record']): record is TestRun => record !== null && 'total' in record;

const shown = (score: number | null): string => (score === null ? 'none' : shownScore(score));

/** What a record counts for, with the score with it and without it where that is known. */
export const countedFor = ({
  releases,
  reason,
}: {
  readonly releases: readonly (Pick<TestRun['attribution']['releases'][number], 'name' | 'counts' | 'contribution'> & {
    readonly reason?: string;
  })[];
  readonly reason?: string;
}): string => {
  const parts = releases.map(({ name, counts, reason: why, contribution }) => {
    if (!counts) return `not for ${harmless(name)} (${why ?? 'not counted'})`;
    if (contribution === undefined) return `for ${harmless(name)}`;
    const { score_with, score_without } = contribution;
    return `for ${harmless(name)} (score ${shown(score_with)} with it, ${shown(score_without)} without)`;
  });
  return parts.length === 0
    ? `It counts for no release (${reason ?? 'not counted'}).`
    : `It counts ${parts.join(', ')}.`;
};

/**
 * Reads a test run again, with what it contributes, and finds the page of the project's test runs. Where that fails or
 * takes too long, returns the test run as the server answered it, and null for the page.
 */
const asRead = async ({ client, address }: Connection, record: TestRun) => {
  try {
    const projects = await visibleProjects(client, { timeoutMs: LINK_MS });
    const project = projects.find(({ id }) => id === record.project_id);
    if (project === undefined) return { record, page: null };
    const page = `${address}/teams/${project.teamId}/projects/${project.id}/test-runs`;
    const path = { ...pathOf(project), test_run_id: record.id };
    const read = await client.readTestRun({ path, timeoutMs: LINK_MS }).then(
      ({ body }) => (schemaFaults(ANSWERED_TEST_RUN, body).length === 0 ? body.data : record),
      () => record,
    );
    return { record: read, page };
  } catch {
    // The report was stored; only its link is missing.
    return { record, page: null };
  }
};

/** Says what the server recorded and what it counts for. Returns the link to it, null where there is none. */
const sayTestRun = async ({ screen }: CommandSession, connection: Connection, sent: Sent): Promise<string | null> => {
  if (!isTestRun(sent.record)) {
    screen.say(`Test run ${sent.id} was recorded before; this one is not added.`);
    return null;
  }
  const { record, page } = await asRead(connection, sent.record);
  screen.say(`Recorded${sent.repeated ? ' before' : ''}. ${countedFor(record.attribution)}`);
  screen.say(page ?? `Test run ${sent.id}`);
  return page;
};

/** The counts of several reports together. */
export interface ReportSum extends TestCounts {
  readonly files: readonly { readonly name: string; readonly counts: ReportCounts }[];
}

interface SumOptions {
  readonly format: ReportFormat | 'auto';
  /** Whether reports without tests are accepted and only mentioned by `note`; otherwise they are a failure. */
  readonly allowEmpty: boolean;
  readonly note: (line: string) => void;
  /** The stream that `-` reads. */
  readonly stdin: AsyncIterable<Uint8Array | string>;
}

export async function* bytesOf(pieces: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder; name its files, as in folder/**/*.xml',
  EACCES: 'may not be read (EACCES)',
};

/** What is wrong with a report that could not be read, with its name and line. Rethrows an error that is a bug. */
export const reportFault = (name: string, error: unknown): string => {
  if (error instanceof BrokenReport)
    return harmless(`${name}${error.line === undefined ? '' : `:${error.line}`}: ${error.message}`);
  const code = (error as NodeJS.ErrnoException).code;
  // Any other error is a bug.
  if (code === undefined || !(error as NodeJS.ErrnoException).syscall) throw error;
  return harmless(`${name}: ${WORDS[code] ?? `cannot be read (${code})`}`);
};

const EMPTY_FIX = 'Give --allow-empty if that is as it should be; nothing is recorded for it then.';

const brokenFailure = (faults: readonly string[], all: number): Failure => {
  const [only, another] = faults;
  if (only !== undefined && another === undefined)
    return new Failure(EXIT.report, `${only}.${all > 1 ? ` Nothing was recorded of the ${all} reports.` : ''}`, {
      code: 'report-broken',
    });
  return new Failure(EXIT.report, `${faults.length} of ${all} reports cannot be counted; nothing was recorded.`, {
    code: 'report-broken',
    faults,
  });
};

const emptyFailure = (names: readonly string[], skipped: number): Failure =>
  new Failure(
    EXIT.report,
    skipped > 0 ? `No test ran: all ${skipped} were skipped.` : `No test is in ${harmless(names.join(', '))}.`,
    { code: 'report-empty', fixes: [EMPTY_FIX] },
  );

const namedDoubts = ({ name, counts }: ReportSum['files'][number]) => ({
  ...counts,
  doubts: counts.doubts.map((doubt) => harmless(`${name}: ${doubt}`)),
});

/**
 * Counts reports as one run, one after the other. Failure (exit 6) naming file and line when any of them is broken, is
 * missing or holds no test, and when no test ran in all of them. With `allowEmpty` returns undefined where no test ran.
 */
export const sumReports = async (
  reports: readonly ReportFile[],
  { format, allowEmpty, note, stdin }: SumOptions,
): Promise<ReportSum | undefined> => {
  const files: { name: string; counts: ReportCounts }[] = [];
  const faults: string[] = [];
  for (const { name, path } of reports) {
    try {
      const pieces = path === STDIN ? bytesOf(stdin) : createReadStream(path);
      files.push({ name, counts: await readReport(pieces, format) });
    } catch (error) {
      faults.push(reportFault(name, error));
    }
  }
  if (faults.length > 0) throw brokenFailure(faults, reports.length);
  const empty = files.filter(({ counts }) => counts.total + counts.skipped === 0).map(({ name }) => name);
  const sum = { files, ...sumOf(files.map(namedDoubts)) };
  if (!allowEmpty && empty.length > 0) throw emptyFailure(empty, 0);
  if (!allowEmpty && sum.total === 0) throw emptyFailure([], sum.skipped);
  for (const name of empty) note(`No test is in ${harmless(name)}.`);
  return sum.total === 0 ? undefined : sum;
};

/** The name of standard input. */
export const STDIN = '-';

/** A report file: its path, and its name for messages. */
export interface ReportFile {
  readonly path: string;
  /** A path from the folder of the command, where the file is below it. */
  readonly name: string;
}

/** The files that patterns match. */
interface FoundReports {
  /** The files in the order of the patterns, by name within each; every file once. */
  readonly files: readonly ReportFile[];
  /** Patterns that match nothing. */
  readonly unmatched: readonly string[];
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const matches = async (folder: string, pattern: string): Promise<readonly string[]> => {
  // A file's own name may look like a pattern.
  if (pattern === STDIN || (await isThere(resolve(folder, pattern)))) return [pattern];
  if (!isDynamicPattern(pattern)) return [];
  const found = await glob(pattern.replaceAll('\\', '/'), {
    cwd: folder,
    dot: true,
    followSymbolicLinks: false,
    expandDirectories: false,
    ignore: ['**/node_modules/**'],
  });
  return [...found].sort();
};

/** The files that paths, `-` and patterns (`*`, `**`, `?`, `[ab]`, `{a,b}`) name, folders named node_modules left out. */
export const findReports = async (folder: string, patterns: readonly string[]): Promise<FoundReports> => {
  const files = new Map<string, ReportFile>();
  const unmatched: string[] = [];
  for (const pattern of patterns) {
    const names = await matches(folder, pattern);
    if (names.length === 0) unmatched.push(pattern);
    for (const name of names) {
      const path = resolve(folder, name);
      // A pipe of the shell has a path that cannot be resolved.
      const own = name === STDIN ? name : await realpath(path).catch(() => path);
      if (!files.has(own)) files.set(own, { path: name === STDIN ? name : path, name });
    }
  }
  return { files: [...files.values()], unmatched };
};
