import type { Attribution, NotCountedReason } from './attribution.js';

/**
 * Why a record counts for no release at all; null: it counts for one at least. Of a deployment in several windows that of
 * a release whose report is not frozen comes first: there something can still be done.
 */
export const notCountedReason = ({ releases, reason }: Attribution): NotCountedReason | null => {
  if (releases.some(({ counts }) => counts)) return null;
  const reasons = releases.map((release) => release.reason);
  return reason ?? reasons.find((one) => one !== 'release_frozen') ?? reasons[0] ?? null;
};
