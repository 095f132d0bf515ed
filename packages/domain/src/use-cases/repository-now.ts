import type { RepositoryLink } from '../repository/repository-link.js';
import type { ImportStep } from './in-import.js';

/** The repository as the host calls it now. @throws HostFailure when it cannot be read */
export const repositoryNow = async ({
  ask,
  linked,
}: Pick<ImportStep, 'ask' | 'linked'>): Promise<RepositoryLink['repository']> => {
  const { id } = linked.link.repository;
  const { path, url, defaultBranch } = await ask((host, access) => host.repository(access, { id }));
  return { id, path, url, defaultBranch };
};
