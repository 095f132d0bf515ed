import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  BrokenReport,
  type ReportCounts,
  type ReportFormat,
  readReport,
  sumOf,
  type TestCounts,
} from '@shipworthy/test-reports';
import { glob, isDynamicPattern } from 'tinyglobby';
import { EXIT, Failure } from '../failure.js';
import { harmless } from '../output/safe-text.js';

/** The counts of several reports together. */
export interface ReportSum extends TestCounts {
  readonly files: readonly { readonly name: string; readonly counts: ReportCounts }[];
}

interface SumOptions {
  readonly format: ReportFormat | 'auto';
  /** Reports without tests are said by `note` instead of being faults. */
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

/** What is wrong with a report that could not be read, with its name and line. Throws on what is a bug. */
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
 * Counts reports as one run, one after the other. Failure (exit 6) naming file and line when any of them is broken, is missing or
 * holds no test, and when no test ran in all of them. Undefined when that is allowed.
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

/** A report file: where it is, and how it was called. */
export interface ReportFile {
  readonly path: string;
  /** Relative to the folder of the command, where it is below. */
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
      // A pipe of the shell has a path, but none of its own.
      const own = name === STDIN ? name : await realpath(path).catch(() => path);
      if (!files.has(own)) files.set(own, { path: name === STDIN ? name : path, name });
    }
  }
  return { files: [...files.values()], unmatched };
};
