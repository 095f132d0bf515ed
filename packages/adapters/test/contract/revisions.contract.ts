import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { DAY, HOUR, MINUTE, NOON, sampleDeployment, sampleWaiver } from './sample-records.js';
import {
  changePolicy,
  revisionOf,
  storedActiveRelease,
  storedDeployment,
  storedIssue,
  storedRelease,
  storedTestRun,
} from './sample-world.js';

/** The marks on releases: every change of anything a report is made of, and only of the releases concerned. */
export const revisionsContract = (opened: Opened): void => {
  describe('revisions', () => {
    it('go up with every kind of change', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const waiver = sampleWaiver(release.id);
      const finish = async () => {
        const { id } = await storedDeployment(stores, project.id);
        const before = await revisionOf(again, release.id);
        const common = { finishedAt: NOON + MINUTE, at: NOON + MINUTE, durationSeconds: null };
        await stores.reports.record([{ kind: 'finish', deploymentId: id, status: 'success', ...common }]);
        expect(await revisionOf(again, release.id)).to.be.above(before);
      };
      const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
        ['deployment', () => storedDeployment(stores, project.id)],
        ['finish', finish],
        ['test run', () => storedTestRun(stores, release)],
        ['issue', () => storedIssue(stores, project.id, { releaseId: release.id })],
        ['waiver', () => stores.waivers.add(waiver)],
        ['withdrawal', () => stores.waivers.withdraw(release.id, waiver.id, NOON, 'Ada')],
        ['policy', () => changePolicy(stores, project.id, { threshold: 81 })],
        ['project', () => stores.projects.replace({ ...project, name: `${project.name}!`, version: 2 }, NOON)],
        ['release', () => stores.releases.replace({ ...release, targetAt: NOON, version: 2 }, NOON)],
      ];
      for (const [name, change] of changes) {
        const before = await revisionOf(again, release.id);
        await change();
        expect(await revisionOf(again, release.id), name).to.be.above(before);
      }
    });

    it('stay when nothing changed', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const before = await revisionOf(again, release.id);
      await stores.releases.replace({ ...release, version: 5 }, NOON);
      await stores.projects.replace({ ...project, version: 5 }, NOON);
      const policy = await stores.policies.current(project.id);
      if (policy !== undefined) await stores.policies.add(project.id, policy);
      await stores.waivers.withdraw(release.id, sampleWaiver(release.id).id, NOON, 'Ada');
      expect(await revisionOf(again, release.id)).to.equal(before);
    });

    it('of a deployment go up in every release of its project whose window holds its start', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const planned = await storedRelease(stores, project.id, { startsAt: NOON });
      const over = { state: 'shipped', startsAt: NOON - DAY, shippedAt: NOON } as const;
      const shipped = await storedRelease(stores, project.id, over);
      const windowless = await storedRelease(stores, project.id);
      const { release: elsewhere } = await storedActiveRelease(stores);
      const all = [release, planned, shipped, windowless, elsewhere];
      const read = () => Promise.all(all.map(({ id }) => revisionOf(again, id)));
      const moved = (before: readonly number[], after: readonly number[]) =>
        after.map((revision, place) => revision > (before[place] ?? 0));
      const before = await read();
      const { id: deploymentId } = await storedDeployment(stores, project.id, { startedAt: NOON });
      const after = await read();
      expect(moved(before, after)).to.deep.equal([true, true, false, false, false]);
      // It finishes long after the windows' edges: its start alone decides.
      const finish = {
        status: 'failure',
        finishedAt: NOON + 40 * DAY,
        at: NOON + 40 * DAY,
        durationSeconds: null,
      } as const;
      await stores.reports.record([{ kind: 'finish', deploymentId, ...finish }]);
      expect(moved(after, await read())).to.deep.equal([true, true, false, false, false]);
    });

    it('of deployments stored together stay where the window holds the start of none', async () => {
      const { stores, again } = opened();
      const { project } = await storedActiveRelease(stores);
      const over = { state: 'shipped', startsAt: NOON - DAY, shippedAt: NOON } as const;
      const { id } = await storedRelease(stores, project.id, over);
      const before = await revisionOf(again, id);
      // One lies before the window and one at its end: the window is between them and holds neither.
      await stores.reports.record(
        [NOON - DAY - 1, NOON].map((startedAt) => {
          const deployment = sampleDeployment(project.id, { startedAt });
          return { kind: 'deployment', deployment, remember: null };
        }),
      );
      expect(await revisionOf(again, id)).to.equal(before);
    });

    it('of a test run go up in its release only', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const other = await storedRelease(stores, project.id, { startsAt: NOON - DAY });
      const before = await revisionOf(again, other.id);
      await storedTestRun(stores, release);
      expect(await revisionOf(again, other.id)).to.equal(before);
    });

    it('of a policy or a project go up in all its releases', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const planned = await storedRelease(stores, project.id);
      const { release: elsewhere } = await storedActiveRelease(stores);
      const read = (id: string) => revisionOf(again, id);
      const before = [await read(release.id), await read(planned.id), await read(elsewhere.id)] as const;
      await changePolicy(stores, project.id, { threshold: 70 });
      const between = [await read(release.id), await read(planned.id)] as const;
      expect(between[0]).to.be.above(before[0]);
      expect(between[1]).to.be.above(before[1]);
      await stores.projects.replace({ ...project, name: `${project.name}!`, version: 2 }, NOON);
      expect(await read(release.id)).to.be.above(between[0]);
      expect(await read(planned.id)).to.be.above(between[1]);
      expect(await read(elsewhere.id)).to.equal(before[2]);
    });

    it('know the moment of the last change, which never goes back', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const changedAt = async () => (await again.facts.revisions([release.id]))[0]?.changedAt;
      expect(await changedAt()).to.equal(release.createdAt);
      await storedDeployment(stores, project.id, { startedAt: NOON - MINUTE, createdAt: NOON + HOUR });
      expect(await changedAt()).to.equal(NOON + HOUR);
      await storedTestRun(stores, release, { ranAt: NOON + DAY, recordedAt: NOON + MINUTE });
      expect(await changedAt()).to.equal(NOON + HOUR);
      await storedTestRun(stores, release, { ranAt: NOON, recordedAt: NOON + DAY });
      expect(await changedAt()).to.equal(NOON + DAY);
      await stores.releases.replace({ ...release, version: 2 }, NOON + 2 * DAY);
      expect(await changedAt()).to.equal(NOON + 2 * DAY);
    });
  });
};
