import type { Ports } from '../ports.js';
import { changeProject, type InProject } from './in-project.js';

/** Shows a project's badge to whoever has the token, which is answered here and never again; a former token ends. Role owner. @throws DomainError `not-found`, `forbidden` */
export const showBadge =
  ({ secrets, ...ports }: Pick<Ports, 'stores' | 'clock' | 'newId' | 'secrets'>) =>
  (command: InProject): Promise<string> =>
    changeProject(ports, command, 'owner', async ({ stores, project, now, by, note }) => {
      const token = secrets.newToken();
      const whose = { projectId: project.id, createdAt: now, createdBy: by.principal.name };
      await stores.badges.put({ ...whose, tokenHash: secrets.hash(token) });
      await note({ teamId: project.teamId, action: 'badge.show', resource: { type: 'project', id: project.id } });
      return token;
    });
