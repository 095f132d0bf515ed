/** Holds files and folders to a size in which one finds one's way. */
import { posix } from 'node:path';

export const LONG = 450;
const MOST_LONG_FILES = 10;
const MOST_IN_FOLDER = 35;

export const linesOf = (text) => text.split('\n').length - 1;

/** Calls `breach` when too many sources are long, and for every folder with more files than `known` or the rule allows. */
export const checkSizes = (sources, known, breach) => {
  const long = [...sources].filter(([, text]) => linesOf(text) > LONG).map(([path]) => path);
  if (long.length > MOST_LONG_FILES)
    breach(
      long.join(', '),
      `${long.length} sources above ${LONG} lines, ${MOST_LONG_FILES} at most: which has two subjects?`,
    );
  const folders = new Map();
  for (const path of sources.keys()) folders.set(posix.dirname(path), (folders.get(posix.dirname(path)) ?? 0) + 1);
  for (const [folder, count] of folders)
    if (count > (known[folder] ?? MOST_IN_FOLDER))
      breach(folder, `${count} files, ${known[folder] ?? MOST_IN_FOLDER} at most`);
  for (const [folder, most] of Object.entries(known)) {
    const count = folders.get(folder) ?? 0;
    if (count < most)
      breach('scripts/architecture/known.json', `${folder} has ${count} files, not ${most}: the list only shrinks`);
  }
};
