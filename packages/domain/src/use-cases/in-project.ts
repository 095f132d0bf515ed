import { requireRole } from '../access/permission.js';
import type { Principal } from '../access/principal.js';
import { notFound } from '../errors.js';
import type { Stores } from '../ports.js';
import type { Project } from '../project/project.js';
import type { Role } from '../team/team.js';
import { type Change, type ChangePorts, change } from './change.js';
import { type InTeam, requireStoredRole } from './in-team.js';

/** A command that concerns one project of a team. */
export interface InProject extends InTeam {
  readonly projectId: string;
}

export interface ProjectChange extends Change {
  readonly project: Project;
}

/** A project as a path names it, asked for by somebody. */
export interface ProjectPath {
  readonly principal: Principal;
  readonly teamId: string;
  readonly projectId: string;
}

/**
 * The project, if it is in that team, the team is in sight and the role there suffices.
 * @throws DomainError `not-found`, `forbidden`
 */
export const findProject = async (
  { projects }: Pick<Stores, 'projects'>,
  { principal, teamId, projectId }: ProjectPath,
  needed: Role = 'viewer',
): Promise<Project> => {
  requireRole(principal, teamId, needed);
  const project = await projects.byId(projectId);
  if (project?.teamId !== teamId) throw notFound('project');
  return project;
};

/**
 * Runs a change of a project with its releases, windows, name and policy held still.
 * @throws DomainError `not-found`, `forbidden`
 */
export const changeProject = async <Result>(
  ports: ChangePorts,
  { by, teamId, projectId }: InProject,
  needed: Role,
  work: (change: ProjectChange) => Promise<Result>,
): Promise<Result> => {
  requireRole(by.principal, teamId, needed);
  return change(ports, by, async (changing) => {
    await changing.stores.projects.lock(projectId);
    const project = await findProject(changing.stores, { principal: by.principal, teamId, projectId }, needed);
    // What owners decide, such as a waiver, stays after the second in which a principal is remembered.
    if (needed === 'owner') await requireStoredRole(changing.stores, by, teamId, needed);
    return work({ ...changing, project });
  });
};
