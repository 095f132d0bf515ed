import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { usageFailure } from '../failure.js';
import type { World } from '../world.js';

const stateFolder = ({ env, home, platform }: Pick<World, 'env' | 'home' | 'platform'>): string => {
  const set = platform === 'win32' ? env.LOCALAPPDATA : env.XDG_STATE_HOME;
  if (set && isAbsolute(set)) return set;
  return platform === 'win32' ? join(home, 'AppData', 'Local') : join(home, '.local', 'state');
};

/** Where reports are kept that could not be sent. */
export const spoolFolder = (world: Pick<World, 'env' | 'home' | 'platform'>): string =>
  join(stateFolder(world), 'shipworthy', 'spool');

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Brings a folder's change of names to the disk, where the platform can. */
const settleFolder = async (folder: string): Promise<void> => {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // Windows cannot; the rename itself has been made.
  }
};

/**
 * Makes a folder and those above it, for their owner only; nothing where it is there. Node's own `recursive` never ends where
 * the system says that a folder is missing which is there, as Linux does of a new folder below /proc.
 * Rejects with the system's error of the folder that cannot be made.
 */
const makeFolder = async (path: string): Promise<void> => {
  const make = () =>
    mkdir(path, 0o700).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
    });
  try {
    await make();
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await make();
  }
};

/** Writes a whole file or none, readable by nobody else, in a folder nobody else enters. */
export const writeWhole = async (folder: string, name: string, text: string): Promise<void> => {
  await makeFolder(folder);
  const unfinished = join(folder, `.${name}.unfinished`);
  const handle = await open(unfinished, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, join(folder, name));
  await settleFolder(folder);
};

/** The text of a file; undefined when it is gone. */
export const readIfThere = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });

/** The names of the finished files in a folder, in order; none when there is no folder. Failure (exit 2) when it cannot be read. */
export const namesIn = async (folder: string): Promise<readonly string[]> => {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (isMissing(error) || error.code === 'ENOTDIR') return [];
    throw usageFailure(`${folder} cannot be read (${error.code ?? error.message}).`, 'Give it back to its owner.');
  });
  return names.filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort();
};

/** Moves a file into a folder beside it; false when another process was first. */
export const moveAside = async (folder: string, name: string, aside: string): Promise<boolean> => {
  await makeFolder(join(folder, aside));
  try {
    await rename(join(folder, name), join(folder, aside, name));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
};

/** Removes what a writer that was killed left behind, once no writer can still be at it. */
export const sweep = async (folder: string, now: number): Promise<void> => {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.endsWith('.unfinished'))) {
    const path = join(folder, name);
    const changed = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    );
    if (now - changed > 3_600_000) await rm(path, { force: true });
  }
};
