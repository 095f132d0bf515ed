import { type BadgeOptIn, DomainError, type Project, policyMove, projectMove } from '@shipworthy/domain';
import type { BadgeStore, EventSourceStore, PolicyStore, ProjectStore } from '@shipworthy/domain/ports';
import { DEFAULT_POLICY, type Policy, type PolicyVersion } from '@shipworthy/domain/readiness';
import { markProject } from './change-log-sql.js';
import { asJson } from './dialect.js';
import { type ProjectRow, projectOfRow, projectsAt, projectsOfSources } from './project-lookup-sql.js';
import { among, column, query, type TableOf } from './query.js';
import { type Access, boundMoment, keysetPage, type Listing, storeUnderFreeSlug } from './sql.js';

/** Locks projects until the transaction ends: `alone`, or `shared` with other transactions. */
export const lockProjects = async (
  { dialect, write }: Access,
  mode: 'alone' | 'shared',
  projectIds: readonly string[],
): Promise<void> => {
  if (dialect.lockProjects !== null && projectIds.length > 0)
    await write(dialect.lockProjects[mode], [dialect.list(projectIds)]);
};

/**
 * On a cluster: the last statement of a transaction with reports of projects; `waitForWorkers` waits for its commit.
 */
export const holdUntilWorkersCommit = async (
  { dialect, write }: Access,
  projectIds: readonly string[],
): Promise<void> => {
  if (dialect.cluster !== null && projectIds.length > 0)
    await write(dialect.cluster.holdUntilWorkersCommit, [dialect.list(projectIds)]);
};

/**
 * On a cluster: waits until the workers have committed the reports that the coordinator shows already. Does nothing
 * inside a transaction: one that has locked its projects `alone` has waited for the workers.
 */
export const waitForWorkers = async (
  { dialect, inTransaction, write }: Access,
  projectIds: readonly string[],
): Promise<void> => {
  if (dialect.cluster !== null && !inTransaction)
    await write(dialect.cluster.waitForWorkers, [dialect.list(projectIds)]);
};

/** Holds the project until the transaction ends. */
export const lockProject = (access: Access, projectId: string): Promise<void> =>
  lockProjects(access, 'alone', [projectId]);

interface ProjectColumns extends ProjectRow {
  readonly policy_version: number;
  /** The repository whose issues and releases were last imported. */
  readonly origin_host: string | null;
  readonly origin_repository: string | null;
  /** The moments since which all records of each kind are still stored; null: none was ever removed. */
  readonly deployments_since: number | null;
  readonly test_runs_since: number | null;
  readonly axis_reports_since: number | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    projects: TableOf<
      ProjectColumns,
      'created_at' | 'archived_at' | 'deployments_since' | 'test_runs_since' | 'axis_reports_since'
    >;
    former_project_names: { readonly project_id: string; readonly name: string };
    badges: TableOf<BadgeRow, 'created_at'>;
    event_sources: SourceColumns;
  }
}

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

const replace = (access: Access, next: Project, changedAt: number): Promise<boolean> =>
  access.atomically(async (inside) => {
    const { id, name, slug, version, archivedAt = null } = next;
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
    await before().update({ name, slug, version, archived_at: boundMoment(inside, archivedAt) });
    await markProject(inside, id, projectMove(id, changedAt));
    return true;
  });

const projects = (access: Access) =>
  query(access)
    .from('projects as p')
    .select<ProjectRow[]>('p.id', 'p.team_id', 'p.name', 'p.slug', 'p.version', 'p.created_at', 'p.archived_at');

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

