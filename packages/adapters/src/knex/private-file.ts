import { open } from 'node:fs/promises';

/**
 * Makes a file that is not there yet, for its owner only; what SQLite puts beside it gets the same permissions.
 * One that is there stays as it is.
 */
export const makePrivate = async (path: string): Promise<void> => {
  // A folder that is missing or closed to us is for the driver to report.
  const made = await open(path, 'a', 0o600).catch(() => undefined);
  await made?.close();
};
