import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { harmless } from '../output/safe-text.js';
import type { Screen } from '../output/screen.js';
import type { World } from '../world.js';
import { entryOfText, type SpoolEntry, textOfEntry, titleOf } from './spool-entry.js';
import { moveAside, namesIn, readIfThere, spoolFolder, sweep, writeWhole } from './spool-folder.js';

export const MOST_ENTRIES = 200;
export const LONGEST_MS = 14 * 86_400_000;

/** An entry and the file that holds it. */
export interface KeptEntry {
  readonly entry: SpoolEntry;
  /** The name of the file; the entries' order. */
  readonly name: string;
  /** `kept:` and a UUID: what a person or script calls it by. */
  readonly reference: string;
}

/** Reports that wait for their server. Several processes may use it at once. */
export interface Spool {
  readonly folder: string;
  /** Keeps an entry; too old ones and the oldest beyond 200 are dropped, loudly. `reference` to give it a name of its own. */
  keep(entry: SpoolEntry, reference?: string): Promise<KeptEntry>;
  /** Oldest first. A file that holds no entry is set aside and named; what is too old is dropped, loudly. */
  list(): Promise<readonly KeptEntry[]>;
  /** What is kept under a reference; the end of a deployment rather than its beginning. */
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

/** The spool of the user's state folder. */
export const openSpool = (world: World, screen: Screen): Spool => {
  const folder = spoolFolder(world);
  const drop = async ({ name, entry }: KeptEntry, why: string): Promise<void> => {
    await rm(join(folder, name), { force: true });
    screen.warn(
      `Dropped from the spool, ${why}: ${harmless(titleOf(entry))}, made ${new Date(entry.madeAt).toISOString()}.`,
    );
  };
  const read = async (name: string): Promise<KeptEntry | undefined> => {
    const text = await readIfThere(join(folder, name));
    if (text === undefined) return undefined;
    const entry = entryOfText(text);
    if (entry !== undefined) return { entry, name, reference: referenceOf(name) };
    if (await moveAside(folder, name, 'broken'))
      screen.warn(`${join(folder, name)} holds no report; it was set aside as ${join(folder, 'broken', name)}.`);
    return undefined;
  };
  const list = async (): Promise<readonly KeptEntry[]> => {
    const all: KeptEntry[] = [];
    for (const name of await namesIn(folder)) {
      const kept = await read(name);
      if (kept === undefined) continue;
      if (world.now() - kept.entry.madeAt > LONGEST_MS) await drop(kept, 'older than 14 days');
      else all.push(kept);
    }
    return all;
  };
  return {
    folder,
    list,
    keep: async (entry, reference = newReference()) => {
      const name = nameOf(entry, reference);
      await sweep(folder, world.now());
      // A key that somebody wrote into an address or a label is taken out like anywhere else.
      await writeWhole(folder, name, screen.shown(textOfEntry(entry)));
      const all = await list();
      for (const oldest of all.slice(0, Math.max(0, all.length - MOST_ENTRIES)))
        await drop(oldest, `more than ${MOST_ENTRIES} are kept`);
      return { entry, name, reference };
    },
    find: async (reference) => {
      const found = (await list()).filter((kept) => kept.reference === reference);
      return found.find(({ entry }) => isEnd(entry)) ?? found[0];
    },
    remove: ({ name }) => rm(join(folder, name), { force: true }),
    refuse: async ({ name }) => {
      await moveAside(folder, name, 'refused');
      return join(folder, 'refused', name);
    },
  };
};
