import type { PolicyVersion } from '@shipworthy/domain/readiness';
import { DEFAULT_POLICY } from '@shipworthy/domain/readiness';
import { expect } from 'chai';
import { walk } from './expectations.js';
import type { Opened } from './open-stores.js';
import { AWKWARD, MINUTE, NOON, sampleId } from './sample-records.js';
import { storedProject } from './sample-world.js';

const EVERYTHING_CHANGED: PolicyVersion = {
  policy: {
    weights: { scope: 0, quality: 1000, ops: 3, verification: 4, stability: 5 },
    threshold: 79.99,
    minimums: { scope: 0, quality: 100, ops: 0.01, verification: 99.99, stability: 33.33 },
    requiredAxes: ['stability', 'scope'],
    environments: [AWKWARD, 'production'],
    freshnessHours: 36,
    verification: 'latest_per_suite',
    maxOpenCriticalBugs: null,
    minFinishedDeployments: 2 ** 31 - 1,
    stabilityBound: 'upper_bound',
    silenceHours: 0.25,
  },
  version: 2,
  changedAt: NOON + MINUTE,
  changedBy: AWKWARD,
};

/** PolicyStore. */
export const policiesContract = (opened: Opened): void => {
  describe('policies', () => {
    it('begin with the defaults, at the creation of the project', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const first = { policy: DEFAULT_POLICY, version: 1, changedAt: project.createdAt, changedBy: null };
      expect(await again.policies.current(project.id)).to.deep.equal(first);
      expect(await again.policies.current(sampleId())).to.equal(undefined);
    });

    it('come back to the letter', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      expect(await stores.policies.add(project.id, EVERYTHING_CHANGED)).to.equal(true);
      expect(await again.policies.current(project.id)).to.deep.equal(EVERYTHING_CHANGED);
    });

    it('follow the current version only', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      expect(await stores.policies.add(project.id, { ...EVERYTHING_CHANGED, version: 3 })).to.equal(false);
      expect(await stores.policies.add(project.id, { ...EVERYTHING_CHANGED, version: 1 })).to.equal(false);
      expect(await stores.policies.add(sampleId(), { ...EVERYTHING_CHANGED, version: 2 })).to.equal(false);
      expect((await again.policies.current(project.id))?.version).to.equal(1);
    });

    it('are kept, all versions, and listed newest first, page by page', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      await storedProject(stores);
      const versions = Array.from({ length: 11 }, (_, index) => ({ ...EVERYTHING_CHANGED, version: index + 2 }));
      for (const next of versions) await stores.policies.add(project.id, next);
      const first = { policy: DEFAULT_POLICY, version: 1, changedAt: project.createdAt, changedBy: null };
      for (const limit of [1, 5, 12, 200]) {
        const listed = await walk((page) => again.policies.versions(project.id, page), limit);
        expect(listed).to.deep.equal([...versions.toReversed(), first]);
      }
      const ofUnknown = await again.policies.versions(sampleId(), { limit: 5, after: null });
      expect(ofUnknown).to.deep.equal({ rows: [], next: null });
    });

    it('let one of two at once through', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const nexts = ['Ada', 'Eve'].map((changedBy) => ({ ...EVERYTHING_CHANGED, changedBy }));
      const added = await Promise.all(nexts.map((next) => stores.policies.add(project.id, next)));
      expect(added.toSorted()).to.deep.equal([false, true]);
      expect(await again.policies.current(project.id)).to.deep.equal(nexts[added.indexOf(true)]);
    });
  });
};
