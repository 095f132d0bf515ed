import type { Stores } from '@shipworthy/domain';
import type { DirtyRelease } from '@shipworthy/domain/ports';
import { HOUR } from './sample-records.js';

/** Claims time and again until the release is among the claimed; everything else that is dirty is settled on the way. */
export const claimOf = async (stores: Stores, releaseId: string, now: number): Promise<DirtyRelease | undefined> => {
  for (;;) {
    const claimed = await stores.history.claim(now, 50, HOUR);
    for (const dirty of claimed) if (dirty.releaseId !== releaseId) await stores.history.settle(dirty, [], null);
    const found = claimed.find((dirty) => dirty.releaseId === releaseId);
    if (found !== undefined || claimed.length === 0) return found;
  }
};

/** The same where it must be dirty. */
export const claimed = async (stores: Stores, releaseId: string, now: number): Promise<DirtyRelease> => {
  const dirty = await claimOf(stores, releaseId, now);
  if (dirty === undefined) throw new Error('the release was expected to be dirty');
  return dirty;
};
