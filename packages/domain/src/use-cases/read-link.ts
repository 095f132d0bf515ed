import type { Ports } from '../ports.js';
import type { LinkedRepository } from '../repository/repository-link-store.js';
import { linkOf } from './in-link.js';
import { findProject, type ProjectPath } from './in-project.js';

/** The repository a project is linked to, with where its import stands. Role viewer. @throws DomainError `not-found` */
export const readLink =
  ({ stores }: Pick<Ports, 'stores'>) =>
  async (path: ProjectPath): Promise<LinkedRepository> => {
    const { id } = await findProject(stores, path);
    return linkOf(stores, id);
  };
