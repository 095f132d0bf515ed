import {
  type ImportState,
  type Instant,
  keptRequests,
  type LinkedRepository,
  pendingMove,
  projectMove,
} from '@shipworthy/domain';
import type { ClaimedConnection, RepositoryLinkStore } from '@shipworthy/domain/ports';
import { markProject, markRelease } from './change-log.js';
import { connectionKey, makeDue } from './host-connections.js';
import { ascending } from './table.js';
import { keyOf, type StoredLink, type TableAccess, type Tables } from './tables.js';

export const repositoryLinkStore = ({ read, change }: TableAccess): RepositoryLinkStore => ({
  put: (linked) => change((tables) => put(tables, linked)),
  ofProject: (projectId) => read((tables) => ofProject(tables, projectId)?.linked),
  lastOf: (projectId) => read(({ origins }) => origins.get(projectId)),
  byId: (linkId) => read(({ links }) => links.get(linkId)?.linked),
  ofConnection: (connection) =>
    read(({ links }) => {
      const all = links.where('connection', connectionKey(connection)).map(({ linked }) => linked);
      return ascending(all, ({ link }) => [link.id]);
    }),
  remove: (linkId, at) => change((tables) => remove(tables, linkId, at)),
  dueOf: (connection, now) =>
    read(({ links }) => {
      const all = links.where('connection', connectionKey(connection)).map(({ linked }) => linked);
      const due = all.filter(({ state }) => state.dueAt <= now);
      return ascending(due, ({ link, state }) => [state.dueAt, link.id])[0];
    }),
  save: (claim, linked, seen, now) => change((tables) => save(tables, claim, linked, seen, now)),
  hurryLink: (linkId, dueAt, suspectIssueIds) =>
    change((tables) => {
      const row = tables.links.get(linkId);
      if (row !== undefined) makeDue(tables, row, dueAt, suspectIssueIds);
    }),
  setIssuesAsOf: (projectId, asOf, now) => change((tables) => setIssuesAsOf(tables, projectId, asOf, now)),
  receive: (host, deliveryId, at) =>
    change(({ deliveries }) => {
      const key = keyOf(host, deliveryId);
      if (deliveries.get(key) !== undefined) return false;
      deliveries.put(key, { key, at });
      return true;
    }),
  removeDeliveries: (before) =>
    change(({ deliveries }) => {
      const old = deliveries.all().filter(({ at }) => at < before);
      for (const { key } of old) deliveries.remove(key);
      return old.length;
    }),
});

/** Removes the external ids of the rows; returns how many rows had one. */
export const detachFromHost = <Row extends Imported>(
  table: { put(key: string, row: Row): void },
  rows: readonly Row[],
): number => {
  const imported = rows.filter(({ externalId }) => externalId !== null);
  for (const row of imported) table.put(row.id, { ...row, externalId: null, version: row.version + 1 });
  return imported.length;
};

const ofProject = ({ links }: Tables, projectId: string): StoredLink | undefined =>
  links.where('project', projectId)[0];

/** Marks the releases that are pending only before, or only after. */
const markPending = (tables: Tables, before: readonly string[], after: readonly string[], at: Instant): void => {
  const read = before.filter((id) => !after.includes(id)).map((id) => pendingMove(id, 'issues_read', at));
  const pending = after.filter((id) => !before.includes(id)).map((id) => pendingMove(id, 'issues_pending', at));
  for (const move of [...read, ...pending])
    if (tables.changes.get(move.id) !== undefined) markRelease(tables, move.id, move);
};

const put = (tables: Tables, linked: LinkedRepository): void => {
  const before = ofProject(tables, linked.link.projectId);
  const pending = before?.linked.state.pendingReleaseIds ?? [];
  markPending(tables, pending, linked.state.pendingReleaseIds, linked.link.linkedAt);
  const { projectId, host, repository } = linked.link;
  tables.origins.put(projectId, { host, repositoryId: repository.id });
  if (before !== undefined) tables.links.remove(before.linked.link.id);
  tables.links.put(linked.link.id, { linked, rerunRequested: false, issuesAsOf: before?.issuesAsOf ?? null });
};

const save = (
  tables: Tables,
  claim: ClaimedConnection,
  linked: LinkedRepository,
  seen: ImportState,
  now: Instant,
): boolean => {
  const key = connectionKey(claim.connection);
  const row = tables.links.get(linked.link.id);
  if (tables.connections.get(key)?.lease !== claim.lease) return false;
  if (row === undefined || connectionKey(row.linked.link) !== key) return false;
  markPending(tables, row.linked.state.pendingReleaseIds, linked.state.pendingReleaseIds, now);
  const stored = { ...row.linked.state, rerunRequested: row.rerunRequested };
  const { dueAt, suspectIssueIds, rerunRequested } = keptRequests(stored, linked.state, seen, now);
  const link = { ...row.linked.link, repository: linked.link.repository };
  const state = { ...linked.state, dueAt, suspectIssueIds };
  tables.links.put(link.id, { ...row, linked: { link, state }, rerunRequested });
  return true;
};

const setIssuesAsOf = (tables: Tables, projectId: string, asOf: Instant | null, now: Instant): void => {
  const row = ofProject(tables, projectId);
  if (row === undefined || row.issuesAsOf === asOf) return;
  tables.links.put(row.linked.link.id, { ...row, issuesAsOf: asOf });
  markProject(tables, projectId, projectMove(projectId, now));
};

const remove = (tables: Tables, linkId: string, at: Instant): boolean => {
  const row = tables.links.get(linkId);
  if (row === undefined) return false;
  markPending(tables, row.linked.state.pendingReleaseIds, [], at);
  const { projectId } = row.linked.link;
  if (row.issuesAsOf !== null) markProject(tables, projectId, projectMove(projectId, at));
  return tables.links.remove(linkId);
};

interface Imported {
  readonly id: string;
  readonly externalId: string | null;
  readonly version: number;
}
