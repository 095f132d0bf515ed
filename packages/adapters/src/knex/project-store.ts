import type { NamedProject, Project, ProjectAt, ProjectStore } from '@shipworthy/domain';
import { DEFAULT_POLICY } from '@shipworthy/domain';
import type { Access } from './access.js';
import { grouped } from './grouped.js';
import { markProject } from './marks.js';
import { storeUnderFreeSlug } from './numbered-slug.js';
import { insertPolicy } from './policy-store.js';
import { insertUnlessThere, update } from './sql.js';

interface ProjectRow {
  readonly id: string;
  readonly team_id: string;
  readonly name: string;
  readonly slug: string;
  readonly version: number;
  readonly created_at: number;
}

interface ProjectAtRow extends ProjectRow {
  readonly place: number;
  readonly environments: string | null;
  readonly release_id: string | null;
  readonly release_name: string;
  readonly starts_at: number;
  readonly ends_at: number | null;
}

const COLUMNS = 'p.id, p.team_id, p.name, p.slug, p.version, p.created_at';

const projectOf = (row: ProjectRow): Project => ({
  id: row.id,
  teamId: row.team_id,
  name: row.name,
  slug: row.slug,
  version: row.version,
  createdAt: row.created_at,
});

const projectAt = (rows: readonly ProjectAtRow[]): ProjectAt[] => {
  const [first] = rows;
  if (first === undefined) return [];
  const releases = rows.flatMap(({ release_id, release_name, starts_at, ends_at }) =>
    release_id === null ? [] : [{ id: release_id, name: release_name, startsAt: starts_at, endsAt: ends_at }],
  );
  const environments = first.environments === null ? null : (JSON.parse(first.environments) as string[]);
  return [{ project: projectOf(first), environments, releases }];
};

/** Per lookup the projects found for it; the rows come sorted by lookup and project. */
const projectsAt = (count: number, rows: readonly ProjectAtRow[]): readonly (readonly NamedProject[])[] => {
  const byPlace = grouped(rows, ({ place }) => place);
  return Array.from({ length: count }, (_, place) =>
    [...grouped(byPlace.get(place) ?? [], ({ id }) => id).values()].flatMap(projectAt),
  );
};

const lookUp = async (
  access: Access,
  key: 'name' | 'id',
  lookups: readonly { readonly key: string; readonly at: number }[],
): Promise<readonly (readonly ProjectAt[])[]> => {
  if (lookups.length === 0) return [];
  const { dialect } = access;
  const asked = dialect.rowset('v', { place: 'integer', key: key === 'id' ? 'id' : 'text', at: 'moment' });
  const rows = await access.read<ProjectAtRow>(
    `select v.place, ${COLUMNS}, o.environments, r.id as release_id, r.name as release_name, r.starts_at,
        coalesce(r.shipped_at, r.canceled_at) as ends_at
      from ${asked.table} join projects p on p.${key} = v.key
        join policies o on o.project_id = p.id and o.version = p.policy_version
        left join releases r on r.project_id = p.id and r.starts_at <= v.at
          and (coalesce(r.shipped_at, r.canceled_at) is null or coalesce(r.shipped_at, r.canceled_at) > v.at)
      order by v.place, p.id, r.created_at desc, r.id desc`,
    asked.bindings(lookups.map((lookup, place) => [place, lookup.key, dialect.moment(lookup.at)])),
    `projects-by-${key}`,
  );
  return projectsAt(lookups.length, rows);
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
    await lock(inside, id);
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
    await markProject(inside, id, { kind: 'project', id, at: changedAt });
    return true;
  });

const lock = async (access: Access, projectId: string): Promise<void> => {
  await access.write(`select id from projects where id = ? ${access.dialect.forUpdate}`, [projectId]);
};

export const projectStore = (access: Access): ProjectStore => ({
  create: (project) => create(access, project),
  byId: async (projectId) => {
    const [row] = await access.read<ProjectRow>(`select ${COLUMNS} from projects p where p.id = ?`, [projectId]);
    return row && projectOf(row);
  },
  ofTeams: async (teamIds) => {
    const rows = await access.read<ProjectRow>(
      `select ${COLUMNS} from projects p where ${access.dialect.among('p.team_id', 'id')} order by p.name, p.id`,
      [access.dialect.list(teamIds)],
    );
    return rows.map(projectOf);
  },
  replace: (next, changedAt) => replace(access, next, changedAt),
  lock: (projectId) => lock(access, projectId),
  named: (lookups) =>
    lookUp(
      access,
      'name',
      lookups.map(({ name, at }) => ({ key: name, at })),
    ),
  at: async (moments) => {
    const found = await lookUp(
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
