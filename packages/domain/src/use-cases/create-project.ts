import { DomainError } from '../errors.js';
import { slugOf } from '../name/slug.js';
import type { Project } from '../project/project.js';
import type { ChangePorts } from './change.js';
import { changeTeam, type InTeam } from './in-team.js';

export interface CreateProject extends InTeam {
  readonly name: string;
}

/** Creates a project with the default policy; not in a demo, with which it would go. Role member. @throws DomainError `not-found`, `forbidden`, `name-taken` */
export const createProject =
  (ports: ChangePorts) =>
  (command: CreateProject): Promise<Project> =>
    changeTeam(ports, command, 'member', async ({ stores, team, now, newId, note }) => {
      if (team.demo) throw new DomainError('forbidden', 'The demo takes no project: it would be removed with it.');
      const { name } = command;
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
