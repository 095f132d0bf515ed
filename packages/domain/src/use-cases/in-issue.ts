import { invalid } from '../errors.js';
import type { Stores } from '../ports.js';
import { requireOpen } from '../release/release-transition.js';

/**
 * Demands that an issue may join or leave the release; null: none, always allowed.
 * @throws DomainError `invalid` when it is not of this project, `release-closed`
 */
export const requireOpenRelease = async (
  { releases }: Pick<Stores, 'releases'>,
  projectId: string,
  releaseId: string | null,
): Promise<void> => {
  if (releaseId === null) return;
  const release = await releases.byId(releaseId);
  if (release?.projectId === projectId) return requireOpen(release);
  throw invalid([
    { pointer: '/release_id', code: 'unknown-release', message: 'release_id names no release of this project.' },
  ]);
};
