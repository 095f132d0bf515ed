import { isClosed } from '../release/release-transition.js';
import type { LinkedRepository } from '../repository/repository-link-store.js';
import type { Change } from './change.js';

/**
 * Before a link ends: releases whose issues were never all read follow no milestone any more. Whoever links again then
 * makes them pending again, instead of taking them for known.
 */
export const letGoPending = async (
  { stores, now }: Pick<Change, 'stores' | 'now'>,
  { state }: Pick<LinkedRepository, 'state'>,
): Promise<void> => {
  for (const id of state.pendingReleaseIds) {
    const release = await stores.releases.byId(id);
    if (release === undefined || isClosed(release)) continue;
    await stores.releases.replace({ ...release, externalId: null, version: release.version + 1 }, now);
  }
};