const countNames = async (access: Access, userId: string): Promise<number> => {
  const theirs = () =>
    query(access).from('memberships as m').join('projects as p', 'p.team_id', 'm.team_id').where('m.user_id', userId);
  const former = theirs()
    .join('former_project_names as n', 'n.project_id', 'p.id')
    .whereNot('n.name', column(access, 'p.name'));
  let counted = 0;
  for (const names of [theirs(), former]) {
    const [row] = await names.count<{ readonly names: number }[]>({ names: '*' });
    counted += Number(row?.names ?? 0);
  }
  return counted;
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
  countNames: (userId) => countNames(access, userId),
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

interface SourceColumns {
  readonly project_id: string;
  readonly place: number;
  readonly team_id: string;
  readonly source: string;
}

const refuseTaken = async (
  access: Access,
  { id, teamId }: Pick<Project, 'id' | 'teamId'>,
  sources: readonly string[],
): Promise<void> => {
  const [taken] = await query(access)
    .from('event_sources as s')
    .join('projects as p', 'p.id', 's.project_id')
    .where('s.team_id', teamId)
    .whereNot('s.project_id', id)
    .where(among(access, 's.source', 'text', sources))
    .orderBy('s.source')
    .limit(1)
    .select<{ source: string; id: string; name: string }[]>('s.source', 'p.id', 'p.name');
  if (taken === undefined) return;
  const project = { id: taken.id, name: taken.name };
  const { source } = taken;
  throw new DomainError('event-source-taken', `${source} is an event source of ${project.name}.`, { source, project });
};

const replaceSources = (
  access: Access,
  project: Pick<Project, 'id' | 'teamId'>,
  sources: readonly string[],
): Promise<void> =>
  access.atomically(async (inside) => {
    await lockProject(inside, project.id);
    await refuseTaken(inside, project, sources);
    const stored = () => query(inside).from('event_sources');
    await stored().where('project_id', project.id).delete();
    const rows = sources.map((source, place) => ({ project_id: project.id, place, team_id: project.teamId, source }));
    if (rows.length > 0) await stored().insert(rows);
  });

export const eventSourceStore = (access: Access): EventSourceStore => ({
  ofProject: (projectId) =>
    query(access).from('event_sources').where('project_id', projectId).orderBy('place').pluck('source'),
  replace: (project, sources) => replaceSources(access, project, sources),
  projectsOf: (sources) => projectsOfSources(access, sources),
});

interface PolicyColumns {
  readonly project_id: string;
  readonly version: number;
  readonly policy: string;
  readonly environments: string | null;
  readonly verification: Policy['verification'];
  readonly changed_at: number;
  readonly changed_by: string | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    policies: TableOf<PolicyColumns, 'changed_at'>;
  }
}

export interface PolicyRow {
  readonly policy: string;
  readonly version: number;
  readonly changed_at: number;
  readonly changed_by: string | null;
}

export const policyOf = (row: PolicyRow): PolicyVersion => ({
  policy: JSON.parse(row.policy) as Policy,
  version: row.version,
  changedAt: row.changed_at,
  changedBy: row.changed_by,
});

/** Stores a version of a project's policy; values that statements use have columns of their own. */
const insertPolicy = async (access: Access, projectId: string, next: PolicyVersion): Promise<void> => {
  const { policy, version, changedAt, changedBy } = next;
  await query(access)
    .from('policies')
    .insert({
      project_id: projectId,
      version,
      policy: asJson(policy),
      environments: policy.environments === null ? null : asJson(policy.environments),
      verification: policy.verification,
      changed_at: access.dialect.moment(changedAt),
      changed_by: changedBy,
    });
};

const policies = (access: Access) =>
  query(access).from('policies as o').select<PolicyRow[]>('o.policy', 'o.version', 'o.changed_at', 'o.changed_by');

const versions = (access: Access, projectId: string): Listing => ({
  rows: policies(access).where('o.project_id', projectId),
  sort: [{ name: 'o.version', kind: 'number' }],
  descending: true,
});

const add = (access: Access, projectId: string, next: PolicyVersion): Promise<boolean> =>
  access.atomically(async (inside) => {
    const { version } = next;
    const current = query(inside)
      .from('projects')
      .where({ id: projectId, policy_version: version - 1 });
    if ((await current.update({ policy_version: version })) === 0) return false;
    await insertPolicy(inside, projectId, next);
    const [before] = await policies(inside).where({ 'o.project_id': projectId, 'o.version': version - 1 });
    await markProject(
      inside,
      projectId,
      policyMove(projectId, before ? policyOf(before).policy : DEFAULT_POLICY, next),
    );
    return true;
  });

export const policyStore = (access: Access): PolicyStore => ({
  current: async (projectId) => {
    const [row] = await policies(access)
      .join('projects as p', (by) => by.on('o.project_id', 'p.id').on('o.version', 'p.policy_version'))
      .where('p.id', projectId);
    return row && policyOf(row);
  },
  versions: (projectId, page) =>
    keysetPage(access, versions(access, projectId), page, policyOf, ({ version }) => [version]),
  add: (projectId, next) => add(access, projectId, next),
});
