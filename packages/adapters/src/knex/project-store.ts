import type { Project, ProjectStore } from '@shipworthy/domain';
import { DEFAULT_POLICY, projectMove } from '@shipworthy/domain';
import type { Access } from './access.js';
import { markProject } from './marks.js';
import { storeUnderFreeSlug } from './numbered-slug.js';
import { insertPolicy } from './policy-store.js';
import { lockProject } from './project-lock.js';
import { PROJECT_COLUMNS, type ProjectRow, projectOf, projectsAt } from './project-lookup.js';
import { insertUnlessThere, update } from './sql.js';

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
    return row && projectOf(row);
  },
  ofTeams: async (teamIds) => {
    const rows = await access.read<ProjectRow>(
      `select ${PROJECT_COLUMNS} from projects p where ${access.dialect.among('p.team_id', 'id')} order by p.name, p.id`,
      [access.dialect.list(teamIds)],
    );
    return rows.map(projectOf);
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
