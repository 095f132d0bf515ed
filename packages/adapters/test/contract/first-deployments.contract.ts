import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { AWKWARD, DAY, HOUR, MINUTE, NOON } from './sample-records.js';
import { storedDeployment, storedDeployments, storedProject } from './sample-world.js';

/** DeploymentStore.firstOf. */
export const firstDeploymentsContract = (opened: Opened): void => {
  describe('first deployments', () => {
    const NONE = { startedAt: null, succeededAt: null };

    it('are found by start in each interval, in any order of storing', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      await storedDeployments(stores, project.id, [
        // Ends before the one that started earlier does.
        { startedAt: NOON + 2 * HOUR, finishedAt: NOON + 3 * HOUR, status: 'success' },
        { startedAt: NOON + HOUR, finishedAt: NOON + 4 * HOUR, status: 'success' },
        { startedAt: NOON, status: 'failure' },
        { startedAt: NOON - MINUTE },
        { startedAt: NOON - MINUTE - 1, status: 'success', isReturn: true },
        { startedAt: NOON + DAY, finishedAt: NOON + DAY + MINUTE, status: 'success' },
      ]);
      await storedDeployment(stores, (await storedProject(stores)).project.id, { startedAt: NOON - HOUR });
      const asked = [
        { from: NOON, to: null },
        { from: NOON + DAY, to: NOON + DAY + 1 },
        { from: NOON - MINUTE, to: NOON + 1 },
        { from: NOON - HOUR, to: NOON - MINUTE },
        { from: NOON, to: NOON },
      ];
      expect(await again.deployments.firstOf(project.id, null, asked)).to.deep.equal([
        { startedAt: NOON, succeededAt: NOON + 4 * HOUR },
        { startedAt: NOON + DAY, succeededAt: NOON + DAY + MINUTE },
        { startedAt: NOON - MINUTE, succeededAt: null },
        NONE,
        NONE,
      ]);
      expect(await again.deployments.firstOf(project.id, null, [])).to.deep.equal([]);
    });

    it('are those of the environments that count', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      await storedDeployments(stores, project.id, [
        { startedAt: NOON, status: 'success', environment: 'staging' },
        { startedAt: NOON + 1, status: 'success', environment: AWKWARD },
        { startedAt: NOON + 2, status: 'success' },
      ]);
      const window = [{ from: NOON, to: null }];
      const firstIn = (environments: readonly string[]) => again.deployments.firstOf(project.id, environments, window);
      expect(await firstIn(['production', AWKWARD])).to.deep.equal([{ startedAt: NOON + 1, succeededAt: NOON + 1 }]);
      expect(await firstIn(['production'])).to.deep.equal([{ startedAt: NOON + 2, succeededAt: NOON + 2 }]);
      expect(await firstIn([])).to.deep.equal([NONE]);
    });
  });
};
