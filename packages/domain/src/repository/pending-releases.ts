import type { Release } from '../release/release.js';
import { isClosed } from '../release/release-transition.js';

/**
 * The releases whose issues are known in part only, once milestones made `after` of `before`: those that were `pending`
 * and those that follow another milestone than they did, as far as they are open and follow one. Whatever was followed
 * before stays known as it was read.
 */
export const pendingReleases = (
  pending: readonly string[],
  before: readonly Release[],
  after: readonly Release[],
): readonly string[] => {
  const followed = new Map(before.map(({ id, externalId }) => [id, externalId]));
  const isPending = ({ id, externalId }: Release): boolean =>
    pending.includes(id) || (followed.get(id) ?? null) !== externalId;
  return after
    .filter((release) => release.externalId !== null && !isClosed(release) && isPending(release))
    .map(({ id }) => id);
};
