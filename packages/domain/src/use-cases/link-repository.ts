import { requireRole } from '../access/permission.js';
import { DomainError, invalid } from '../errors.js';
import { freshImport } from '../repository/fresh-import.js';
import type { HostRepository } from '../repository/host-records.js';
import { linkFaults } from '../repository/link-faults.js';
import type { ConfiguredHost } from '../repository/repository-host.js';
import type { LinkSettings } from '../repository/repository-link.js';
import type { LinkedRepository } from '../repository/repository-link-store.js';
import type { ChangePorts } from './change.js';
import { HOST_ANSWERS_WITHIN, type HostPorts, requireHost, requireWorking } from './in-connection.js';
import { changeProject, findProject, type InProject } from './in-project.js';
import { withAccess } from './with-access.js';

export interface LinkRepository extends InProject {
  /** Owner and name: `acme/shop`. */
  readonly path: string;
  readonly settings: LinkSettings;
}

const repositoryAt = async (
  ports: HostPorts,
  host: ConfiguredHost,
  userId: string,
  path: string,
): Promise<HostRepository> => {
  const deadline = ports.clock() + HOST_ANSWERS_WITHIN;
  const connection = await requireWorking(ports.stores, userId, host);
  try {
    return await withAccess(ports, connection, deadline, (access) => host.repositories.repository(access, path));
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'not-found') throw error;
    const message = `${connection.account.name} can read no repository of that name at ${host.title}.`;
    throw invalid([{ pointer: '/repository', code: 'unknown-repository', message }]);
  }
};

/**
 * Links the project to a repository the caller can read, in place of any other, and has its import begin. Role owner.
 * @throws DomainError `not-found`, `forbidden`, `host-not-configured`, `invalid`, `host-not-connected`, `host-rejected`, `host-unavailable`
 */
export const linkRepository =
  (ports: ChangePorts & HostPorts) =>
  async (command: LinkRepository): Promise<LinkedRepository> => {
    const { by, teamId, projectId, path, settings } = command;
    const { principal } = by;
    requireRole(principal, teamId, 'owner');
    await findProject(ports.stores, { principal, teamId, projectId }, 'owner');
    const host = requireHost(ports);
    const faults = linkFaults(settings, host.gives);
    if (faults.length > 0) throw invalid(faults);
    const { private: _, archived: __, ...repository } = await repositoryAt(ports, host, principal.userId, path);
    return changeProject(ports, command, 'owner', async ({ stores, now, newId, note }) => {
      const whose = { id: newId(), projectId, host: host.name, userId: principal.userId };
      const link = { ...whose, repository, settings, linkedAt: now, linkedBy: principal.name };
      const before = await stores.repositoryLinks.ofProject(projectId);
      const last = await stores.repositoryLinks.lastOf(projectId);
      const goesOn = last?.host === host.name && last.repositoryId === repository.id;
      if (!goesOn) {
        // What came from another repository would never be read again: it is the project's own from now on.
        await stores.issues.letGo(projectId);
        await stores.releases.letGo(projectId);
      }
      const pending = goesOn ? (before?.state.pendingReleaseIds ?? []) : [];
      const linked = { link, state: freshImport(link.id, now, pending) };
      await stores.repositoryLinks.put(linked);
      const resource = { type: 'project', id: projectId };
      const detail = { host: host.name, repository: repository.path };
      await note({ teamId, action: 'repository.link', resource, detail });
      return linked;
    });
  };
