import { expect } from 'chai';
import { claimed, claimOf } from './claims.js';
import type { Opened } from './open-stores.js';
import { FAR_FUTURE, HOUR, MINUTE, NOON } from './sample-records.js';
import { samplePoint } from './sample-report.js';
import { revisionOf, storedActiveRelease, storedDeployment, storedDeployments, storedIssue } from './sample-world.js';

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
        claimedUntil: FAR_FUTURE + HOUR,
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

    it('are claimed of one project alone where one is named', async () => {
      const { stores, again } = opened();
      const [{ project, release }, other] = [await storedActiveRelease(stores), await storedActiveRelease(stores)];
      const mine = await stores.history.claim(FAR_FUTURE, 10, HOUR, project.id);
      expect(mine.map(({ releaseId }) => releaseId)).to.deep.equal([release.id]);
      expect(await again.history.claim(FAR_FUTURE, 10, HOUR, project.id)).to.deep.equal([]);
      expect((await claimed(again, other.release.id, FAR_FUTURE)).causeCount).to.equal(1);
    });

    it('are settled once, by the last claim', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const [now, later] = [FAR_FUTURE, FAR_FUTURE + HOUR];
      const stalled = await claimed(stores, release.id, now);
      const issue = await storedIssue(stores, project.id, { releaseId: release.id });
      const mine = await claimed(again, release.id, later);
      const [late, point] = [samplePoint(release.id, NOON + MINUTE), samplePoint(release.id, NOON)];
      expect(await stores.history.settle(stalled, [late], later + MINUTE)).to.equal(false);
      expect(await claimOf(again, release.id, later + MINUTE)).to.equal(undefined);
      expect(await again.history.settle(mine, [point], null)).to.equal(true);
      expect(await again.history.settle(mine, [late], null)).to.equal(false);
      expect(await stores.history.settle(stalled, [late], null)).to.equal(false);
      expect(mine.causes.map(({ id }) => id)).to.deep.equal([release.id, issue.id]);
      expect(await again.history.latest([release.id])).to.deep.equal([point]);
      expect(await claimOf(stores, release.id, later + 9 * HOUR)).to.equal(undefined);
    });

    it('are settled after their lease, too, without another claim', async () => {
      const { stores } = opened();
      const { release } = await storedActiveRelease(stores);
      const dirty = await claimed(stores, release.id, FAR_FUTURE);
      expect(await stores.history.settle(dirty, [samplePoint(release.id, NOON)], null)).to.equal(true);
    });

    it('are not claimed by anybody else before the transaction that settles them ends', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      const dirty = await claimed(stores, release.id, FAR_FUTURE);
      let other: Promise<unknown> = Promise.resolve();
      await stores.transaction(async (inside) => {
        expect(await inside.history.settle(dirty, [samplePoint(release.id, NOON)], null)).to.equal(true);
        other = claimOf(again, release.id, FAR_FUTURE + HOUR);
        await new Promise((resolve) => setTimeout(resolve, 50));
      });
      expect(await other).to.equal(undefined);
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
