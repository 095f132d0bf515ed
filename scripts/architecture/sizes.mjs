/** Checks that files and folders stay small enough for a newcomer. */
import { posix } from 'node:path';

export const LONG_FILE_LINES = 450;
const MOST_LONG_FILES = 10;
const MOST_IN_FOLDER = 35;

export const linesOf = (text) => text.split('\n').length - 1;

/** Calls `breach` when too many sources are long, and for every folder with too many files. */
export const checkSizes = (sources, breach) => {
  const long = [...sources].filter(([, text]) => linesOf(text) > LONG_FILE_LINES).map(([path]) => path);
  if (long.length > MOST_LONG_FILES)
    breach(
      long.join(', '),
      `${long.length} sources above ${LONG_FILE_LINES} lines, ${MOST_LONG_FILES} at most: which has two subjects?`,
    );
  const folders = new Map();
  for (const path of sources.keys()) folders.set(posix.dirname(path), (folders.get(posix.dirname(path)) ?? 0) + 1);
  for (const [folder, count] of folders)
    if (count > MOST_IN_FOLDER) breach(folder, `${count} files, ${MOST_IN_FOLDER} at most`);
};
