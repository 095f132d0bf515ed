import type { BadgeOptIn } from '@shipworthy/domain';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { AWKWARD, MINUTE, NOON, sampleId } from './sample-records.js';
import { storedProject, undone } from './sample-world.js';

/** BadgeStore. */
export const badgesContract = (opened: Opened): void => {
  describe('badges', () => {
    const optIn = (projectId: string, more: Partial<BadgeOptIn> = {}): BadgeOptIn => ({
      projectId,
      tokenHash: 'a'.repeat(64),
      createdAt: NOON,
      createdBy: AWKWARD,
      ...more,
    });

    it('come back to the letter, each with its project', async () => {
      const { stores, again } = opened();
      const [{ project }, other] = [await storedProject(stores), await storedProject(stores)];
      await stores.badges.put(optIn(project.id));
      expect(await again.badges.ofProject(project.id)).to.deep.equal(optIn(project.id));
      expect(await again.badges.ofProject(other.project.id)).to.equal(undefined);
      expect(await again.badges.ofProject(sampleId())).to.equal(undefined);
    });

    it('replace the former one; of several at once the last one counts', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      await stores.badges.put(optIn(project.id));
      const next = optIn(project.id, { tokenHash: 'b'.repeat(64), createdAt: NOON + MINUTE, createdBy: 'Eve' });
      await stores.badges.put(next);
      expect(await again.badges.ofProject(project.id)).to.deep.equal(next);
      const several = ['c', 'd', 'e'].map((letter) => optIn(project.id, { tokenHash: letter.repeat(64) }));
      await Promise.all(several.map((each) => stores.badges.put(each)));
      expect(several).to.deep.include(await again.badges.ofProject(project.id));
    });

    it('are gone once removed, which is told once, and undone with their transaction', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      await stores.badges.put(optIn(project.id));
      await undone(stores, async (inside) => {
        expect(await inside.badges.remove(project.id)).to.equal(true);
      });
      expect(await again.badges.ofProject(project.id)).to.deep.equal(optIn(project.id));
      expect(await stores.badges.remove(project.id)).to.equal(true);
      expect(await stores.badges.remove(project.id)).to.equal(false);
      expect(await again.badges.ofProject(project.id)).to.equal(undefined);
    });
  });
};
