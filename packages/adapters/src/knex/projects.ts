import { type BadgeOptIn, type Instant, type Project, projectMove, type ReleaseWindow } from '@shipworthy/domain';
import type { BadgeStore, ProjectAt, ProjectStore } from '@shipworthy/domain/ports';
import { DEFAULT_POLICY } from '@shipworthy/domain/readiness';
import { markProject } from './change-log.js';
import { insertPolicy } from './policies.js';
import { among, query, type TableOf } from './query.js';
import { type Access, groupedBy, storeUnderFreeSlug } from './sql.js';

/** Holds the project until the transaction ends. */
export const lockProject = async (access: Access, projectId: string): Promise<void> => {
  await query(access).from('projects').where('id', projectId).forUpdate().select('id');
};

export interface ProjectRow {
  readonly id: string;
  readonly team_id: string;
  readonly name: string;
  readonly slug: string;
  readonly version: number;
  readonly created_at: number;
}

interface ProjectColumns extends ProjectRow {
  readonly policy_version: number;
  /** The repository whose issues and releases were last imported. */
  readonly origin_host: string | null;
  readonly origin_repository: string | null;
  /** From when on its records are all there; null: all ever stored. */
  readonly deployments_since: number | null;
  readonly test_runs_since: number | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    projects: TableOf<ProjectColumns, 'created_at' | 'deployments_since' | 'test_runs_since'>;
    former_project_names: { readonly project_id: string; readonly name: string };
    badges: TableOf<BadgeRow, 'created_at'>;
  }
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
    const { id, teamId, name, version, createdAt } = project;
    const taken = await query(inside)
      .from('projects')
      .where('team_id', teamId)
      .where((same) => same.where('slug', project.slug).orWhere('slug', 'like', `${project.slug}-%`))
      .select('slug');
    const columns = {
      id,
      team_id: teamId,
      name,
      version,
      policy_version: 1,
      created_at: access.dialect.moment(createdAt),
    };
    const slug = await storeUnderFreeSlug(
      project.slug,
      taken.map((row) => row.slug),
      async (free) => {
        const stored = await query(inside)
          .from('projects')
          .insert({ ...columns, slug: free }, ['id'])
          .onConflict(['team_id', 'slug'])
          .ignore();
        return stored.length === 1;
      },
    );
    await insertPolicy(inside, id, { policy: DEFAULT_POLICY, version: 1, changedAt: createdAt, changedBy: null });
    return { ...project, slug };
  });

const replace = (access: Access, { id, name, slug, version }: Project, changedAt: number): Promise<boolean> =>
  access.atomically(async (inside) => {
    const before = () =>
      query(inside)
        .from('projects')
        .where({ id, version: version - 1 });
    const stored = await before().forUpdate().first('name');
    if (stored === undefined) return false;
    if (stored.name !== name)
      await query(inside)
        .from('former_project_names')
        .insert({ project_id: id, name: stored.name })
        .onConflict(['project_id', 'name'])
        .ignore();
    await before().update({ name, slug, version });
    await markProject(inside, id, projectMove(id, changedAt));
    return true;
  });

const projects = (access: Access) =>
  query(access)
    .from('projects as p')
    .select<ProjectRow[]>('p.id', 'p.team_id', 'p.name', 'p.slug', 'p.version', 'p.created_at');

/** The names that projects of the teams have or had. */
const names = async (access: Access, teamIds: readonly string[]) => {
  const theirs = () =>
    query(access)
      .from('projects as p')
      .where(among(access, 'p.team_id', 'id', teamIds));
  const former = theirs().join('former_project_names as n', 'n.project_id', 'p.id');
  return former
    .select<{ projectId: string; name: string; currentName: string }[]>(
      'p.id as projectId',
      'n.name as name',
      'p.name as currentName',
    )
    .union(theirs().select('p.id as projectId', 'p.name as name', 'p.name as currentName'))
    .orderBy(['name', 'projectId']);
};

export const projectStore = (access: Access): ProjectStore => ({
  create: (project) => create(access, project),
  byId: async (projectId) => {
    const [row] = await projects(access).where('p.id', projectId);
    return row && projectOfRow(row);
  },
  ofTeams: async (teamIds) => {
    const rows = await projects(access)
      .where(among(access, 'p.team_id', 'id', teamIds))
      .orderBy(['p.name', 'p.id']);
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
  names: (teamIds) => names(access, teamIds),
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
    const columns = { token_hash: tokenHash, created_at: access.dialect.moment(createdAt), created_by: createdBy };
    await query(access)
      .from('badges')
      .insert({ project_id: projectId, ...columns })
      .onConflict('project_id')
      .merge(columns);
  },
  ofProject: async (projectId) => {
    const row = await query(access).from('badges').where('project_id', projectId).first();
    return row && optInOf(row);
  },
  remove: async (projectId) => (await query(access).from('badges').where('project_id', projectId).delete()) === 1,
});
