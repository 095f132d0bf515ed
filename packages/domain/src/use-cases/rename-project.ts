import type { Project } from '../project/project.js';
import { type ChangePorts, requireVersion, versionMismatch } from './change.js';
import { changeProject, type InProject } from './in-project.js';

export interface RenameProject extends InProject {
  readonly name: string;
  /** The version the caller saw; null: any. */
  readonly version: number | null;
}

/**
 * Renames a project; records stay where they are, its slug too, and reports under the old name are refused from now on.
 * Role owner. @throws DomainError `not-found`, `forbidden`, `version-mismatch`, `name-taken`
 */
export const renameProject =
  (ports: ChangePorts) =>
  (command: RenameProject): Promise<Project> =>
    changeProject(ports, command, 'owner', async ({ stores, project, now, note }) => {
      requireVersion(project, command.version);
      const next = { ...project, name: command.name, version: project.version + 1 };
      if (!(await stores.projects.replace(next, now))) throw versionMismatch(await stores.projects.byId(project.id));
      const detail = { from: project.name, to: next.name };
      const resource = { type: 'project', id: project.id };
      await note({ teamId: project.teamId, action: 'project.rename', resource, detail });
      return next;
    });
