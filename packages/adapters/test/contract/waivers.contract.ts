import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { AWKWARD, NOON, sampleId, sampleWaiver } from './sample-records.js';
import { revisionOf, storedActiveRelease } from './sample-world.js';

/** WaiverStore. */
export const waiversContract = (opened: Opened): void => {
  describe('waivers', () => {
    it('are listed oldest first, expired ones too', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      const full = {
        text: AWKWARD,
        createdBy: AWKWARD,
        actual: 33.33,
        code: 'open_critical_bugs',
        axis: null,
      } as const;
      const late = sampleWaiver(release.id, { createdAt: NOON + 1, expiresAt: NOON + 2 });
      const first = sampleWaiver(release.id, full);
      const twin = sampleWaiver(release.id, { actual: null });
      for (const waiver of [late, twin, first]) await stores.waivers.add(waiver);
      expect(await again.waivers.ofRelease(release.id)).to.deep.equal([first, twin, late]);
      expect(await again.waivers.ofRelease(sampleId())).to.deep.equal([]);
    });

    it('are withdrawn once, by the release they are of, and kept', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      const { release: other } = await storedActiveRelease(stores);
      const waiver = sampleWaiver(release.id);
      await stores.waivers.add(waiver);
      expect(await stores.waivers.withdraw(other.id, waiver.id, NOON, 'Eve')).to.equal(false);
      expect(await stores.waivers.withdraw(release.id, sampleId(), NOON, 'Eve')).to.equal(false);
      expect(await stores.waivers.withdraw(release.id, waiver.id, NOON + 5, 'Eve')).to.equal(true);
      const before = await revisionOf(again, release.id);
      expect(await stores.waivers.withdraw(release.id, waiver.id, NOON + 6, 'Bob')).to.equal(false);
      expect(await revisionOf(again, release.id)).to.equal(before);
      const kept = { ...waiver, withdrawnAt: NOON + 5, withdrawnBy: 'Eve' };
      expect(await again.waivers.ofRelease(release.id)).to.deep.equal([kept]);
    });
  });
};
