import type { Ports } from '../ports.js';
import type { LinkedRepository } from '../repository/repository-link-store.js';
import type { ChangePorts } from './change.js';
import { requireHost, requireWorking } from './in-connection.js';
import { linkOf } from './in-link.js';
import { changeProject, type InProject } from './in-project.js';

/**
 * Has the linked repository imported now instead of when it is due. Role member.
 * @throws DomainError `not-found`, `forbidden`; `host-not-configured`, `host-not-connected`, `host-rejected` when it cannot go on
 */
export const requestImport =
  (ports: ChangePorts & Pick<Ports, 'repositoryHost'>) =>
  (command: InProject): Promise<LinkedRepository> =>
    changeProject(ports, command, 'member', async ({ stores, project, now, note }) => {
      const { link } = await linkOf(stores, project.id);
      await requireWorking(stores, link.userId, requireHost(ports, link.host));
      await stores.repositoryLinks.hurryLink(link.id, now);
      const resource = { type: 'project', id: project.id };
      const detail = { host: link.host, repository: link.repository.path };
      await note({ teamId: project.teamId, action: 'repository.import', resource, detail });
      return linkOf(stores, project.id);
    });
