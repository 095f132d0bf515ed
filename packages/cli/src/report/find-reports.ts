import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';

/** The name that stands for standard input. */
export const STDIN = '-';

/** A report file: where it is, and how it was called. */
export interface ReportFile {
  readonly path: string;
  /** Relative to the folder of the command, where it is below. */
  readonly name: string;
}

/** What patterns match. */
export interface FoundReports {
  /** In the order of the patterns, by name within each; every file once. */
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
