import {
  type ImportState,
  type Instant,
  type LinkedRepository,
  projectMove,
  type RepositoryOrigin,
} from '@shipworthy/domain';
import type { ClaimedConnection, RepositoryLinkStore } from '@shipworthy/domain/ports';
import { markPending, markProject } from './change-log.js';
import { asJson, type Value } from './dialect.js';
import { lockProject } from './projects.js';
import { type Access, boundMoment, insertUnlessThere, removeInPortions, type StoredColumns, update } from './sql.js';

interface DueRow {
  readonly id: string;
  readonly due_at: number;
  readonly running: number;
  readonly hurried: number;
  readonly suspects: string;
}

const KINDS = { id: 'id', due_at: 'moment', hurried: 'integer', suspects: 'json' } as const;

/**
 * Makes the links that meet the condition due, in two statements, and answers how many they are. One that is due by then
 * already becomes due a millisecond earlier than it was: so whoever is at it sees that it was asked for once more.
 */
export const makeDue = (
  access: Access,
  condition: string,
  bindings: readonly Value[],
  { dueAt, suspects = [] }: { readonly dueAt: Instant; readonly suspects?: readonly string[] },
): Promise<number> =>
  access.atomically(async (inside) => {
    const { forUpdate, moment, rowset } = inside.dialect;
    const rows = await inside.write<DueRow>(
      `select id, due_at, case when running_since is null then 0 else 1 end as running, hurried, suspects
        from repository_links where ${condition} order by id ${forUpdate}`,
      bindings,
    );
    if (rows.length === 0) return 0;
    const changed = rowset('v', KINDS);
    const cells = rows.map((row) => {
      const all = new Set([...(JSON.parse(row.suspects) as readonly string[]), ...suspects]);
      const hurried = Math.max(row.hurried, row.running);
      return [row.id, moment(Math.min(dueAt, row.due_at - 1)), hurried, asJson([...all])];
    });
    await inside.write(
      `update repository_links as l set due_at = v.due_at, hurried = v.hurried, suspects = v.suspects
        from ${changed.table} where l.id = v.id`,
      changed.bindings(cells),
    );
    return rows.length;
  });

/** What is kept of an import beside the columns that statements look at. */
type Progress = Omit<ImportState, 'linkId' | 'dueAt' | 'startedAt' | 'suspectIssueIds' | 'pendingReleaseIds'>;

