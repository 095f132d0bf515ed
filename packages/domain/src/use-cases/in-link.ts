import { notFound } from '../errors.js';
import type { Stores } from '../ports.js';
import type { LinkedRepository } from '../repository/repository-link-store.js';

/** The repository the project is linked to. @throws DomainError `not-found` */
export const linkOf = async (
  { repositoryLinks }: Pick<Stores, 'repositoryLinks'>,
  projectId: string,
): Promise<LinkedRepository> => {
  const linked = await repositoryLinks.ofProject(projectId);
  if (linked === undefined) throw notFound('repository link');
  return linked;
};
