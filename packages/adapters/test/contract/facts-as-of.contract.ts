import type { Instant, LinkedRepository, Stores } from '@shipworthy/domain';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { DAY, HOUR, NOON, sampleId, unique } from './sample-records.js';
import { inputsOf, revisionOf, storedActiveRelease, storedRelease, type World } from './sample-world.js';

/** Links the project with a repository of its own. */
const link = async (stores: Stores, { project, owner }: World): Promise<LinkedRepository['link']> => {
  const id = sampleId();
  const all = { bug: [], feature: [], chore: [], inProgress: [], critical: [], major: [], minor: [] };
  const linked: LinkedRepository = {
    link: {
      id,
      projectId: project.id,
      host: 'github',
      userId: owner.id,
      repository: { id: unique('R'), path: 'acme/shop', url: 'https://github.com/acme/shop', defaultBranch: 'main' },
      settings: {
        filter: { labels: [], pathPrefix: null },
        mapping: all,
        milestones: 'all',
        deployments: true,
        testRuns: 'none',
      },
      linkedAt: NOON,
      linkedBy: owner.name,
    },
    state: {
      linkId: id,
      dueAt: NOON,
      checkpoint: { stage: null, page: null, reading: null, marks: {} },
      startedAt: null,
      completedAt: NOON,
      goneCheckedAt: null,
      suspectIssueIds: [],
      pendingReleaseIds: [],
      counts: { milestones: 0, issues: 0, deployments: 0, testRuns: 0 },
      failure: null,
    },
  };
  await stores.repositoryLinks.put(linked);
  return linked.link;
};

/** ReleaseFactsStore: as of when the issues are known. */
export const asOfFactsContract = (opened: Opened): void => {
  describe('facts are as of the last import while the host cannot be read', () => {
    const issuesAsOf = async (stores: Stores, ...releaseIds: readonly string[]): Promise<readonly unknown[]> =>
      (await stores.facts.factsFor(releaseIds)).map((inputs) => inputs?.facts.issuesAsOf);

    it('and are current in a project without a link and while imports go through', async () => {
      const { stores, again } = opened();
      const world = await storedActiveRelease(stores);
      expect(await issuesAsOf(again, world.release.id)).to.deep.equal([null]);
      await stores.repositoryLinks.setIssuesAsOf(world.project.id, NOON, NOON + HOUR);
      expect(await issuesAsOf(again, world.release.id)).to.deep.equal([null]);
      await link(stores, world);
      expect(await issuesAsOf(again, world.release.id)).to.deep.equal([null]);
    });

    it('for the open releases of its project only, and no longer once an import went through', async () => {
      const { stores, again } = opened();
      const world = await storedActiveRelease(stores);
      const { project, release } = world;
      const planned = await storedRelease(stores, project.id);
      const over = { startsAt: NOON - DAY } as const;
      const shipped = await storedRelease(stores, project.id, { ...over, state: 'shipped', shippedAt: NOON - HOUR });
      const canceled = await storedRelease(stores, project.id, { ...over, state: 'canceled', canceledAt: NOON - HOUR });
      const other = await storedActiveRelease(stores);
      await link(stores, world);
      await link(stores, other);
      const ids = [shipped.id, release.id, other.release.id, canceled.id, planned.id];
      await stores.repositoryLinks.setIssuesAsOf(project.id, NOON + 123, NOON + HOUR);
      expect(await issuesAsOf(again, ...ids)).to.deep.equal([null, NOON + 123, null, null, NOON + 123]);
      await stores.repositoryLinks.setIssuesAsOf(project.id, null, NOON + 2 * HOUR);
      expect(await issuesAsOf(again, ...ids)).to.deep.equal([null, null, null, null, null]);
    });

    it('and only raise the revision besides, each time the state changes', async () => {
      const { stores, again } = opened();
      const world = await storedActiveRelease(stores);
      const { project, release } = world;
      await link(stores, world);
      const other = await storedActiveRelease(stores);
      await link(stores, other);
      const untouched = await revisionOf(again, other.release.id);
      const { facts: before, revision } = await inputsOf(again, release.id);
      const set = async (asOf: Instant | null, now: Instant) => {
        await stores.repositoryLinks.setIssuesAsOf(project.id, asOf, now);
        return inputsOf(again, release.id);
      };
      const stale = await set(NOON, NOON + HOUR);
      expect(stale.facts).to.deep.equal({ ...before, issuesAsOf: NOON });
      expect(stale.revision.revision).to.be.above(revision.revision);
      expect(stale.revision.changedAt).to.equal(NOON + HOUR);
      expect(await set(NOON, NOON + 2 * HOUR)).to.deep.equal(stale);
      const later = await set(NOON + HOUR, NOON + 3 * HOUR);
      expect(later.facts.issuesAsOf).to.equal(NOON + HOUR);
      expect(later.revision.revision).to.be.above(stale.revision.revision);
      const current = await set(null, NOON + 4 * HOUR);
      expect(current.facts).to.deep.equal(before);
      expect(current.revision.revision).to.be.above(later.revision.revision);
      expect(current.revision.changedAt).to.equal(NOON + 4 * HOUR);
      expect(await set(null, NOON + 5 * HOUR)).to.deep.equal(current);
      expect(await revisionOf(again, other.release.id)).to.equal(untouched);
    });

    it('until the project is unlinked', async () => {
      const { stores, again } = opened();
      const world = await storedActiveRelease(stores);
      const { id } = await link(stores, world);
      await stores.repositoryLinks.setIssuesAsOf(world.project.id, NOON, NOON + HOUR);
      const before = await revisionOf(again, world.release.id);
      await stores.repositoryLinks.remove(id, NOON);
      expect(await issuesAsOf(again, world.release.id)).to.deep.equal([null]);
      expect(await revisionOf(again, world.release.id)).to.be.above(before);
    });

    it('and become current with the closing of a release, whose issues no longer change', async () => {
      const { stores, again } = opened();
      const world = await storedActiveRelease(stores);
      await link(stores, world);
      await stores.repositoryLinks.setIssuesAsOf(world.project.id, NOON, NOON + HOUR);
      const { release } = world;
      const shipped = { ...release, state: 'shipped', shippedAt: NOON + DAY, version: release.version + 1 } as const;
      expect(await stores.releases.replace(shipped, NOON + DAY)).to.equal(true);
      expect(await issuesAsOf(again, release.id)).to.deep.equal([null]);
    });
  });
};
