import {
  type ClaimedConnection,
  type ImportState,
  type Instant,
  type LinkedRepository,
  projectMove,
  type RepositoryLinkStore,
  type RepositoryOrigin,
} from '@shipworthy/domain';
import type { Access } from './access.js';
import { makeDue } from './due-links.js';
import { markProject } from './marks.js';
import { markPending } from './pending-marks.js';
import { removeInPortions } from './portions.js';
import { lockProject } from './project-lock.js';
import { LINK_COLUMNS, type LinkRow, linkColumns, linkedOf, stateColumns } from './repository-link-row.js';
import { insertUnlessThere, momentOrNull, update } from './sql.js';

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
  const value = momentOrNull(access, asOf);
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
