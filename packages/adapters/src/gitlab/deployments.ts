import {
  DomainError,
  type HostAccess,
  type HostDeployment,
  type RepositoryHost,
  type RepositoryName,
} from '@shipworthy/domain';
import type { GitlabApi } from './api.js';
import { changedRows } from './changed-rows.js';
import { deploymentOf } from './deployment-row.js';
import { fieldsOf } from './fields.js';

/** How many single deployments are asked for at once. */
const AT_ONCE = 4;

const pathOf = (repository: RepositoryName): readonly string[] => ['projects', repository.id, 'deployments'];

/**
 * Deployments of a project. GitLab lists them by when they changed, so whatever ends comes again by itself; single ones can
 * only be asked for one by one, and `deploymentsById` costs a request each.
 */
export const gitlabDeployments = (api: GitlabApi): Pick<RepositoryHost, 'deployments' | 'deploymentsById'> => {
  const single = async (
    access: HostAccess,
    repository: RepositoryName,
    id: string,
  ): Promise<HostDeployment | undefined> => {
    try {
      const reply = await api.getFull(access, { path: [...pathOf(repository), id], what: 'deployment' });
      return deploymentOf(fieldsOf(reply.body));
    } catch (error) {
      if (error instanceof DomainError && error.code === 'not-found') return undefined;
      throw error;
    }
  };
  return {
    deployments: (access, repository, request) =>
      changedRows(
        api,
        access,
        { reading: { path: pathOf(repository), what: 'repository' }, rowOf: deploymentOf },
        request,
      ),
    deploymentsById: async (access, repository, ids) => {
      const waiting = ids.filter((id) => /^[1-9]\d*$/.test(id)).reverse();
      const found: HostDeployment[] = [];
      const work = async (): Promise<void> => {
        for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
          const deployment = await single(access, repository, id);
          if (deployment !== undefined) found.push(deployment);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return found;
    },
  };
};
