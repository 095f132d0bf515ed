import type { ChangePorts } from './change.js';
import { linkOf } from './in-link.js';
import { changeProject, type InProject } from './in-project.js';
import { letGoPending } from './let-go-pending.js';

/** Ends a project's link; what was imported stays and is kept by hand from then on. Role owner. @throws DomainError `not-found`, `forbidden` */
export const unlinkRepository =
  (ports: ChangePorts) =>
  (command: InProject): Promise<void> =>
    changeProject(ports, command, 'owner', async ({ stores, project, now, note }) => {
      const linked = await linkOf(stores, project.id);
      const { link } = linked;
      await letGoPending({ stores, now }, linked);
      // Issues kept by hand are never stale.
      await stores.repositoryLinks.setStale(project.id, null, now);
      await stores.repositoryLinks.remove(link.id);
      const resource = { type: 'project', id: project.id };
      const detail = { host: link.host, repository: link.repository.path };
      await note({ teamId: project.teamId, action: 'repository.unlink', resource, detail });
    });
