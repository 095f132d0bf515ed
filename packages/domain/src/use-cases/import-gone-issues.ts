import type { PageKey } from '../page.js';
import { externalName, hostIdIn } from '../repository/external-names.js';
import type { HostIssue } from '../repository/host-records.js';
import type { StageProgress } from '../repository/import-progress.js';
import { isGoneCheckDue } from '../repository/import-schedule.js';
import { type ImportStep, nothingToRead, type ReadPage, type ReadStage } from './in-import.js';
import { repositoryNow } from './repository-now.js';
import { cancelGoneIssues, storeHostIssues } from './store-host-issues.js';

/** How many issues the host is asked for at once. */
const AT_ONCE = 100;

interface LookedFor {
  readonly found: readonly HostIssue[];
  readonly gone: readonly string[];
}

const lookFor = async ({ ask, linked }: ImportStep, ids: readonly string[]): Promise<LookedFor> => {
  if (ids.length === 0) return { found: [], gone: [] };
  const found = await ask((host, access) => host.issuesById(access, linked.link.repository, ids));
  const there = new Set(found.map(({ id }) => id));
  return { found, gone: ids.filter((id) => !there.has(id)) };
};

const page = async (
  step: ImportStep,
  ids: readonly string[],
  begins: boolean,
  progress: Omit<StageProgress, 'marks' | 'reading'>,
): Promise<ReadPage> => {
  const { found, gone } = await lookFor(step, ids);
  // Without it everything in it would seem gone.
  const repository = begins || gone.length > 0 ? await repositoryNow(step) : step.linked.link.repository;
  return {
    budget: null,
    rows: {},
    repository,
    store: async (storing) => {
      await storeHostIssues(storing, found);
      await cancelGoneIssues(storing, gone);
      return { ...progress, reading: null, marks: step.linked.state.checkpoint.marks };
    },
  };
};

const known = async ({ stores, linked }: ImportStep, ids: readonly string[]): Promise<readonly string[]> => {
  const { projectId, host } = linked.link;
  const names = ids.map((id) => externalName(host, id));
  const issues = await stores.issues.byExternalIds(projectId, names);
  return ids.filter((_, index) => issues[index] !== undefined);
};

/** Imported issues that may have gone without a trace; those that are canceled and in no release would not change by it. */
const imported = async ({ stores, linked }: ImportStep, after: PageKey | null) => {
  const { projectId, host } = linked.link;
  const { rows, next } = await stores.issues.importedPage(projectId, { limit: AT_ONCE, after });
  const ids = rows
    .filter(({ state, releaseId }) => state !== 'canceled' || releaseId !== null)
    .map(({ externalId }) => hostIdIn(externalId, externalName(host, '')))
    .filter((id) => id !== null);
  return { ids, next };
};

/** Cancels the issues that were deleted at the host or moved away: suspects at once, all others are looked for once a day. */
export const importGoneIssues: ReadStage = async (step) => {
  const { checkpoint, suspectIssueIds, goneCheckedAt } = step.linked.state;
  if (suspectIssueIds.length > 0) {
    const suspects = suspectIssueIds.slice(0, AT_ONCE);
    const left = { next: checkpoint.page ?? BEGINNING, suspectIssueIds: suspectIssueIds.slice(AT_ONCE) };
    return page(step, await known(step, suspects), false, left);
  }
  const begins = checkpoint.page === null || checkpoint.page === BEGINNING;
  // The first run has just read them all.
  if (begins && !isGoneCheckDue(step.linked.state, step.now))
    return nothingToRead(step, { goneCheckedAt: goneCheckedAt ?? step.now });
  const { ids, next } = await imported(step, begins ? null : (JSON.parse(checkpoint.page ?? '') as PageKey));
  if (next !== null) return page(step, ids, begins, { next: JSON.stringify(next) });
  return page(step, ids, begins, { next: null, goneCheckedAt: step.now });
};

/** Stands for the beginning once suspects were looked for. */
const BEGINNING = '';
