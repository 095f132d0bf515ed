import { requireRole } from '../access/permission.js';
import { notFound } from '../errors.js';
import type { Stores } from '../ports.js';
import type { ReleaseDossier } from '../release/release-facts-store.js';
import type { ReleasePath } from './in-release.js';

/** All that the report of the release in the path is made of. Role viewer. @throws DomainError `not-found` */
export const findDossier = async (
  { facts }: Pick<Stores, 'facts'>,
  { principal, teamId, projectId, releaseId }: ReleasePath,
): Promise<ReleaseDossier> => {
  requireRole(principal, teamId, 'viewer');
  const [dossier] = await facts.factsFor([releaseId]);
  if (dossier?.project.id === projectId && dossier.project.teamId === teamId) return dossier;
  throw notFound('release');
};
