import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { lstat, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { reasonOf, usageFailure } from '../failure.js';
import { harmless } from '../output/safe-text.js';
import type { Screen } from '../output/screen.js';
import type { CommandSession } from '../session.js';
import type { World } from '../world.js';
import { entryOfText, type SpoolEntry, textOfEntry, titleOf } from './entry.js';

const MOST_ENTRIES = 200;
export const MOST_AGE_MS = 14 * 86_400_000;

/** An entry and the file that holds it. */
export interface KeptEntry {
  readonly entry: SpoolEntry;
  /** The name of the file. Sorted by it, the oldest entry comes first. */
  readonly name: string;
  /** `kept:` and a UUID: what a person or script calls it by. */
  readonly reference: string;
  /**
   * Whether it was kept under the present key. Anything else in the folder may have been put there by another program, or have
   * come with a folder from a cache: it is never sent unless a person says so.
   */
  readonly sealed: boolean;
}

/** Reports that wait for their server. Several processes may use it at once. */
export interface Spool {
  readonly folder: string;
  readonly seal: Seal;
  /**
   * Keeps an entry. Drops with a warning the entries older than 14 days, and the oldest beyond 200, unsealed ones
   * first. `reference` is the name to keep it under; a new one unless given.
   */
  keep(entry: SpoolEntry, reference?: string): Promise<KeptEntry>;
  /**
   * The entries, oldest first. Sets aside files without an entry and drops entries that are too old; warns of both, and of files
   * that cannot be read, whose paths `onUnreadable` gets.
   */
  list(onUnreadable?: (path: string) => void): Promise<readonly KeptEntry[]>;
  /** The entry with a reference. Of several: a sealed one first, then a deployment's end before its beginning. */
  find(reference: string): Promise<KeptEntry | undefined>;
  remove(kept: KeptEntry): Promise<void>;
  /** Moves an entry that the server refused to `refused/`; answers where it is now. */
  refuse(kept: KeptEntry): Promise<string>;
}

const referenceOf = (name: string): string => `kept:${name.slice(name.indexOf('-') + 1).split('.', 1)[0]}`;
// A deployment that began and its end have one reference and a file each, so that neither overwrites the other.
const isEnd = ({ operation, body }: SpoolEntry): boolean =>
  operation === 'createDeployment' && body.status !== 'started';

const nameOf = (entry: SpoolEntry, reference: string): string =>
  `${String(entry.madeAt).padStart(15, '0')}-${reference.slice('kept:'.length)}${isEnd(entry) ? '.end' : ''}.json`;

/** A name for an entry that is not kept yet. */
export const newReference = (): string => `kept:${randomUUID()}`;

/** The spool whose entries the session's API key seals. */
export const spoolOf = async ({ world, screen, settings }: CommandSession): Promise<Spool> =>
  openSpool(world, screen, (await settings()).apiKey?.value);

/** The spool of the user's state folder; without a key nothing in it is sealed. */
export const openSpool = (world: World, screen: Screen, key: string | undefined): Spool => {
  const folder = spoolFolder(world);
  const seal = createSeal(key);
  const drop = async ({ name, entry }: KeptEntry, why: string): Promise<void> => {
    await rm(join(folder, name), { force: true });
    screen.warn(
      `Dropped from the spool, ${why}: ${harmless(titleOf(entry))}, made ${new Date(entry.madeAt).toISOString()}.`,
    );
  };
  const read = async (name: string, onUnreadable: (path: string) => void): Promise<KeptEntry | undefined> => {
    const text = await readIfThere(join(folder, name)).catch((error: unknown) => {
      screen.warn(`${join(folder, name)} cannot be read (${reasonOf(error)}); it is left.`);
      onUnreadable(join(folder, name));
      return undefined;
    });
    if (text === undefined) return undefined;
    const entry = entryOfText(text);
    if (entry !== undefined) return { entry, name, reference: referenceOf(name), sealed: seal.holds(name, text) };
    if (await moveAside(folder, name, 'broken'))
      screen.warn(`${join(folder, name)} holds no report; it was set aside as ${join(folder, 'broken', name)}.`);
    return undefined;
  };
  const list = async (onUnreadable: (path: string) => void = () => undefined): Promise<readonly KeptEntry[]> => {
    const all: KeptEntry[] = [];
    for (const name of await namesIn(folder)) {
      const kept = await read(name, onUnreadable);
      if (kept === undefined) continue;
      if (world.now() - kept.entry.madeAt > MOST_AGE_MS) await drop(kept, 'older than 14 days');
      else all.push(kept);
    }
    return all;
  };
  /** Drops the oldest entries beyond the limit, but not the one of this name. */
  const dropSpare = async (keptName: string): Promise<void> => {
    const all = await list();
    // Files put there without the key, of any date, displace no report that was kept under the key.
    const others = all.filter(({ name }) => name !== keptName);
    const spare = [...others.filter(({ sealed }) => !sealed), ...others.filter(({ sealed }) => sealed)];
    for (const oldest of spare.slice(0, Math.max(0, all.length - MOST_ENTRIES)))
      await drop(oldest, `more than ${MOST_ENTRIES} are kept`);
  };
  return {
    folder,
    seal,
    list,
    keep: async (entry, reference = newReference()) => {
      const name = nameOf(entry, reference);
      await sweep(folder, world.now());
      // A key that was written into an address or a label is removed as in all output.
      await writeWhole(folder, name, seal.put(name, screen.shown(textOfEntry({ ...entry, machine: world.machine }))));
      // The report is kept by now, so a failure to tidy up the others is no failure to keep it.
      await dropSpare(name).catch((error: unknown) =>
        screen.warn(`${folder} cannot be tidied up (${reasonOf(error)}).`),
      );
      return { entry, name, reference, sealed: key !== undefined };
    },
    find: async (reference) => {
      const named = (await list()).filter((kept) => kept.reference === reference);
      const sealed = named.filter((kept) => kept.sealed);
      const found = sealed.length > 0 ? sealed : named;
      return found.find(({ entry }) => isEnd(entry)) ?? found[0];
    },
    remove: ({ name }) => rm(join(folder, name), { force: true }),
    refuse: async ({ name }) => {
      await moveAside(folder, name, 'refused');
      return join(folder, 'refused', name);
    },
  };
};

/** Marks kept files, so that a process with the same key can check that they are unchanged. */
interface Seal {
  /** Adds the mark of name and content to a file's text (one JSON object in a line); without a key adds nothing. */
  readonly put: (name: string, text: string) => string;
  /** Whether the text has the mark for that name. */
  readonly holds: (name: string, text: string) => boolean;
}

const SEAL = /,"seal":"([0-9a-f]{64})"\}\n$/;

