import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type MemoryData, memoryData, memoryStores, type RowChange } from '@shipworthy/adapters/memory';
import { type CoreStores, DomainError, type Stores } from '@shipworthy/domain';
import { openLineFile } from './line-file.js';

/** Returns the core of the stores: those that every service needs. */
const coreOf = (all: Stores): CoreStores => ({
  users: all.users,
  sessions: all.sessions,
  signIns: all.signIns,
  apiKeys: all.apiKeys,
  idempotency: all.idempotency,
  teams: all.teams,
  projects: all.projects,
  policies: all.policies,
  releases: all.releases,
  waivers: all.waivers,
  checklists: all.checklists,
  issues: all.issues,
  deployments: all.deployments,
  testRuns: all.testRuns,
  reports: all.reports,
  facts: all.facts,
  transaction: (work, by) => all.transaction((inside) => work(coreOf(inside)), by),
});

const changesIn = (lines: readonly string[]): readonly RowChange[] =>
  lines.flatMap((line) => JSON.parse(line) as readonly RowChange[]);

const ROWS_PER_LINE = 1000;

/** Replaces the file of all changes by a file of the rows that are left. A crash leaves the old file or the new one. */
const rewrite = async (path: string, rows: readonly RowChange[]): Promise<void> => {
  const next = `${path}.next`;
  await rm(next, { force: true });
  const file = await openLineFile(next);
  for (let from = 0; from < rows.length; from += ROWS_PER_LINE)
    await file.append([JSON.stringify(rows.slice(from, from + ROWS_PER_LINE))]);
  await rename(next, path);
  // Until the folder is written, too, a power cut could bring back the old file without what came after it.
  const folder = await open(dirname(path));
  await folder.sync().finally(() => folder.close());
};

/** Reads a file, and writes each later change to it before the change is visible: one line per transaction. */
export const openFileData = async (path: string): Promise<MemoryData> => {
  const kept = memoryData({ rows: changesIn(await (await openLineFile(path)).readOn()) });
  await rewrite(path, kept.rows());
  const file = await openLineFile(path);
  return memoryData({
    rows: kept.rows(),
    keep: (changes) =>
      file.append([JSON.stringify(changes)]).catch((error: unknown) => {
        throw new DomainError('unavailable', `The file cannot be written: ${String(error)}`);
      }),
  });
};

/**
 * Returns the core of the stores, kept in a file that one process at a time opens. A change is on the disk before it is
 * answered, so that a process that is killed loses none.
 */
export const fileStores = (data: MemoryData): CoreStores => coreOf(memoryStores({ data }));
