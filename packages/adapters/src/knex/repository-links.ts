import {
  type HostConnection,
  type ImportState,
  type Instant,
  keptRequests,
  type LinkedRepository,
  projectMove,
  type RepositoryOrigin,
} from '@shipworthy/domain';
import type { ClaimedConnection, RepositoryLinkStore } from '@shipworthy/domain/ports';
import { markPending, markProject } from './change-log-sql.js';
import { asJson } from './dialect.js';
import { lockProject } from './projects.js';
import { query, type TableOf } from './query.js';
import { type Access, boundMoment, removeInPortions } from './sql.js';
import { storeDue } from './work-sql.js';

/**
 * Makes the links that meet the condition due, in two statements; returns how many there are. A link that is due by
 * then already becomes due a millisecond earlier: so the worker that imports it sees the new request.
 */
export const makeDue = (
  access: Access,
  which: Partial<Pick<LinkColumns, 'id' | 'user_id' | 'host' | 'repository_id'>>,
  { dueAt, suspects = [] }: { readonly dueAt: Instant; readonly suspects?: readonly string[] },
): Promise<number> =>
  access.atomically(async (inside) => {
    const rows = await query(inside)
      .from('repository_links')
      .where(which)
      .orderBy('id')
      .forUpdate()
      .select('id', 'due_at', 'running_since', 'hurried', 'suspects');
    if (rows.length === 0) return 0;
    const due = rows.map((row) => ({
      id: row.id,
      dueAt: Math.min(dueAt, row.due_at - 1),
      rerunRequested: Math.max(row.hurried, row.running_since === null ? 0 : 1),
      suspects: [...new Set([...(JSON.parse(row.suspects) as readonly string[]), ...suspects])],
    }));
    await storeDue(inside, due);
    return rows.length;
  });

/** The part of an import's state that is stored as JSON, since no statement uses it. */
type Progress = Omit<ImportState, 'linkId' | 'dueAt' | 'startedAt' | 'suspectIssueIds' | 'pendingReleaseIds'>;

interface LinkRow {
  readonly id: string;
  readonly project_id: string;
  readonly host: string;
  readonly user_id: string;
  readonly repository_id: string;
  readonly repository_path: string;
  readonly repository_url: string;
  readonly default_branch: string;
  readonly settings: string;
  readonly linked_at: number;
  readonly linked_by: string;
  readonly due_at: number;
  readonly running_since: number | null;
  readonly progress: string;
  readonly suspects: string;
  readonly pending: string;
}

interface LinkColumns extends LinkRow {
  /** 1: another run was asked for while one was going on. */
  readonly hurried: number;
  /** While the known issues are out of date: when they were last complete; null: they are up to date. */
  readonly issues_as_of: number | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    repository_links: TableOf<LinkColumns, 'linked_at' | 'due_at' | 'running_since' | 'issues_as_of'>;
    hook_deliveries: TableOf<{ readonly id: string; readonly at: number }, 'at'>;
  }
}

const LINK_COLUMNS = [
  ...(['id', 'project_id', 'host', 'user_id', 'repository_id', 'repository_path', 'repository_url'] as const),
  ...(['default_branch', 'settings', 'linked_at', 'linked_by', 'due_at', 'running_since'] as const),
  ...(['progress', 'suspects', 'pending'] as const),
] as const;

const linkedOf = (row: LinkRow): LinkedRepository => ({
  link: {
    id: row.id,
    projectId: row.project_id,
    host: row.host,
    userId: row.user_id,
    repository: {
      id: row.repository_id,
      path: row.repository_path,
      url: row.repository_url,
      defaultBranch: row.default_branch,
    },
    settings: JSON.parse(row.settings) as LinkedRepository['link']['settings'],
    linkedAt: row.linked_at,
    linkedBy: row.linked_by,
  },
  state: {
    linkId: row.id,
    dueAt: row.due_at,
    startedAt: row.running_since,
    suspectIssueIds: JSON.parse(row.suspects) as readonly string[],
    pendingReleaseIds: JSON.parse(row.pending) as readonly string[],
    ...(JSON.parse(row.progress) as Progress),
  },
});