/** The mark is an HMAC-SHA256 under the API key, which neither the file nor the mark gives away. */
export const createSeal = (key: string | undefined): Seal => {
  const markOf = (secret: string, name: string, text: string): Buffer =>
    createHmac('sha256', secret).update(`shipworthy spool 1\0${name}\0${text}`).digest();
  return {
    put: (name, text) =>
      key === undefined ? text : text.replace(/\}\n$/, `,"seal":"${markOf(key, name, text).toString('hex')}"}\n`),
    holds: (name, text) => {
      const mark = SEAL.exec(text)?.[1];
      if (key === undefined || mark === undefined) return false;
      return timingSafeEqual(Buffer.from(mark, 'hex'), markOf(key, name, text.replace(SEAL, '}\n')));
    },
  };
};

const stateFolder = ({ env, home, platform }: Pick<World, 'env' | 'home' | 'platform'>): string => {
  const set = platform === 'win32' ? env.LOCALAPPDATA : env.XDG_STATE_HOME;
  if (set && isAbsolute(set)) return set;
  return platform === 'win32' ? join(home, 'AppData', 'Local') : join(home, '.local', 'state');
};

/** Where reports are kept that could not be sent. */
export const spoolFolder = (world: Pick<World, 'env' | 'home' | 'platform'>): string =>
  join(stateFolder(world), 'shipworthy', 'spool');

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Writes the folder's changed names to the disk, where the platform can. */
const settleFolder = async (folder: string): Promise<void> => {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // Windows cannot; the rename itself has been made.
  }
};

/**
 * Makes a folder and those above it, for their owner only; does nothing where it is there. Node's own `recursive` never
 * ends where the system calls a folder missing that is there, as Linux does for a new folder below /proc. Rejects with
 * the system's error of the folder that cannot be made.
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

/**
 * Writes a whole file or none; only the user can read the file and enter a folder made for it. Two processes may write the same
 * file at the same time; one of them writes it last.
 */
const writeWhole = async (folder: string, name: string, text: string): Promise<void> => {
  await makeFolder(folder);
  const unfinished = join(folder, `.${name}.${randomUUID()}.unfinished`);
  try {
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, join(folder, name));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await settleFolder(folder);
};

