import type { Attribution, NotCountedReason } from './attribution.js';

/**
 * Why a record counts for no release at all; null: it counts for one at least. Of a deployment in several windows all say
 * the same, since what keeps it from counting is its own environment or state.
 */
export const notCountedReason = ({ releases, reason }: Attribution): NotCountedReason | null => {
  if (releases.some(({ counts }) => counts)) return null;
  return reason ?? releases[0]?.reason ?? null;
};
