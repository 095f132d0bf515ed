import { type ImportedIssue, type Issue, issueEvents } from '../../issue.js';
import type { PageKey } from '../../page.js';
import { isClosed, type Release } from '../../release/release.js';
import type { HostBudget, HostIssue } from '../../repository/host.js';
import { isGoneCheckDue, type StageProgress } from '../../repository/import-state.js';
import { goneContent, hasContent, importedHistory, issueContent } from '../../repository/imported.js';
import { hostExternalId, hostIdIn, meetsFilter } from '../../repository/link.js';
import { releasesOf } from './milestones.js';
import {
  completedStage,
  hostReadRequest,
  type ImportStep,
  markAfterPage,
  type ReadStage,
  repositoryNow,
  type StoringStep,
  type UnstoredPage,
} from './step.js';

/** The project's releases, by id and by the milestones they follow. */
interface ProjectReleases {
  readonly releases: readonly Release[];
  readonly byId: ReadonlyMap<string, Release>;
  readonly byExternalId: ReadonlyMap<string, Release>;
}

const readReleases = async ({ stores, link }: StoringStep): Promise<ProjectReleases> => {
  const all = await releasesOf(stores, link.projectId);
  const prefix = hostExternalId(link.host, '');
  const follows = link.settings.milestones !== 'none';
  const releases = follows ? all.filter(({ externalId }) => hostIdIn(externalId, prefix) !== null) : [];
  return {
    releases,
    byId: new Map(all.map((release) => [release.id, release])),
    byExternalId: new Map(releases.map((release) => [release.externalId ?? '', release])),
  };
};

/** An issue of a closed release stays in it, and no issue joins a closed release. */
const membership = (before: Issue | null, wanted: Release | null, { byId }: ProjectReleases): string | null => {
  const present = before?.releaseId == null ? undefined : byId.get(before.releaseId);
  if (present !== undefined && isClosed(present)) return present.id;
  return wanted === null || isClosed(wanted) ? null : wanted.id;
};

const next = (before: Issue, content: Partial<Issue>, now: number): Issue => ({
  ...before,
  ...content,
  version: before.version + 1,
  updatedAt: Math.max(now, before.updatedAt),
});

const changeOf = (
  { link, now, newId }: StoringStep,
  host: HostIssue,
  before: Issue | null,
  releases: ProjectReleases,
): ImportedIssue | null => {
  const belongs = meetsFilter(host, link.settings.filter);
  if (before === null && !belongs) return null;
  const { milestoneId } = host;
  const milestoneRelease =
    milestoneId === null ? null : (releases.byExternalId.get(hostExternalId(link.host, milestoneId)) ?? null);
  const releaseId = membership(before, belongs ? milestoneRelease : null, releases);
  const content = issueContent(host, link.settings.mapping, releaseId);
  if (before !== null && hasContent(before, content)) return null;
  const made = { id: newId(), projectId: link.projectId, externalId: hostExternalId(link.host, host.id) };
  const issue =
    before === null
      ? { ...made, ...content, version: 1, createdAt: host.createdAt, updatedAt: now }
      : next(before, content, now);
  const history = importedHistory({ host, before, issue, releases: releases.releases, milestoneRelease, now });
  return { before, issue, ...history };
};

const knownOf = async ({ stores, link }: StoringStep, ids: readonly string[]): Promise<readonly (Issue | null)[]> => {
  const externalIds = ids.map((id) => hostExternalId(link.host, id));
  const known = await stores.issues.byExternalIds(link.projectId, externalIds);
  return ids.map((_, index) => known[index] ?? null);
};

const storeChanges = async ({ stores }: StoringStep, changes: readonly (ImportedIssue | null)[]): Promise<void> => {
  const made = changes.filter((change) => change !== null);
  if (made.length > 0) await stores.issues.import(made);
};

/** Stores the host's issues that belong to the project or are stored already. Unchanged ones are left alone. */
const storeHostIssues = async (step: StoringStep, rows: readonly HostIssue[]): Promise<void> => {
  const hosts = [...new Map(rows.map((host) => [host.id, host])).values()];
  if (hosts.length === 0) return;
  const known = await knownOf(
    step,
    hosts.map(({ id }) => id),
  );
  const releases = await readReleases(step);
  await storeChanges(
    step,
    hosts.map((host, index) => changeOf(step, host, known[index] ?? null, releases)),
  );
};

/**
 * Cancels the issues with these ids of the host, which no longer has them; they leave their release unless it is
 * closed.
 */
