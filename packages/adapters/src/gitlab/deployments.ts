import {
  DomainError,
  type HostAccess,
  type HostDeployment,
  type RepositoryHost,
  type RepositoryName,
} from '@shipworthy/domain';
import type { GitlabApi } from './api.js';
import { changedRows } from './changed-rows.js';
import { deploymentEnds } from './deployment-ends.js';
import { deploymentOf, lacksEnd } from './deployment-row.js';
import { type Fields, fieldsOf, wholeNumber } from './fields.js';

/** How many single deployments are asked for at once. */
const AT_ONCE = 4;

const pathOf = (repository: RepositoryName): readonly string[] => ['projects', repository.id, 'deployments'];

/**
 * Deployments of a project. GitLab lists them by when they changed, so whatever ends comes again by itself; single ones can
 * only be asked for one by one, and `deploymentsById` costs a request each. Where tools record deployments that end without
 * a job, every 50 of them cost one more.
 */
export const gitlabDeployments = (api: GitlabApi): Pick<RepositoryHost, 'deployments' | 'deploymentsById'> => {
  const endsOf = deploymentEnds(api);

  const readOut = async (
    access: HostAccess,
    repository: RepositoryName,
    page: readonly Fields[],
  ): Promise<readonly HostDeployment[]> => {
    const numberOf = (row: Fields): number => wholeNumber(row, 'iid');
    const ends = await endsOf(access, repository, page.filter(lacksEnd).map(numberOf));
    return page.map((row) => deploymentOf(row, ends.get(numberOf(row)) ?? null));
  };

  const single = async (access: HostAccess, repository: RepositoryName, id: string): Promise<readonly Fields[]> => {
    try {
      const reply = await api.getFull(access, { path: [...pathOf(repository), id], what: 'deployment' });
      return [fieldsOf(reply.body)];
    } catch (error) {
      if (error instanceof DomainError && error.code === 'not-found') return [];
      throw error;
    }
  };

  return {
    deployments: (access, repository, request) =>
      changedRows(
        api,
        access,
        {
          reading: { path: pathOf(repository), what: 'repository' },
          rowsOf: (page) => readOut(access, repository, page),
        },
        request,
      ),
    deploymentsById: async (access, repository, ids) => {
      const waiting = ids.filter((id) => /^[1-9]\d*$/.test(id)).reverse();
      const found: Fields[] = [];
      const work = async (): Promise<void> => {
        for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
          found.push(...(await single(access, repository, id)));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return readOut(access, repository, found);
    },
  };
};
