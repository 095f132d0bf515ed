import type { Deployment, FinalStatus } from '@shipworthy/domain';
import type { ReportEntry } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { MINUTE, NOON, sampleDeployment, sampleId } from './sample-records.js';
import { inputsOf, revisionOf, storedActiveRelease, storedDeployment } from './sample-world.js';

const finish = (deploymentId: string, status: FinalStatus, over: { at?: number; seconds?: number | null } = {}) =>
  ({
    kind: 'finish',
    deploymentId,
    status,
    finishedAt: over.at ?? NOON + MINUTE,
    at: over.at ?? NOON + MINUTE,
    durationSeconds: over.seconds ?? null,
  }) satisfies ReportEntry;

const finished = (deployment: Deployment, status: FinalStatus, seconds: number | null = null): Deployment => ({
  ...deployment,
  status,
  finishedAt: NOON + MINUTE,
  durationSeconds: seconds,
});

/** ReportStore: finishing deployments. */
export const finishContract = (opened: Opened): void => {
  describe('finishing a deployment', () => {
    it('sets status, moment and duration', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const deployment = await storedDeployment(stores, project.id);
      const expected = finished(deployment, 'failure', 1.25);
      const outcomes = await stores.reports.record([finish(deployment.id, 'failure', { seconds: 1.25 })]);
      expect(outcomes).to.deep.equal([{ result: 'finished', deployment: expected }]);
      expect(await again.deployments.byIds([deployment.id])).to.deep.equal([expected]);
      const { stability } = (await inputsOf(again, release.id)).facts;
      expect(stability).to.deep.equal({ succeeded: 0, failed: 1, inProgress: 0 });
      expect(await again.deployments.recount()).to.deep.equal([]);
    });

    it('leaves a duration that was reported before', async () => {
      const { stores, again } = opened();
      const { project } = await storedActiveRelease(stores);
      const deployment = await storedDeployment(stores, project.id, { durationSeconds: 7.5 });
      await stores.reports.record([finish(deployment.id, 'success')]);
      expect(await again.deployments.byIds([deployment.id])).to.deep.equal([finished(deployment, 'success', 7.5)]);
    });

    it('changes nothing when it is unknown or final already', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const imported = await storedDeployment(stores, project.id, { status: 'success' });
      const before = await revisionOf(again, release.id);
      const late = { at: NOON + 9 * MINUTE, seconds: 9 };
      const outcomes = await stores.reports.record([
        finish(imported.id, 'failure', late),
        finish(sampleId(), 'success', late),
        finish(imported.id, 'success', late),
      ]);
      expect(outcomes).to.deep.equal([
        { result: 'already_final', deployment: imported },
        { result: 'not_found' },
        { result: 'already_final', deployment: imported },
      ]);
      expect(await again.deployments.byIds([imported.id])).to.deep.equal([imported]);
      expect(await revisionOf(again, release.id)).to.equal(before);
      expect(await again.deployments.recount()).to.deep.equal([]);
    });

    it('is done by the first of several in one batch', async () => {
      const { stores, again } = opened();
      const { project } = await storedActiveRelease(stores);
      const one = await storedDeployment(stores, project.id);
      const two = await storedDeployment(stores, project.id, { startedAt: NOON + 1 });
      const outcomes = await stores.reports.record([
        finish(one.id, 'failure', { seconds: 1 }),
        finish(two.id, 'success'),
        finish(one.id, 'success', { at: NOON + 2 * MINUTE, seconds: 2 }),
        finish(two.id, 'success'),
      ]);
      const [first, second] = [finished(one, 'failure', 1), finished(two, 'success')];
      expect(outcomes).to.deep.equal([
        { result: 'finished', deployment: first },
        { result: 'finished', deployment: second },
        { result: 'already_final', deployment: first },
        { result: 'already_final', deployment: second },
      ]);
      expect(await again.deployments.byIds([one.id, two.id])).to.deep.equal([first, second]);
      expect(await again.deployments.recount()).to.deep.equal([]);
    });

    it('meets the deployment created before it in the same batch', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const deployment = sampleDeployment(project.id);
      const outcomes = await stores.reports.record([
        { kind: 'deployment', deployment, remember: null },
        finish(deployment.id, 'success'),
      ]);
      const expected = finished(deployment, 'success');
      expect(outcomes).to.deep.equal([{ result: 'created' }, { result: 'finished', deployment: expected }]);
      const { stability } = (await inputsOf(again, release.id)).facts;
      expect(stability).to.deep.equal({ succeeded: 1, failed: 0, inProgress: 0 });
      expect(await again.deployments.recount()).to.deep.equal([]);
    });

    it('is done by one of many at once', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const { id } = await storedDeployment(stores, project.id);
      const statuses: FinalStatus[] = ['success', 'failure', 'success', 'failure', 'success', 'failure'];
      const tries = statuses.map((status) => stores.reports.record([finish(id, status)]));
      const outcomes = (await Promise.all(tries)).flat();
      expect(outcomes.filter(({ result }) => result === 'finished')).to.have.lengthOf(1);
      expect(outcomes.filter(({ result }) => result === 'already_final')).to.have.lengthOf(5);
      const [stored] = await again.deployments.byIds([id]);
      for (const outcome of outcomes) expect('deployment' in outcome && outcome.deployment).to.deep.equal(stored);
      const { stability } = (await inputsOf(again, release.id)).facts;
      expect(stability.succeeded + stability.failed).to.equal(1);
      expect(await again.deployments.recount()).to.deep.equal([]);
    });
  });
};
