import type { ChangePorts } from './change.js';
import { changeProject, type InProject } from './in-project.js';

/** Shows a project's badge to nobody any more. Role owner. @throws DomainError `not-found`, `forbidden` */
export const hideBadge =
  (ports: ChangePorts) =>
  (command: InProject): Promise<void> =>
    changeProject(ports, command, 'owner', async ({ stores, project, note }) => {
      if (!(await stores.badges.remove(project.id))) return;
      await note({ teamId: project.teamId, action: 'badge.hide', resource: { type: 'project', id: project.id } });
    });
