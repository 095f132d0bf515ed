import type { Stores } from '@shipworthy/domain';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { sampleLink, sampleState } from './sample-host.js';
import { HOUR, NOON } from './sample-records.js';
import { inputsOf, storedActiveRelease, storedRelease, type World } from './sample-world.js';

/** Links the project, with those releases pending. Answers the link's id. */
const link = async (stores: Stores, { project, owner }: World, pendingReleaseIds: readonly string[]) => {
  const made = sampleLink({ projectId: project.id, userId: owner.id, host: 'github' });
  await stores.repositoryLinks.put({ link: made, state: sampleState(made.id, { pendingReleaseIds }) });
  return made.id;
};

/** ReleaseFactsStore: whether the issues are known in part only. */
export const pendingFactsContract = (opened: Opened): void => {
  describe('facts tell that issues are being imported', () => {
    const pending = async (stores: Stores, ...releaseIds: readonly string[]): Promise<readonly unknown[]> =>
      (await stores.facts.factsFor(releaseIds)).map((inputs) => inputs?.facts.issuesPending);

    it('of the open releases that are pending only', async () => {
      const { stores, again } = opened();
      const world = await storedActiveRelease(stores);
      const { project, release } = world;
      const planned = await storedRelease(stores, project.id);
      const known = await storedRelease(stores, project.id);
      const over = { startsAt: NOON - 2 * HOUR } as const;
      const shipped = await storedRelease(stores, project.id, { ...over, state: 'shipped', shippedAt: NOON - HOUR });
      const canceled = await storedRelease(stores, project.id, { ...over, state: 'canceled', canceledAt: NOON - HOUR });
      const other = await storedActiveRelease(stores);
      const ids = [shipped.id, release.id, other.release.id, canceled.id, planned.id, known.id];
      expect(await pending(again, ...ids)).to.deep.equal(ids.map(() => false));
      await link(stores, other, [release.id]);
      await link(stores, world, [release.id, planned.id, shipped.id, canceled.id]);
      expect(await pending(again, ...ids)).to.deep.equal([false, true, false, false, true, false]);
    });

    it('and nothing else differently, until the project is unlinked', async () => {
      const { stores, again } = opened();
      const world = await storedActiveRelease(stores);
      const { facts } = await inputsOf(again, world.release.id);
      const id = await link(stores, world, [world.release.id]);
      expect((await inputsOf(again, world.release.id)).facts).to.deep.equal({ ...facts, issuesPending: true });
      await stores.repositoryLinks.setIssuesAsOf(world.project.id, NOON, NOON);
      const stale = { ...facts, issuesAsOf: NOON, issuesPending: true };
      expect((await inputsOf(again, world.release.id)).facts).to.deep.equal(stale);
      await stores.repositoryLinks.remove(id, NOON);
      expect((await inputsOf(again, world.release.id)).facts).to.deep.equal(facts);
    });
  });
};