export interface LinkRow {
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

const LINK_COLUMNS = `id, project_id, host, user_id, repository_id, repository_path, repository_url, default_branch,
  settings, linked_at, linked_by, due_at, running_since, progress, suspects, pending`;

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

/** What a running import changes: its own state, and how the repository is called now. */
const stateColumns = (access: Access, { link: { repository }, state }: LinkedRepository): StoredColumns => {
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

/** A link as it is first stored; nobody asked for another run yet. */
export const linkColumns = (access: Access, linked: LinkedRepository): StoredColumns => {
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

const oneWhere = async (access: Access, rest: string, values: readonly (string | number)[]) => {
  const [row] = await access.read<LinkRow>(`select ${LINK_COLUMNS} from repository_links where ${rest}`, values);
  return row && linkedOf(row);
};

const put = async (access: Access, linked: LinkedRepository): Promise<void> => {
  const columns = linkColumns(access, linked);
  const names = Object.keys(columns);
  const set = names.filter((name) => name !== 'project_id').map((name) => `${name} = excluded.${name}`);
  const { link, state } = linked;
  await access.atomically(async (inside) => {
    // In the order of an import, which has the project before it comes to links and revisions.
    await lockProject(inside, link.projectId);
    const [before] = await inside.read<{ pending: string }>(
      'select pending from repository_links where project_id = ?',
      [link.projectId],
    );
    await inside.write(
      `insert into repository_links (${names.join(', ')}) values (${names.map(() => '?').join(', ')})
        on conflict (project_id) do update set ${set.join(', ')}`,
      Object.values(columns),
    );
    const origin = { origin_host: link.host, origin_repository: link.repository.id };
    await update(inside, 'projects', origin, 'id = ?', [link.projectId]);
    await markPending(inside, before?.pending ?? '[]', state.pendingReleaseIds, link.linkedAt);
  });
};

const lastOf = async (access: Access, projectId: string): Promise<RepositoryOrigin | undefined> => {
  const [origin] = await access.read<RepositoryOrigin>(
    `select origin_host as "host", origin_repository as "repositoryId" from projects
      where id = ? and origin_repository is not null`,
    [projectId],
  );
  return origin;
};

interface StoredRow {
  readonly due_at: number;
  readonly hurried: number;
  readonly suspects: string;
  readonly pending: string;
}

/** What was asked for since `seen` outlives what is stored over it. */
const merged = (row: StoredRow, next: ImportState, seen: ImportState) => {
  const earlier = row.due_at < seen.dueAt;
  const over = next.startedAt === null;
  const before = new Set(seen.suspectIssueIds);
  const added = (JSON.parse(row.suspects) as readonly string[]).filter((id) => !before.has(id));
  return {
    dueAt: earlier || (over && row.hurried === 1) ? Math.min(row.due_at, next.dueAt) : next.dueAt,
    suspectIssueIds: [...new Set([...next.suspectIssueIds, ...added])],
    hurried: over ? 0 : Math.max(row.hurried, Number(earlier)),
  };
};

const save = (
  access: Access,
  { connection: { userId, host }, lease }: ClaimedConnection,
  linked: LinkedRepository,
  seen: ImportState,
  now: Instant,
): Promise<boolean> =>
  access.atomically(async (inside) => {
    const { forUpdate } = inside.dialect;
    // Held to the end: whoever claims the connection afterwards sees all of this, or this sees the claim.
    const held = await inside.write(
      `select 1 as held from host_connections where user_id = ? and host = ? and lease = ? ${forUpdate}`,
      [userId, host, lease],
    );
    if (held.length === 0) return false;
    const [row] = await inside.write<StoredRow>(
      `select due_at, hurried, suspects, pending from repository_links where id = ? and user_id = ? and host = ? ${forUpdate}`,
      [linked.link.id, userId, host],
    );
    if (row === undefined) return false;
    const { hurried, ...kept } = merged(row, linked.state, seen);
    const columns = stateColumns(access, { link: linked.link, state: { ...linked.state, ...kept } });
    await update(inside, 'repository_links', { ...columns, hurried }, 'id = ?', [linked.link.id]);
    await markPending(inside, row.pending, linked.state.pendingReleaseIds, now);
    return true;
  });

const setStale = async (access: Access, projectId: string, asOf: Instant | null, now: Instant): Promise<void> => {
  const value = boundMoment(access, asOf);
  const news = 'project_id = ? and issues_as_of is distinct from ?';
  const [found] = await access.read(`select 1 as news from repository_links where ${news}`, [projectId, value]);
  if (found === undefined) return;
  await access.atomically(async (inside) => {
    // In the order of an import, which has the project before it comes to links and revisions.
    await lockProject(inside, projectId);
    const changed = await update(inside, 'repository_links', { issues_as_of: value }, news, [projectId, value]);
    if (changed > 0) await markProject(inside, projectId, projectMove(projectId, now));
  });
};

const remove = (access: Access, linkId: string): Promise<boolean> =>
  access.atomically(async (inside) => {
    const [link] = await inside.read<{ project_id: string }>('select project_id from repository_links where id = ?', [
      linkId,
    ]);
    if (link === undefined) return false;
    const { project_id: id } = link;
    await lockProject(inside, id);
    const [gone] = await inside.write<{ issues_as_of: number | null; linked_at: number; pending: string }>(
      'delete from repository_links where id = ? returning issues_as_of, linked_at, pending',
      [linkId],
    );
    if (gone === undefined) return false;
    await markPending(inside, gone.pending, [], gone.linked_at);
    if (gone.issues_as_of !== null) await markProject(inside, id, projectMove(id, gone.issues_as_of));
    return true;
  });

export const repositoryLinkStore = (access: Access): RepositoryLinkStore => ({
  put: (linked) => put(access, linked),
  ofProject: (projectId) => oneWhere(access, 'project_id = ?', [projectId]),
  lastOf: (projectId) => lastOf(access, projectId),
  byId: (linkId) => oneWhere(access, 'id = ?', [linkId]),
  ofConnection: async ({ userId, host }) => {
    const text = `select ${LINK_COLUMNS} from repository_links where user_id = ? and host = ? order by id`;
    return (await access.read<LinkRow>(text, [userId, host])).map(linkedOf);
  },
  remove: (linkId) => remove(access, linkId),
  dueOf: ({ userId, host }, now) =>
    oneWhere(access, 'user_id = ? and host = ? and due_at <= ? order by due_at, id limit 1', [
      userId,
      host,
      access.dialect.moment(now),
    ]),
  save: (claim, linked, seen, now) => save(access, claim, linked, seen, now),
  hurry: ({ host, repositoryId, dueAt, suspectIssueIds: suspects }) =>
    makeDue(access, 'host = ? and repository_id = ?', [host, repositoryId], { dueAt, suspects }),
  hurryLink: async (linkId, dueAt) => {
    await makeDue(access, 'id = ?', [linkId], { dueAt });
  },
  setStale: (projectId, asOf, now) => setStale(access, projectId, asOf, now),
  receive: (host, deliveryId, at) => {
    const columns = { id: `${host}:${deliveryId}`, at: access.dialect.moment(at) };
    return insertUnlessThere(access, 'hook_deliveries', columns, 'id');
  },
  removeDeliveries: (before) => removeInPortions(access, 'hook_deliveries', 'at < ?', access.dialect.moment(before)),
});

/** Takes their names at the host from the project's rows; answers how many had one. */
export const letGo = async (access: Access, table: 'issues' | 'releases', projectId: string): Promise<number> => {
  const text = `update ${table} set external_id = null, version = version + 1
    where project_id = ? and external_id is not null returning 1 as changed`;
  return (await access.write(text, [projectId])).length;
};
