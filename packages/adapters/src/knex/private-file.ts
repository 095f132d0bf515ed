import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a file that is not there yet, for its owner only; what SQLite puts beside it gets the same permissions.
 * One that is there stays as it is.
 */
export const makePrivate = async (path: string): Promise<void> => {
  // A folder that is missing or closed to us is for the driver to report.
  const made = await open(path, 'a', 0o600).catch(() => undefined);
  await made?.close();
};

/**
 * Makes a folder and those above it, for their owner only; nothing where it is there. Node's own `recursive` never ends where
 * the system says that a folder is missing which is there, as Linux does of a new folder below /proc.
 * @throws the system's error of the folder that cannot be made
 */
export const makePrivateFolder = async (path: string): Promise<void> => {
  const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
  const make = () =>
    mkdir(path, 0o700).catch(async (error: unknown) => {
      if (codeOf(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
    });
  try {
    await make();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makePrivateFolder(dirname(path));
    await make();
  }
};