/** The largest file that is read, in bytes. */
const LONGEST_TEXT = 1_048_576;

/** The text of a file; empty for a link, a pipe, a folder or a file that is too large; undefined when it is missing. */
const readIfThere = async (path: string): Promise<string | undefined> => {
  try {
    const found = await lstat(path);
    return found.isFile() && found.size <= LONGEST_TEXT ? await readFile(path, 'utf8') : '';
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

/** Makes a folder inside the spool. A link in its place is removed: files would be written where it leads. */
const makeInnerFolder = async (path: string): Promise<void> => {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink()) await rm(path, { force: true });
  await makeFolder(path);
};

/** The names of the finished files in a folder, in order; none when there is no folder. Failure (exit 2) when it cannot be read. */
const namesIn = async (folder: string): Promise<readonly string[]> => {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (isMissing(error) || error.code === 'ENOTDIR') return [];
    throw usageFailure(`${folder} cannot be read (${reasonOf(error)}).`, 'Give it back to its owner.');
  });
  return names.filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort();
};

/** Moves a file into a folder beside it; false when another process was first. */
const moveAside = async (folder: string, name: string, aside: string): Promise<boolean> => {
  await makeInnerFolder(join(folder, aside));
  try {
    await rename(join(folder, name), join(folder, aside, name));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
};

/** Removes unfinished files of writers that were killed, once they are an hour old and no writer can be at them. */
const sweep = async (folder: string, now: number): Promise<void> => {
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

/** A deployment whose start was kept and sent later, for a later `deploy finish` by its reference. */
interface DeploymentNote {
  readonly id: string;
  readonly address: string;
  /** When it started, in milliseconds since the epoch. */
  readonly startedAt: number;
}

const NOTES_FOLDER = 'deployments';
const fileOf = (reference: string): string => `${reference.slice('kept:'.length)}.json`;

/** Notes the id that a kept deployment was given. */
export const noteDeployment = async (
  { folder, seal }: Pick<Spool, 'folder' | 'seal'>,
  { entry, reference }: KeptEntry,
  id: string,
): Promise<void> => {
  const startedAt = 'started_at' in entry.body ? Date.parse(entry.body.started_at ?? '') : entry.madeAt;
  const note: DeploymentNote = { id, address: entry.address, startedAt };
  const name = fileOf(reference);
  await makeInnerFolder(join(folder, NOTES_FOLDER));
  await writeWhole(join(folder, NOTES_FOLDER), name, seal.put(name, `${JSON.stringify(note)}\n`));
};

const noteOfText = (text: string): DeploymentNote | undefined => {
  try {
    const note = JSON.parse(text) as Partial<DeploymentNote> | null;
    if (typeof note?.id !== 'string' || typeof note.address !== 'string' || typeof note.startedAt !== 'number')
      return undefined;
    return { id: note.id, address: note.address, startedAt: note.startedAt };
  } catch {
    return undefined;
  }
};

/** The note of a reference, and whether it is sealed; undefined when there is none, or the file holds no note. */
export const deploymentNote = async (
  { folder, seal }: Pick<Spool, 'folder' | 'seal'>,
  reference: string,
): Promise<(DeploymentNote & { readonly sealed: boolean }) | undefined> => {
  const name = fileOf(reference);
  const text = await readIfThere(join(folder, NOTES_FOLDER, name));
  const note = text === undefined ? undefined : noteOfText(text);
  return text === undefined || note === undefined ? undefined : { ...note, sealed: seal.holds(name, text) };
};

/** Removes the notes of deployments that started more than 14 days before `now` (milliseconds), and files without a note. */
export const forgetNotes = async (spool: Pick<Spool, 'folder' | 'seal'>, now: number): Promise<void> => {
  const folder = join(spool.folder, NOTES_FOLDER);
  // A link in its place leads to files of others.
  if ((await lstat(folder).catch(() => undefined))?.isDirectory() !== true) return;
  await sweep(folder, now);
  for (const name of await namesIn(folder)) {
    const reference = `kept:${name.slice(0, -'.json'.length)}`;
    // A file that cannot be read is left.
    const note = await deploymentNote(spool, reference).catch(() => 'unreadable' as const);
    if (note === 'unreadable') continue;
    if (note === undefined || note.startedAt < now - MOST_AGE_MS) await rm(join(folder, name), { force: true });
  }
};
