import { type BadgeOptIn, type Instant, type Project, projectMove, type ReleaseWindow } from '@shipworthy/domain';
import type { BadgeStore, ProjectAt, ProjectStore } from '@shipworthy/domain/ports';
import { DEFAULT_POLICY } from '@shipworthy/domain/readiness';
import { markProject } from './change-log.js';
import { insertPolicy } from './policies.js';
import { type Access, groupedBy, insertUnlessThere, remove, storeUnderFreeSlug, update } from './sql.js';

/** Holds the project until the transaction ends. */
export const lockProject = async (access: Access, projectId: string): Promise<void> => {
  await access.write(`select id from projects where id = ? ${access.dialect.forUpdate}`, [projectId]);
};

export interface ProjectRow {
  readonly id: string;
  readonly team_id: string;
  readonly name: string;
  readonly slug: string;
  readonly version: number;
  readonly created_at: number;
}

interface ProjectAtRow extends ProjectRow {
  /** The name or id asked for. */
  readonly asked: string;
  readonly environments: string | null;
  readonly release_id: string | null;
  readonly release_name: string;
  readonly starts_at: number;
  readonly ends_at: number | null;
  readonly shipped_at: number | null;
}

export const PROJECT_COLUMNS = 'p.id, p.team_id, p.name, p.slug, p.version, p.created_at';

export const projectOfRow = (row: ProjectRow): Project => ({
  id: row.id,
  teamId: row.team_id,
  name: row.name,
  slug: row.slug,
  version: row.version,
  createdAt: row.created_at,
});

/** A project with every release whose window touches the time asked about. */
const projectOver = (rows: readonly ProjectAtRow[]): ProjectAt[] => {
  const [first] = rows;
  if (first === undefined) return [];
  const releases = rows.flatMap(({ release_id: id, release_name: name, starts_at, ends_at, shipped_at }) =>
    id === null ? [] : [{ id, name, startsAt: starts_at, endsAt: ends_at, shippedAt: shipped_at }],
  );
  const environments = first.environments === null ? null : (JSON.parse(first.environments) as string[]);
  return [{ project: projectOfRow(first), environments, releases }];
};

const holds = ({ startsAt, endsAt }: ReleaseWindow, at: Instant): boolean =>
  startsAt <= at && (endsAt === null || at < endsAt);

const asAt = (over: ProjectAt, at: Instant): ProjectAt =>
  over.releases.every((window) => holds(window, at))
    ? over
    : { ...over, releases: over.releases.filter((window) => holds(window, at)) };

/** A project by its name or id, as at a moment. */
export interface Lookup {
  readonly key: string;
  readonly at: Instant;
}

/** The projects of each lookup. Each key is asked for once, over all of its moments; who asks the same shares the answer. */
const projectsAt = async (
  access: Access,
  key: 'name' | 'id',
  lookups: readonly Lookup[],
): Promise<readonly (readonly ProjectAt[])[]> => {
  if (lookups.length === 0) return [];
  const { moment, rowset } = access.dialect;
  const asked = rowset('v', { key: key === 'id' ? 'id' : 'text', earliest: 'moment', latest: 'moment' });
  const rows = await access.read<ProjectAtRow>(
    `select v.key as asked, ${PROJECT_COLUMNS}, o.environments, r.id as release_id, r.name as release_name, r.starts_at,
        coalesce(r.shipped_at, r.canceled_at) as ends_at, r.shipped_at
      from ${asked.table} join projects p on p.${key} = v.key
        join policies o on o.project_id = p.id and o.version = p.policy_version
        left join releases r on r.project_id = p.id and r.starts_at <= v.latest
          and (coalesce(r.shipped_at, r.canceled_at) is null or coalesce(r.shipped_at, r.canceled_at) > v.earliest)
      order by p.id, r.created_at desc, r.id desc`,
    asked.bindings(
      [...groupedBy(lookups, (lookup) => lookup.key)].map(([name, ofKey]) => {
        const [earliest, latest] = span(ofKey);
        return [name, moment(earliest), moment(latest)];
      }),
    ),
    `projects-by-${key}`,
  );
  const over = new Map(
    [...groupedBy(rows, (row) => row.asked)].map(([name, ofKey]) => [
      name,
      [...groupedBy(ofKey, ({ id }) => id).values()].flatMap(projectOver),
    ]),
  );
  return lookups.map(({ key: name, at }) => (over.get(name) ?? []).map((project) => asAt(project, at)));
};

