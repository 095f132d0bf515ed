import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { usageFailure } from '../failure.js';
import type { FileChange } from './plan.js';

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

/** Reads a file below the folder; undefined when it is not there. Failure (exit 2) when it cannot be read. */
export const readBelow =
  (folder: string) =>
  (path: string): string | undefined => {
    const file = join(folder, path);
    if (!existsSync(file)) return undefined;
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw usageFailure(`${path} cannot be read (${reasonOf(error)}).`);
    }
  };

/** Writes what is new or changed. Failure (exit 2) naming the file that could not be written. */
export const writeBelow = (folder: string, changes: readonly FileChange[]): void => {
  for (const { path, after } of changes)
    try {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), after);
    } catch (error) {
      throw usageFailure(`${path} could not be written (${reasonOf(error)}).`);
    }
};
