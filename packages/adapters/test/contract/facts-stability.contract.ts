import type { Deployment, Release, Stores } from '@shipworthy/domain';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { AWKWARD, DAY, HOUR, NOON } from './sample-records.js';
import {
  changePolicy,
  inputsOf,
  storedActiveRelease,
  storedDeployments,
  storedProject,
  storedRelease,
} from './sample-world.js';

const stabilityOf = async (stores: Stores, release: Release) => (await inputsOf(stores, release.id)).facts.stability;

/** ReleaseFactsStore: the deployments of the window. */
export const stabilityFactsContract = (opened: Opened): void => {
  describe('stability facts', () => {
    it('count exactly the start of the window and not exactly its end', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const from = NOON;
      const to = NOON + 3 * DAY + HOUR;
      const shipped = await storedRelease(stores, project.id, { state: 'shipped', startsAt: from, shippedAt: to });
      const canceled = await storedRelease(stores, project.id, { state: 'canceled', startsAt: from, canceledAt: to });
      const moments = [from - DAY, from - 1, from, from + DAY, from + 2 * DAY, to - 1, to, to + DAY];
      await storedDeployments(
        stores,
        project.id,
        moments.map((startedAt) => ({ startedAt, status: 'success' })),
      );
      const inside = { succeeded: 4, failed: 0, inProgress: 0 };
      expect(await stabilityOf(again, shipped)).to.deep.equal(inside);
      expect(await stabilityOf(again, canceled)).to.deep.equal(inside);
    });

    it('count nothing without a window, and on and on in an open one', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const without = await storedRelease(stores, project.id, { state: 'canceled', canceledAt: NOON });
      const open = await storedRelease(stores, project.id, { state: 'planned', startsAt: NOON });
      const moments = [NOON - 1, NOON, NOON + 900 * DAY];
      await storedDeployments(
        stores,
        project.id,
        moments.map((startedAt) => ({ startedAt, status: 'failure' })),
      );
      expect(await stabilityOf(again, without)).to.deep.equal({ succeeded: 0, failed: 0, inProgress: 0 });
      expect(await stabilityOf(again, open)).to.deep.equal({ succeeded: 0, failed: 2, inProgress: 0 });
    });

    it('are right for windows within a day, of whole days, from and to any moment', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const midnight = Date.UTC(2026, 2, 1);
      const step = 5 * HOUR + 1;
      const deployments = Array.from(
        { length: 200 },
        (_, index): Partial<Deployment> => ({
          startedAt: midnight - 3 * DAY + Math.floor(index / 2) * step,
          status: index % 3 === 0 ? 'failure' : 'success',
          isReturn: index % 5 === 0,
        }),
      );
      deployments.push(...[0, 1, 2].map((day) => ({ startedAt: midnight + day * DAY, status: 'started' as const })));
      await storedDeployments(stores, project.id, deployments);
      const edges = [-1, 0, 1, HOUR, 23 * HOUR, DAY - 1, DAY, DAY + 1, 2 * DAY, 5 * DAY - 1, 9 * DAY + HOUR];
      for (const [place, from] of edges.entries()) {
        for (const to of edges.slice(place)) {
          const window = { startsAt: midnight + from, shippedAt: midnight + to };
          const release = await storedRelease(stores, project.id, { state: 'shipped', ...window });
          const count = (status: string) =>
            deployments.filter(
              ({ startedAt = 0, status: own, isReturn = false }) =>
                own === status &&
                !(isReturn && status === 'success') &&
                startedAt >= window.startsAt &&
                startedAt < window.shippedAt,
            ).length;
          const counted = { succeeded: count('success'), failed: count('failure'), inProgress: count('started') };
          expect(await stabilityOf(again, release), `${from} to ${to}`).to.deep.equal(counted);
        }
      }
    });

    it('count a deployment in each of overlapping windows, and in no other project', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const overlapping = await storedRelease(stores, project.id, { startsAt: NOON });
      const { release: elsewhere } = await storedActiveRelease(stores);
      await storedDeployments(stores, project.id, [{ status: 'success' }]);
      const once = { succeeded: 1, failed: 0, inProgress: 0 };
      expect(await stabilityOf(again, release)).to.deep.equal(once);
      expect(await stabilityOf(again, overlapping)).to.deep.equal(once);
      expect(await stabilityOf(again, elsewhere)).to.deep.equal({ ...once, succeeded: 0 });
    });

    it('count the environments of the policy only, compared exactly', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const environments = ['production', 'Production', 'production ', AWKWARD, 'staging'];
      await storedDeployments(
        stores,
        project.id,
        environments.map((environment) => ({ environment, status: 'success' })),
      );
      const succeeded = async (counted: readonly string[] | null) => {
        await changePolicy(stores, project.id, { environments: counted });
        return (await stabilityOf(again, release)).succeeded;
      };
      expect((await stabilityOf(again, release)).succeeded).to.equal(5);
      expect(await succeeded(['production'])).to.equal(1);
      expect(await succeeded([AWKWARD, 'staging', 'never seen'])).to.equal(2);
      expect(await succeeded([])).to.equal(0);
      expect(await succeeded(null)).to.equal(5);
    });

    it('follow the window when it moves', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      await storedDeployments(stores, project.id, [{ startedAt: NOON - 9 * DAY, status: 'failure' }, {}]);
      expect(await stabilityOf(again, release)).to.deep.equal({ succeeded: 0, failed: 0, inProgress: 1 });
      await stores.releases.replace({ ...release, startsAt: NOON - 10 * DAY, version: 2 }, NOON);
      expect(await stabilityOf(again, release)).to.deep.equal({ succeeded: 0, failed: 1, inProgress: 1 });
    });
  });
};