/** The columns that a running import changes: its state, and what describes the repository. */
const stateColumns = (access: Access, { link: { repository }, state }: LinkedRepository) => {
  const { linkId: _, dueAt, startedAt, suspectIssueIds, pendingReleaseIds, ...progress } = state;
  return {
    repository_id: repository.id,
    repository_path: repository.path,
    repository_url: repository.url,
    default_branch: repository.defaultBranch,
    due_at: access.dialect.moment(dueAt),
    running_since: boundMoment(access, startedAt),
    progress: asJson(progress satisfies Progress),
    suspects: asJson(suspectIssueIds),
    pending: asJson(pendingReleaseIds),
  };
};

/** The columns of a link as it is first stored, without a request for another run. */
export const linkColumns = (access: Access, linked: LinkedRepository) => {
  const { link } = linked;
  return {
    id: link.id,
    project_id: link.projectId,
    host: link.host,
    user_id: link.userId,
    settings: asJson(link.settings),
    linked_at: access.dialect.moment(link.linkedAt),
    linked_by: link.linkedBy,
    hurried: 0,
    ...stateColumns(access, linked),
  };
};

const links = (access: Access) => query(access).from('repository_links');

const oneOf = async (access: Access, which: Partial<Pick<LinkColumns, 'id' | 'project_id'>>) => {
  const row = await links(access)
    .where(which)
    .first(...LINK_COLUMNS);
  return row && linkedOf(row);
};

/** Returns the link of the connection that has been due longest; undefined: none is due. */
const dueOf = async (access: Access, { userId, host }: Pick<HostConnection, 'userId' | 'host'>, now: Instant) => {
  const row = await links(access)
    .where({ user_id: userId, host })
    .where('due_at', '<=', access.dialect.moment(now))
    .orderBy(['due_at', 'id'])
    .first(...LINK_COLUMNS);
  return row && linkedOf(row);
};

const put = async (access: Access, linked: LinkedRepository): Promise<void> => {
  const { project_id, ...columns } = linkColumns(access, linked);
  const { link, state } = linked;
  await access.atomically(async (inside) => {
    // Locks the project first, as an import does, before links and revisions: one order of locks prevents deadlocks.
    await lockProject(inside, link.projectId);
    const before = await links(inside).where({ project_id }).first('pending');
    await links(inside)
      .insert({ project_id, ...columns })
      .onConflict('project_id')
      .merge(columns);
    const origin = { origin_host: link.host, origin_repository: link.repository.id };
    await query(inside).from('projects').where('id', link.projectId).update(origin);
    await markPending(inside, before?.pending ?? '[]', state.pendingReleaseIds, link.linkedAt);
  });
};

const lastOf = async (access: Access, projectId: string): Promise<RepositoryOrigin | undefined> => {
  const row = await query(access).from('projects').where('id', projectId).first('origin_host', 'origin_repository');
  if (!row || row.origin_host === null || row.origin_repository === null) return undefined;
  return { host: row.origin_host, repositoryId: row.origin_repository };
};

const save = (
  access: Access,
  { connection: { userId, host }, lease }: ClaimedConnection,
  linked: LinkedRepository,
  seen: ImportState,
  now: Instant,
): Promise<boolean> =>
  access.atomically(async (inside) => {
    // Locks the claim until the end: a later claim sees all that is stored here, and an earlier one is no longer found.
    const claim = query(inside).from('host_connections').where({ user_id: userId, host, lease });
    if ((await claim.forUpdate().first('lease')) === undefined) return false;
    const row = await links(inside)
      .where({ id: linked.link.id, user_id: userId, host })
      .forUpdate()
      .first('due_at', 'hurried', 'suspects', 'pending');
    if (row === undefined) return false;
    const suspectIssueIds = JSON.parse(row.suspects) as readonly string[];
    const stored = { dueAt: row.due_at, suspectIssueIds, rerunRequested: row.hurried === 1 };
    const { rerunRequested, ...kept } = keptRequests(stored, linked.state, seen, now);
    const columns = stateColumns(access, { link: linked.link, state: { ...linked.state, ...kept } });
    await links(inside)
      .where('id', linked.link.id)
      .update({ ...columns, hurried: rerunRequested ? 1 : 0 });
    await markPending(inside, row.pending, linked.state.pendingReleaseIds, now);
    return true;
  });

