import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptEntry } from './spool.js';
import { namesIn, readIfThere, writeWhole } from './spool-folder.js';

/** A deployment whose start was kept and sent later, for whoever ends it by its reference. */
export interface StartedNote {
  readonly id: string;
  readonly address: string;
  /** When it started, in milliseconds since the epoch. */
  readonly startedAt: number;
}

const FOLDER = 'started';
const fileOf = (reference: string): string => `${reference.slice('kept:'.length)}.json`;

/** Notes the id a kept start was given. */
export const noteStarted = async (spoolFolder: string, { entry, reference }: KeptEntry, id: string): Promise<void> => {
  const note: StartedNote = { id, address: entry.address, startedAt: entry.madeAt };
  const name = fileOf(reference);
  // Another process may note the same at the same time, in the same words.
  await writeWhole(join(spoolFolder, FOLDER), name, `${JSON.stringify(note)}\n`).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
};

/** The note of a reference; undefined when there is none. */
export const startedNote = async (spoolFolder: string, reference: string): Promise<StartedNote | undefined> => {
  const text = await readIfThere(join(spoolFolder, FOLDER, fileOf(reference)));
  if (text === undefined) return undefined;
  return JSON.parse(text) as StartedNote;
};

/** Forgets the notes of deployments that started before then. */
export const forgetStarted = async (spoolFolder: string, before: number): Promise<void> => {
  for (const name of await namesIn(join(spoolFolder, FOLDER))) {
    const note = await startedNote(spoolFolder, `kept:${name.slice(0, -'.json'.length)}`);
    if (note !== undefined && note.startedAt < before) await rm(join(spoolFolder, FOLDER, name), { force: true });
  }
};
