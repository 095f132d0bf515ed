import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptEntry } from './spool.js';
import { namesIn, readIfThere, writeWhole } from './spool-folder.js';

/** A deployment whose start was kept and sent later, for whoever ends it by its reference. */
export interface DeploymentNote {
  readonly id: string;
  readonly address: string;
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
}

const FOLDER = 'deployments';
const fileOf = (reference: string): string => `${reference.slice('kept:'.length)}.json`;

/** Notes the id that a kept deployment was given. */
export const noteDeployment = async (
  spoolFolder: string,
  { entry, reference }: KeptEntry,
  id: string,
): Promise<void> => {
  const startedAt = 'started_at' in entry.body ? Date.parse(entry.body.started_at ?? '') : entry.madeAt;
  const note: DeploymentNote = { id, address: entry.address, startedAt };
  const text = `${JSON.stringify(note)}\n`;
  await writeWhole(join(spoolFolder, FOLDER), fileOf(reference), text).catch((error: NodeJS.ErrnoException) => {
    // Another process is noting the same.
    if (error.code !== 'EEXIST') throw error;
  });
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

/** The note of a reference; undefined when there is none, or nothing that is one. */
export const deploymentNote = async (spoolFolder: string, reference: string): Promise<DeploymentNote | undefined> => {
  const text = await readIfThere(join(spoolFolder, FOLDER, fileOf(reference)));
  return text === undefined ? undefined : noteOfText(text);
};

/** Forgets the notes of deployments that started before then, and what is no note. */
export const forgetNotes = async (spoolFolder: string, before: number): Promise<void> => {
  for (const name of await namesIn(join(spoolFolder, FOLDER))) {
    const note = await deploymentNote(spoolFolder, `kept:${name.slice(0, -'.json'.length)}`);
    if (note === undefined || note.startedAt < before) await rm(join(spoolFolder, FOLDER, name), { force: true });
  }
};
