import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { HOUR, MINUTE, NOON } from './sample-records.js';
import {
  inputsOf,
  revisionOf,
  storedActiveRelease,
  storedDeployments,
  storedRelease,
  storedTestRun,
} from './sample-world.js';

const hourly = (records: number) => Array.from({ length: records }, (_, index) => ({ startedAt: NOON + index * HOUR }));

/** ReleaseFactsStore: when the sources' records came. */
export const sourceFactsContract = (opened: Opened): void => {
  describe('facts of sources', () => {
    it('tell the last deployment of the window and the rhythm of the last twenty, for any environment', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const slow = Array.from({ length: 9 }, (_, index) => ({ startedAt: NOON - HOUR + index * MINUTE }));
      await storedDeployments(stores, project.id, [...slow, ...hourly(22), { startedAt: NOON - 2 * HOUR }]);
      const { facts } = await inputsOf(again, release.id);
      expect(facts.sources).to.deep.equal({
        deployments: { lastAt: NOON + 21 * HOUR, medianMs: HOUR },
        testRuns: null,
      });
    });

    it("tell the release's own test runs, and no rhythm of fewer than five", async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const other = await storedRelease(stores, project.id);
      for (const minutes of [0, 40, 10, 30]) await storedTestRun(stores, release, { ranAt: NOON + minutes * MINUTE });
      await storedTestRun(stores, other, { ranAt: NOON + 9 * HOUR });
      const sources = async () => (await inputsOf(again, release.id)).facts.sources;
      const lastAt = NOON + 40 * MINUTE;
      expect(await sources()).to.deep.equal({ deployments: null, testRuns: { lastAt, medianMs: null } });
      await storedTestRun(stores, release, { ranAt: NOON + 20 * MINUTE });
      expect(await sources()).to.deep.equal({ deployments: null, testRuns: { lastAt, medianMs: 10 * MINUTE } });
    });

    it('never move without a new revision: what lies before the window changes nothing', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      await storedDeployments(stores, project.id, hourly(5));
      const before = await inputsOf(again, release.id);
      await storedDeployments(stores, project.id, [{ startedAt: NOON - 3 * HOUR }, { startedAt: NOON - HOUR - 1 }]);
      expect(await revisionOf(again, release.id)).to.equal(before.revision.revision);
      expect((await inputsOf(again, release.id)).facts.sources).to.deep.equal(before.facts.sources);
    });

    it('are empty for a release without a window, and missing for a closed one', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const planned = await storedRelease(stores, project.id);
      await storedDeployments(stores, project.id, hourly(6));
      const none = { deployments: null, testRuns: null };
      expect((await inputsOf(again, planned.id)).facts.sources).to.deep.equal(none);
      const shippedAt = NOON + 9 * HOUR;
      await stores.releases.replace({ ...release, state: 'shipped', shippedAt, version: 2 }, shippedAt);
      expect((await inputsOf(again, release.id)).facts).not.to.have.property('sources');
    });
  });
};
