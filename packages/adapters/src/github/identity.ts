import { type HostAccess, notFound, type RepositoryName } from '@shipworthy/domain';
import { type Fields, fieldsOf, numberOf } from './fields.js';
import { ownerAndName } from './repository-path.js';
import type { GithubRequests } from './requests.js';

/** @throws DomainError `not-found` when these are the fields of another repository that has taken the path */
export const sameRepository = (fields: Fields, key: 'id' | 'databaseId', { id }: RepositoryName): Fields => {
  if (String(numberOf(fields, key)) !== id) throw notFound('repository');
  return fields;
};

/** The repository of an answer. @throws DomainError `not-found` when there is none, or another one */
export const answeredRepository = (data: Fields, repository: RepositoryName): Fields => {
  if (data.repository === null) throw notFound('repository');
  return sameRepository(fieldsOf(data.repository, 'repository'), 'databaseId', repository);
};

/**
 * Asks whose path it is. GitHub gives a path that was left to whoever takes it, and some lists do not tell whose they are;
 * asked only for lists that changed, so a reading with nothing new stays free.
 */
export const identityCheck =
  (requests: GithubRequests) =>
  async (access: HostAccess, repository: RepositoryName): Promise<void> => {
    const got = await requests.get(access, 'GET /repos/{owner}/{repo}', ownerAndName(repository.path), {
      missing: 'repository',
    });
    sameRepository(fieldsOf(got.kind === 'data' ? got.data : undefined, 'repository'), 'id', repository);
  };
