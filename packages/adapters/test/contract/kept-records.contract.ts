import type { Release, Stores } from '@shipworthy/domain';
import type { RemovedRecords } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import type { Open } from './open-stores.js';
import { DAY, HOUR, MINUTE, NOON, sampleAxisReport, sampleId, sampleTestRun } from './sample-records.js';
import { sampleReport } from './sample-report.js';
import { inputsOf, storedDeployments, storedProject, storedRelease, storedTestRun, undone } from './sample-world.js';

/** The start of the day that the records of 30 days before it are kept from. */
const EDGE = NOON - (NOON % DAY) - 30 * DAY;
const ALL = { limit: 200, after: null };

/** Removes portion by portion until all has been looked at. */
const removeAll = async (stores: Stores, before: number): Promise<readonly RemovedRecords[]> => {
  const removed: RemovedRecords[] = [];
  let from: string | null = null;
  do {
    const portion = await stores.keptRecords.removeBefore(before, from);
    removed.push(...portion.removed);
    from = portion.next;
  } while (from !== null);
  return removed;
};

const startsOf = async (stores: Stores, projectId: string) =>
  (await stores.deployments.page({ projectId }, ALL)).rows.map(({ startedAt }) => startedAt);

const runsOf = async (stores: Stores, { projectId, id: releaseId }: Release) =>
  (await stores.testRuns.page({ projectId, releaseId }, ALL)).rows.map(({ ranAt }) => ranAt);