/** Selects the project's link if its `issues_as_of` differs from the given one. */
const linkWithOther = (access: Access, project_id: string, issues_as_of: string | number | null) => {
  const link = links(access).where({ project_id });
  if (issues_as_of === null) return link.whereNotNull('issues_as_of');
  return link.where((other) => other.whereNull('issues_as_of').orWhere('issues_as_of', '<>', issues_as_of));
};

const setIssuesAsOf = async (access: Access, projectId: string, asOf: Instant | null, now: Instant): Promise<void> => {
  const issues_as_of = boundMoment(access, asOf);
  if ((await linkWithOther(access, projectId, issues_as_of).first('id')) === undefined) return;
  await access.atomically(async (inside) => {
    // Locks the project first, as an import does, before links and revisions: one order of locks prevents deadlocks.
    await lockProject(inside, projectId);
    const changed = await linkWithOther(inside, projectId, issues_as_of).update({ issues_as_of });
    if (changed > 0) await markProject(inside, projectId, projectMove(projectId, now));
  });
};

const remove = (access: Access, linkId: string, at: Instant): Promise<boolean> =>
  access.atomically(async (inside) => {
    const link = await links(inside).where('id', linkId).first('project_id');
    if (link === undefined) return false;
    const { project_id: id } = link;
    await lockProject(inside, id);
    const gone = await links(inside).where('id', linkId).forUpdate().first('issues_as_of', 'pending');
    if (gone === undefined) return false;
    await links(inside).where('id', linkId).delete();
    await markPending(inside, gone.pending, [], at);
    if (gone.issues_as_of !== null) await markProject(inside, id, projectMove(id, at));
    return true;
  });

export const repositoryLinkStore = (access: Access): RepositoryLinkStore => ({
  put: (linked) => put(access, linked),
  ofProject: (projectId) => oneOf(access, { project_id: projectId }),
  lastOf: (projectId) => lastOf(access, projectId),
  byId: (linkId) => oneOf(access, { id: linkId }),
  ofConnection: async ({ userId, host }) => {
    const theirs = links(access).where({ user_id: userId, host }).orderBy('id');
    return (await theirs.select(...LINK_COLUMNS)).map(linkedOf);
  },
  remove: (linkId, at) => remove(access, linkId, at),
  dueOf: (connection, now) => dueOf(access, connection, now),
  save: (claim, linked, seen, now) => save(access, claim, linked, seen, now),
  hurryLink: async (linkId, dueAt, suspects = []) => {
    await makeDue(access, { id: linkId }, { dueAt, suspects });
  },
  setIssuesAsOf: (projectId, asOf, now) => setIssuesAsOf(access, projectId, asOf, now),
  receive: async (host, deliveryId, at) => {
    const delivery = { id: `${host}:${deliveryId}`, at: access.dialect.moment(at) };
    const deliveries = query(access).from('hook_deliveries');
    return (await deliveries.insert(delivery, ['id']).onConflict('id').ignore()).length === 1;
  },
  removeDeliveries: (before) => removeInPortions(access, 'hook_deliveries', 'at < ?', access.dialect.moment(before)),
});

/** Removes the external ids from the project's rows; returns how many had one. */
export const detachFromHost = (access: Access, table: 'issues' | 'releases', projectId: string): Promise<number> =>
  query(access)
    .from<{ project_id: string; external_id: string | null; version: number }>(table)
    .where('project_id', projectId)
    .whereNotNull('external_id')
    .increment('version')
    .update({ external_id: null });
