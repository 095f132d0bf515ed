import type { DirtyRelease, Stores } from '@shipworthy/domain';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { FAR_FUTURE, HOUR, MINUTE, NOON } from './sample-records.js';
import { samplePoint } from './sample-report.js';
import { revisionOf, storedActiveRelease, storedDeployment, storedDeployments, storedIssue } from './sample-world.js';

/** Claims time and again until the release is among the claimed; everything else that is dirty is settled on the way. */
const claimOf = async (stores: Stores, releaseId: string, now: number): Promise<DirtyRelease | undefined> => {
  for (;;) {
    const claimed = await stores.history.claim(now, 50, HOUR);
    for (const dirty of claimed) if (dirty.releaseId !== releaseId) await stores.history.settle(dirty, [], null);
    const found = claimed.find((dirty) => dirty.releaseId === releaseId);
    if (found !== undefined || claimed.length === 0) return found;
  }
};

const claimed = async (stores: Stores, releaseId: string, now: number): Promise<DirtyRelease> => {
  const dirty = await claimOf(stores, releaseId, now);
  if (dirty === undefined) throw new Error('the release was expected to be dirty');
  return dirty;
};

/** HistoryStore: the queue of releases whose report may have moved. */
export const historyContract = (opened: Opened): void => {
  describe('releases whose report may have moved', () => {
    it('are claimed with their revision and causes, the creation being the first', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const issue = await storedIssue(stores, project.id, { releaseId: release.id, updatedAt: NOON + 1 });
      const deployment = await storedDeployment(stores, project.id, { createdAt: NOON + 2 });
      const dirty = await claimed(stores, release.id, FAR_FUTURE);
      expect(dirty).to.deep.equal({
        releaseId: release.id,
        revision: await revisionOf(again, release.id),
        causes: [
          { kind: 'release', id: release.id, at: NOON },
          { kind: 'issue', id: issue.id, at: NOON + 1 },
          { kind: 'deployment', id: deployment.id, at: NOON + 2 },
        ],
        causeCount: 3,
      });
    });

    it('are hidden while claimed, until the lease runs out', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const now = FAR_FUTURE;
      const first = await claimed(stores, release.id, now);
      await storedIssue(stores, project.id, { releaseId: release.id });
      expect(await claimOf(again, release.id, now + HOUR - 1)).to.equal(undefined);
      const second = await claimed(again, release.id, now + HOUR);
      expect(second.revision).to.be.above(first.revision);
      expect(second.causes.map(({ kind }) => kind)).to.deep.equal(['release', 'issue']);
    });

    it('are claimed by one of two at once, and never more than asked', async () => {
      const { stores, again } = opened();
      for (let count = 0; count < 5; count += 1) await storedActiveRelease(stores);
      const [one, two] = await Promise.all([
        stores.history.claim(FAR_FUTURE, 3, HOUR),
        again.history.claim(FAR_FUTURE, 3, HOUR),
      ]);
      for (const claim of [one, two]) expect(claim.length).to.be.at.most(3);
      const together = [...one, ...two].map(({ releaseId }) => releaseId);
      expect(new Set(together).size).to.equal(together.length);
      expect(await stores.history.claim(FAR_FUTURE, 0, HOUR)).to.deep.equal([]);
    });

    it('are clean once settled', async () => {
      const { stores } = opened();
      const { release } = await storedActiveRelease(stores);
      await stores.history.settle(await claimed(stores, release.id, FAR_FUTURE), [], null);
      expect(await claimOf(stores, release.id, FAR_FUTURE + 9 * HOUR)).to.equal(undefined);
    });

    it('stay dirty when something changed after the claim', async () => {
      const { stores } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const dirty = await claimed(stores, release.id, FAR_FUTURE);
      const issue = await storedIssue(stores, project.id, { releaseId: release.id });
      await stores.history.settle(dirty, [samplePoint(release.id, NOON)], null);
      const next = await claimed(stores, release.id, FAR_FUTURE);
      expect(next.causes).to.deep.equal([{ kind: 'issue', id: issue.id, at: NOON }]);
      expect(next.causeCount).to.equal(1);
    });

    it('name twenty causes and count all', async () => {
      const { stores } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const all = await storedDeployments(stores, project.id, Array(30).fill({}));
      const dirty = await claimed(stores, release.id, FAR_FUTURE);
      expect(dirty.causeCount).to.equal(31);
      expect(dirty.causes).to.have.lengthOf(20);
      expect(all.map(({ id }) => id)).to.include.members(dirty.causes.slice(1).map(({ id }) => id));
    });

    it('are due by time alone at their limit, without causes, until settled', async () => {
      const { stores } = opened();
      const { release } = await storedActiveRelease(stores);
      const limit = FAR_FUTURE + MINUTE;
      await stores.history.settle(await claimed(stores, release.id, FAR_FUTURE), [], limit);
      expect(await claimOf(stores, release.id, limit - 1)).to.equal(undefined);
      const due = await claimed(stores, release.id, limit);
      expect(due).to.deep.include({ releaseId: release.id, causes: [], causeCount: 0 });
      expect(await claimOf(stores, release.id, limit)).to.equal(undefined);
      await stores.history.settle(due, [], null);
      expect(await claimOf(stores, release.id, limit + 9 * HOUR)).to.equal(undefined);
    });
  });
};