/** KeptRecordsStore: it looks at all there is, so these tests open stores of their own. */
export const keptRecordsContract = (open: Open): void => {
  describe('records that are kept for a time', () => {
    it('go when they started before that, exactly, and tell since when the rest is whole', async () => {
      const { stores, again, close } = await open();
      try {
        const { project, team } = await storedProject(stores);
        const shipped = await storedRelease(stores, project.id);
        const moments = [EDGE - 40 * DAY, EDGE - 1, EDGE, NOON];
        await storedDeployments(
          stores,
          project.id,
          moments.map((startedAt) => ({ startedAt, status: 'success' })),
        );
        for (const ranAt of moments) await storedTestRun(stores, shipped, { ranAt });
        await stores.releases.replace({ ...shipped, state: 'shipped', shippedAt: NOON, version: 2 }, NOON);
        const report = sampleReport(shipped.id);
        await stores.releases.freeze(shipped.id, report);
        expect(await again.keptRecords.since(project.id)).to.deep.equal({
          ...{ deployments: null, testRuns: null, axisReports: null },
        });
        expect(await removeAll(stores, EDGE)).to.deep.equal([
          { projectId: project.id, teamId: team.id, deployments: 2, testRuns: 2, axisReports: 0 },
        ]);
        expect(await startsOf(again, project.id)).to.deep.equal([NOON, EDGE]);
        expect(await runsOf(again, shipped)).to.deep.equal([NOON, EDGE]);
        expect(await again.keptRecords.since(project.id)).to.deep.equal({
          ...{ deployments: EDGE, testRuns: EDGE, axisReports: EDGE },
        });
        expect(await again.releases.frozen(shipped.id)).to.deep.equal(report);
        expect(await again.deployments.recount()).to.deep.equal([]);
        expect(await removeAll(stores, EDGE)).to.deep.equal([]);
        await removeAll(stores, EDGE - 5 * DAY);
        expect(await again.keptRecords.since(project.id)).to.include({ deployments: EDGE });
      } finally {
        await close();
      }
    });

    it('stay where an open release needs them, which reads the same before and after', async () => {
      const { stores, again, close } = await open();
      try {
        const { project } = await storedProject(stores);
        const startsAt = EDGE - 10 * DAY + 5 * HOUR;
        const active = await storedRelease(stores, project.id, { state: 'active', startsAt });
        await storedRelease(stores, project.id, { state: 'shipped', startsAt: EDGE - 90 * DAY, shippedAt: startsAt });
        const dayOfStart = startsAt - 5 * HOUR;
        const moments = [dayOfStart - 1, dayOfStart, startsAt - 1, startsAt, startsAt + 20 * DAY];
        await storedDeployments(
          stores,
          project.id,
          moments.map((startedAt) => ({ startedAt, status: 'failure' })),
        );
        await storedTestRun(stores, active, { ranAt: EDGE - 50 * DAY });
        await storedTestRun(stores, active, { ranAt: EDGE - 5 * DAY, passed: 10, failed: 0 });
        const before = await inputsOf(again, active.id);
        expect(before.facts.stability).to.include({ failed: 2 });
        const [removed] = await removeAll(stores, EDGE);
        expect(removed).to.include({ deployments: 1, testRuns: 0 });
        expect(await startsOf(again, project.id)).to.deep.equal(moments.slice(1).toReversed());
        expect(await runsOf(again, active)).to.have.lengthOf(2);
        expect(await inputsOf(again, active.id)).to.deep.equal(before);
        expect(await again.keptRecords.since(project.id)).to.include({ deployments: dayOfStart });
        expect(await again.deployments.recount()).to.deep.equal([]);
      } finally {
        await close();
      }
    });

    it('are still counted by whole hours for a release that is made afterwards and starts within a removed day', async () => {
      const { stores, again, close } = await open();
      try {
        const { project } = await storedProject(stores);
        const ten = EDGE - DAY + 10 * HOUR;
        const eleven = ten + HOUR;
        await storedDeployments(stores, project.id, [
          { startedAt: ten - MINUTE, status: 'failure' },
          { startedAt: ten + 10 * MINUTE, status: 'success' },
          { startedAt: eleven, status: 'failure' },
          { startedAt: eleven + 10 * MINUTE, environment: 'staging' },
          { startedAt: NOON, status: 'success' },
        ]);
        expect(await removeAll(stores, EDGE)).to.have.nested.property('[0].deployments', 4);
        const counted = async (startsAt: number, canceledAt: number | null = null) => {
          const ended = canceledAt === null ? {} : ({ state: 'canceled', canceledAt } as const);
          const release = await storedRelease(stores, project.id, { startsAt, ...ended });
          const { succeeded, failed, inProgress } = (await inputsOf(again, release.id)).facts.stability;
          return [succeeded, failed, inProgress];
        };
        expect(await counted(ten)).to.deep.equal([2, 1, 1]);
        expect(await counted(ten, eleven)).to.deep.equal([1, 0, 0]);
        // What started in a part of an hour is gone with its row.
        expect(await counted(ten + MINUTE)).to.deep.equal([1, 1, 1]);
        expect(await counted(ten, eleven + 30 * MINUTE)).to.deep.equal([1, 0, 0]);
        expect(await again.deployments.recount()).to.deep.equal([]);
      } finally {
        await close();
      }
    });

    it('go as test runs of closed releases; the latest run of each suite stays a fact', async () => {
      const { stores, again, close } = await open();
      try {
        const { project } = await storedProject(stores);
        const release = await storedRelease(stores, project.id);
        const unit = [EDGE - 40 * DAY, EDGE - 2 * DAY];
        for (const ranAt of unit) await storedTestRun(stores, release, { ranAt, recordedAt: ranAt, suite: 'unit' });
        const last = { ranAt: EDGE - DAY, recordedAt: EDGE - DAY };
        await storedTestRun(stores, release, { ...last, suite: 'load', passed: 6, failed: 4, total: 10 });
        await stores.releases.replace({ ...release, state: 'shipped', shippedAt: NOON, version: 2 }, NOON);
        const known = async () => {
          const targets = ['unit', 'load', 'other'].map((suite) => ({
            projectId: project.id,
            releaseId: release.id,
            suite,
          }));
          return [(await inputsOf(again, release.id)).facts, await again.testRuns.targets(targets)];
        };
        const before = await known();
        expect(await removeAll(stores, EDGE)).to.have.nested.property('[0].testRuns', 3);
        expect(await runsOf(again, release)).to.deep.equal([]);
        expect(await known()).to.deep.equal(before);
        const older = sampleTestRun(release, { ranAt: EDGE - 40 * DAY, recordedAt: EDGE, suite: 'unit' });
        await stores.reports.record([{ kind: 'test_run', testRun: older, remember: null, allowClosedRelease: true }]);
        expect(await known()).to.deep.equal(before);
        const { rows } = await again.testRuns.notCounted(project.id, 'latest_per_suite', ALL);
        expect(rows).to.deep.equal([older]);
      } finally {
        await close();
      }
    });

    it('go as reports of own axes of closed releases, whose latest is still a fact', async () => {
      const { stores, again, close, offers } = await open();
      try {
        if (!offers('own-axes')) return;
        const { project, team } = await storedProject(stores);
        const active = await storedRelease(stores, project.id, { state: 'active' });
        const canceled = await storedRelease(stores, project.id, { state: 'canceled', canceledAt: NOON });
        const external = { id: 'scan 1', fingerprint: 'f' };
        for (const release of [canceled, active])
          for (const measuredAt of [EDGE - 40 * DAY, EDGE - 1, EDGE])
            await stores.axisReports.add([
              sampleAxisReport(release, { measuredAt, axis: measuredAt === EDGE ? 'late' : 'security' }),
            ]);
        await stores.axisReports.add([sampleAxisReport(canceled, { measuredAt: EDGE - 50 * DAY, external })]);
        const facts = async () => [await inputsOf(again, active.id), await inputsOf(again, canceled.id)];
        const before = await facts();
        expect(await removeAll(stores, EDGE)).to.deep.equal([
          { projectId: project.id, teamId: team.id, deployments: 0, testRuns: 0, axisReports: 3 },
        ]);
        expect(await facts()).to.deep.equal(before);
        const listed = async (axis: string, releaseId: string) =>
          (await again.axisReports.page({ projectId: project.id, axis, releaseId }, ALL)).rows.length;
        expect([await listed('security', canceled.id), await listed('late', canceled.id)]).to.deep.equal([0, 1]);
        expect([await listed('security', active.id), await listed('late', active.id)]).to.deep.equal([2, 1]);
        expect(await again.keptRecords.since(project.id)).to.include({ axisReports: EDGE });
        expect(await removeAll(stores, EDGE)).to.deep.equal([]);
        await stores.axisReports.add([sampleAxisReport(canceled, { external })]);
      } finally {
        await close();
      }
    });

    it('are removed from every project in portions, each after the last; a removed record can be reported again', async () => {
      const { stores, again, close } = await open();
      try {
        const worlds = [await storedProject(stores), await storedProject(stores), await storedProject(stores)];
        const external = { id: 'run 1', fingerprint: 'f' };
        for (const { project } of worlds)
          await storedDeployments(stores, project.id, [{ startedAt: EDGE - DAY, external, id: sampleId() }]);
        const first = await stores.keptRecords.removeBefore(EDGE, null);
        expect(first.removed).to.have.lengthOf(1);
        expect(first.next).to.equal(first.removed[0]?.projectId);
        const rest = await removeAll(stores, EDGE);
        expect([...first.removed, ...rest].map(({ projectId }) => projectId)).to.deep.equal(
          worlds.map(({ project }) => project.id).toSorted(),
        );
        for (const { project } of worlds) {
          expect(await startsOf(again, project.id)).to.deep.equal([]);
          await storedDeployments(stores, project.id, [{ startedAt: NOON, external }]);
        }
      } finally {
        await close();
      }
    });

    it('are all there again when the transaction that removed them is undone', async () => {
      const { stores, again, close } = await open();
      try {
        const { project } = await storedProject(stores);
        await storedDeployments(stores, project.id, [{ startedAt: EDGE - DAY }]);
        await undone(stores, async (inside) => {
          expect((await inside.keptRecords.removeBefore(EDGE, null)).removed).to.have.lengthOf(1);
        });
        expect(await startsOf(again, project.id)).to.have.lengthOf(1);
        expect(await again.keptRecords.since(project.id)).to.deep.equal({
          ...{ deployments: null, testRuns: null, axisReports: null },
        });
      } finally {
        await close();
      }
    });
  });
};