const cancelIssues = async (step: StoringStep, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  const known = await knownOf(step, ids);
  const releases = await readReleases(step);
  const changes = known.map((before): ImportedIssue | null => {
    if (before === null) return null;
    const content = goneContent(before, membership(before, null, releases));
    if (hasContent(before, content)) return null;
    const issue = next(before, content, step.now);
    return { before, issue, events: issueEvents(before, issue, step.now), wholeHistory: false };
  });
  await storeChanges(step, changes);
};

/** Stores the issues that changed at the host. */
export const importIssues: ReadStage = async (step) => {
  const { link, state } = step.linked;
  const { checkpoint } = state;
  const reading = await step.ask((host, access) =>
    host.issues(access, link.repository, hostReadRequest(checkpoint, 'issues')),
  );
  if (reading.unchanged) return { ...completedStage(step), budget: reading.budget };
  const moments = reading.rows.map(({ updatedAt }) => updatedAt);
  return {
    budget: reading.budget,
    rows: { issues: reading.rows.length },
    store: async (storing) => {
      await storeHostIssues(storing, reading.rows);
      const { marks } = checkpoint;
      return { next: reading.next, reading: markAfterPage(checkpoint, 'issues', reading, moments), marks };
    },
  };
};

/** How many issues the host is asked for at once. */
const AT_ONCE = 100;

interface LookedFor {
  readonly found: readonly HostIssue[];
  readonly gone: readonly string[];
  readonly budget: HostBudget | null;
}

const lookFor = async ({ ask, linked }: ImportStep, ids: readonly string[]): Promise<LookedFor> => {
  if (ids.length === 0) return { found: [], gone: [], budget: null };
  const { rows: found, budget } = await ask((host, access) => host.issuesById(access, linked.link.repository, ids));
  const there = new Set(found.map(({ id }) => id));
  return { found, gone: ids.filter((id) => !there.has(id)), budget };
};

const page = async (
  step: ImportStep,
  ids: readonly string[],
  begins: boolean,
  progress: Omit<StageProgress, 'marks' | 'reading'>,
): Promise<UnstoredPage> => {
  const { found, gone, budget } = await lookFor(step, ids);
  // Fails when the repository itself is missing: else all its issues would seem removed.
  const repository = begins || gone.length > 0 ? await repositoryNow(step) : step.linked.link.repository;
  return {
    budget,
    rows: {},
    repository,
    store: async (storing) => {
      await storeHostIssues(storing, found);
      await cancelIssues(storing, gone);
      return { ...progress, reading: null, marks: step.linked.state.checkpoint.marks };
    },
  };
};

const storedIds = async ({ stores, linked }: ImportStep, ids: readonly string[]): Promise<readonly string[]> => {
  const { projectId, host } = linked.link;
  const externalIds = ids.map((id) => hostExternalId(host, id));
  const issues = await stores.issues.byExternalIds(projectId, externalIds);
  return ids.filter((_, index) => issues[index] !== undefined);
};

/**
 * Ids at the host of the imported issues to look up. Issues that are canceled and in no release are left out: if they
 * are gone, nothing changes.
 */
const nextIdsToCheck = async ({ stores, linked }: ImportStep, after: PageKey | null) => {
  const { projectId, host } = linked.link;
  const { rows, next } = await stores.issues.importedPage(projectId, { limit: AT_ONCE, after });
  const ids = rows
    .filter(({ state, releaseId }) => state !== 'canceled' || releaseId !== null)
    .map(({ externalId }) => hostIdIn(externalId, hostExternalId(host, '')))
    .filter((id) => id !== null);
  return { ids, next };
};

/** Cancels the issues that were deleted at the host or moved away: suspects at once, all others are looked for once a day. */
export const cancelGoneIssues: ReadStage = async (step) => {
  const { checkpoint, suspectIssueIds, goneCheckedAt } = step.linked.state;
  if (suspectIssueIds.length > 0) {
    const suspects = suspectIssueIds.slice(0, AT_ONCE);
    const left = { next: checkpoint.page ?? BEGINNING, suspectIssueIds: suspectIssueIds.slice(AT_ONCE) };
    return page(step, await storedIds(step, suspects), false, left);
  }
  const begins = checkpoint.page === null || checkpoint.page === BEGINNING;
  // The first run has just read them all.
  if (begins && !isGoneCheckDue(step.linked.state, step.now))
    return completedStage(step, { goneCheckedAt: goneCheckedAt ?? step.now });
  const { ids, next } = await nextIdsToCheck(step, begins ? null : (JSON.parse(checkpoint.page ?? '') as PageKey));
  if (next !== null) return page(step, ids, begins, { next: JSON.stringify(next) });
  return page(step, ids, begins, { next: null, goneCheckedAt: step.now });
};

/** The `page` of the checkpoint that means the first page, once the suspects were looked up. */
const BEGINNING = '';
