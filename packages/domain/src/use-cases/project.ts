import { DomainError } from '../errors.js';
import { requireName, slugOf } from '../names.js';
import type { Project } from '../project.js';
import {
  type ChangePorts,
  type InProject,
  type InTeam,
  requireVersion,
  runProjectChange,
  runTeamChange,
  versionMismatch,
} from './change.js';

interface CreateProject extends InTeam {
  readonly name: string;
}

/** Creates a project with the default policy; not in a demo, with which it would go. @throws DomainError `not-found`, `forbidden`, `invalid`, `name-taken` */
export function createProject(ports: ChangePorts, command: CreateProject): Promise<Project> {
  return runTeamChange(ports, command, async ({ stores, team, now, newId, note }) => {
    if (team.demo) throw new DomainError('forbidden', 'The demo takes no project: it would be removed with it.');
    const { name } = command;
    requireName(name);
    const slug = slugOf(name, 'project');
    const stored = await stores.projects.create({
      id: newId(),
      teamId: team.id,
      name,
      slug,
      version: 1,
      createdAt: now,
    });
    const resource = { type: 'project', id: stored.id };
    await note({ teamId: team.id, action: 'project.create', resource, detail: { name } });
    return stored;
  });
}

interface RenameProject extends InProject {
  readonly name: string;
  /** The version the caller saw; null: any. */
  readonly version: number | null;
}

/**
 * Renames a project; records stay where they are, its slug too, and reports under the old name are refused from now on.
 * @throws DomainError `not-found`, `forbidden`, `version-mismatch`, `invalid`, `name-taken`
 */
export function renameProject(ports: ChangePorts, command: RenameProject): Promise<Project> {
  return runProjectChange(ports, command, async ({ stores, project, now, note }) => {
    requireVersion(project, command.version);
    requireName(command.name, project.name);
    const next = { ...project, name: command.name, version: project.version + 1 };
    if (!(await stores.projects.replace(next, now))) throw versionMismatch(await stores.projects.byId(project.id));
    const detail = { from: project.name, to: next.name };
    const resource = { type: 'project', id: project.id };
    await note({ teamId: project.teamId, action: 'project.rename', resource, detail });
    return next;
  });
}