const span = (lookups: readonly Lookup[]): readonly [earliest: Instant, latest: Instant] => {
  let [earliest, latest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { at } of lookups) {
    earliest = Math.min(earliest, at);
    latest = Math.max(latest, at);
  }
  return [earliest, latest];
};

const create = (access: Access, project: Project): Promise<Project> =>
  access.atomically(async (inside) => {
    const { id, teamId, name, version } = project;
    const taken = await inside.read<{ slug: string }>(
      'select slug from projects where team_id = ? and (slug = ? or slug like ?)',
      [teamId, project.slug, `${project.slug}-%`],
    );
    const columns = { id, team_id: teamId, name, version, policy_version: 1 };
    const created_at = access.dialect.moment(project.createdAt);
    const slug = await storeUnderFreeSlug(
      project.slug,
      taken.map((row) => row.slug),
      (free) => insertUnlessThere(inside, 'projects', { ...columns, slug: free, created_at }, 'team_id, slug'),
    );
    const { createdAt } = project;
    await insertPolicy(inside, id, { policy: DEFAULT_POLICY, version: 1, changedAt: createdAt, changedBy: null });
    return { ...project, slug };
  });

const replace = (access: Access, { id, name, slug, version }: Project, changedAt: number): Promise<boolean> =>
  access.atomically(async (inside) => {
    await lockProject(inside, id);
    await inside.write(
      `insert into former_project_names (project_id, name) select id, name from projects
        where id = ? and version = ? and name <> ? on conflict (project_id, name) do nothing`,
      [id, version - 1, name],
    );
    const replaced = await update(inside, 'projects', { name, slug, version }, 'id = ? and version = ?', [
      id,
      version - 1,
    ]);
    if (replaced === 0) return false;
    await markProject(inside, id, projectMove(id, changedAt));
    return true;
  });

export const projectStore = (access: Access): ProjectStore => ({
  create: (project) => create(access, project),
  byId: async (projectId) => {
    const [row] = await access.read<ProjectRow>(`select ${PROJECT_COLUMNS} from projects p where p.id = ?`, [
      projectId,
    ]);
    return row && projectOfRow(row);
  },
  ofTeams: async (teamIds) => {
    const rows = await access.read<ProjectRow>(
      `select ${PROJECT_COLUMNS} from projects p where ${access.dialect.among('p.team_id', 'id')} order by p.name, p.id`,
      [access.dialect.list(teamIds)],
    );
    return rows.map(projectOfRow);
  },
  replace: (next, changedAt) => replace(access, next, changedAt),
  lock: (projectId) => lockProject(access, projectId),
  named: (lookups) =>
    projectsAt(
      access,
      'name',
      lookups.map(({ name, at }) => ({ key: name, at })),
    ),
  at: async (moments) => {
    const found = await projectsAt(
      access,
      'id',
      moments.map(({ projectId, at }) => ({ key: projectId, at })),
    );
    return found.map(([project]) => project);
  },
  names: (teamIds) =>
    access.read(
      `select p.id as "projectId", n.name, p.name as "currentName" from projects p
        join (select project_id, name from former_project_names union select id, name from projects) n
          on n.project_id = p.id
        where ${access.dialect.among('p.team_id', 'id')} order by n.name, p.id`,
      [access.dialect.list(teamIds)],
    ),
});

interface BadgeRow {
  readonly project_id: string;
  readonly token_hash: string;
  readonly created_at: number;
  readonly created_by: string;
}

const optInOf = (row: BadgeRow): BadgeOptIn => ({
  projectId: row.project_id,
  tokenHash: row.token_hash,
  createdAt: row.created_at,
  createdBy: row.created_by,
});

export const badgeStore = (access: Access): BadgeStore => ({
  put: async ({ projectId, tokenHash, createdAt, createdBy }) => {
    await access.write(
      `insert into badges (project_id, token_hash, created_at, created_by) values (?, ?, ?, ?)
        on conflict (project_id) do update set
          token_hash = excluded.token_hash, created_at = excluded.created_at, created_by = excluded.created_by`,
      [projectId, tokenHash, access.dialect.moment(createdAt), createdBy],
    );
  },
  ofProject: async (projectId) => {
    const text = 'select project_id, token_hash, created_at, created_by from badges where project_id = ?';
    const [row] = await access.read<BadgeRow>(text, [projectId]);
    return row && optInOf(row);
  },
  remove: async (projectId) => (await remove(access, 'badges', 'project_id = ?', [projectId])) === 1,
});
