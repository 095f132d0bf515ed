import type { Issue } from '../issue/issue.js';
import { issueEvents } from '../issue/issue-events.js';
import type { ImportedIssue } from '../issue/issue-store.js';
import type { Release } from '../release/release.js';
import { isClosed } from '../release/release-transition.js';
import { externalName, hostIdIn } from '../repository/external-names.js';
import type { HostIssue } from '../repository/host-records.js';
import { importedHistory } from '../repository/imported-history.js';
import { goneContent, hasContent, issueContent } from '../repository/imported-issue.js';
import { meetsFilter } from '../repository/issue-filter.js';
import type { StoringStep } from './in-import.js';
import { releasesOf } from './releases-of.js';

/** The project's releases, by id and by the milestones they follow. */
interface Followed {
  readonly releases: readonly Release[];
  readonly byId: ReadonlyMap<string, Release>;
  readonly byName: ReadonlyMap<string, Release>;
}

const followed = async ({ stores, link }: StoringStep): Promise<Followed> => {
  const all = await releasesOf(stores, link.projectId);
  const prefix = externalName(link.host, '');
  const follows = link.settings.milestones !== 'none';
  const releases = follows ? all.filter(({ externalId }) => hostIdIn(externalId, prefix) !== null) : [];
  return {
    releases,
    byId: new Map(all.map((release) => [release.id, release])),
    byName: new Map(releases.map((release) => [release.externalId ?? '', release])),
  };
};

/** Who belongs to a closed release stays in it, and nobody joins one. */
const membership = (before: Issue | null, wanted: Release | null, { byId }: Followed): string | null => {
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
  releases: Followed,
): ImportedIssue | null => {
  const belongs = meetsFilter(host, link.settings.filter);
  if (before === null && !belongs) return null;
  const { milestoneId } = host;
  const milestoneRelease =
    milestoneId === null ? null : (releases.byName.get(externalName(link.host, milestoneId)) ?? null);
  const releaseId = membership(before, belongs ? milestoneRelease : null, releases);
  const content = issueContent(host, link.settings.mapping, releaseId);
  if (before !== null && hasContent(before, content)) return null;
  const made = { id: newId(), projectId: link.projectId, externalId: externalName(link.host, host.id) };
  const issue =
    before === null
      ? { ...made, ...content, version: 1, createdAt: host.createdAt, updatedAt: now }
      : next(before, content, now);
  const history = importedHistory({ host, before, issue, releases: releases.releases, milestoneRelease, now });
  return { before, issue, ...history };
};

const knownOf = async ({ stores, link }: StoringStep, ids: readonly string[]): Promise<readonly (Issue | null)[]> => {
  const names = ids.map((id) => externalName(link.host, id));
  const known = await stores.issues.byExternalIds(link.projectId, names);
  return ids.map((_, index) => known[index] ?? null);
};

const storeChanges = async ({ stores }: StoringStep, changes: readonly (ImportedIssue | null)[]): Promise<void> => {
  const made = changes.filter((change) => change !== null);
  if (made.length > 0) await stores.issues.import(made);
};

/** Stores what the host's issues are here: those that belong to the project, and those that did. What reads the same is left alone. */
export const storeHostIssues = async (step: StoringStep, rows: readonly HostIssue[]): Promise<void> => {
  const hosts = [...new Map(rows.map((host) => [host.id, host])).values()];
  if (hosts.length === 0) return;
  const known = await knownOf(
    step,
    hosts.map(({ id }) => id),
  );
  const releases = await followed(step);
  await storeChanges(
    step,
    hosts.map((host, index) => changeOf(step, host, known[index] ?? null, releases)),
  );
};

/** Cancels the issues of those ids of the host, which it has no more; they leave the release they are in unless it is closed. */
export const cancelGoneIssues = async (step: StoringStep, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  const known = await knownOf(step, ids);
  const releases = await followed(step);
  const changes = known.map((before): ImportedIssue | null => {
    if (before === null) return null;
    const content = goneContent(before, membership(before, null, releases));
    if (hasContent(before, content)) return null;
    const issue = next(before, content, step.now);
    return { before, issue, events: issueEvents(before, issue, step.now), wholeHistory: false };
  });
  await storeChanges(step, changes);
};
