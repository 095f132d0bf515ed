import type { Stores } from '@shipworthy/domain';
import type { RemovedRecords } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { partitionTables } from '../../src/knex/index.js';
import { firstIdAt, partitionsOf } from '../../src/knex/partitions/definitions-sql.js';
import { DAY, NOON, sampleId } from '../contract/sample-records.js';
import {
  inputsOf,
  storedDeployments,
  storedProject,
  storedRelease,
  storedTestRun,
  undone,
} from '../contract/sample-world.js';
import { type Opened, withNew } from './opened.js';

const ALL = { limit: 200, after: null };

const names = async ({ database }: Opened) => (await partitionsOf(database.access)).map(({ name }) => name);

const FIRST_OF_DECEMBER = Date.UTC(2025, 11, 1);
/** When all of November is older than what is kept. */
const EDGE = FIRST_OF_DECEMBER + DAY;

/** An id of a record that came at the moment. */
const idAt = (at: number): string => firstIdAt(at).slice(0, 13) + sampleId().slice(13);

const removeAll = async (stores: Stores, before: number): Promise<readonly RemovedRecords[]> => {
  const removed: RemovedRecords[] = [];
  let from: string | null = null;
  do {
    const portion = await stores.transaction((inside) => inside.keptRecords.removeBefore(before, from));
    removed.push(...portion.removed);
    from = portion.next;
  } while (from !== null);
  return removed;
};

/** A project with records of November and January, partitioned in October so that the old table ends with November. */
const scene = async ({ stores, database }: Opened) => {
  const { project, team } = await storedProject(stores);
  const shipped = await storedRelease(stores, project.id);
  const moments = [FIRST_OF_DECEMBER - 20 * DAY, FIRST_OF_DECEMBER - 10 * DAY, NOON - DAY];
  const over = moments.map((startedAt) => ({
    id: idAt(startedAt),
    startedAt,
    status: 'success' as const,
    external: { id: `run ${startedAt}`, fingerprint: 'f' },
  }));
  const run = (ranAt: number) => storedTestRun(stores, shipped, { id: idAt(ranAt), ranAt });
  for (const ranAt of moments.slice(0, 2)) await run(ranAt);
  const deployments = await storedDeployments(stores, project.id, over.slice(0, 2));
  await partitionTables(database, FIRST_OF_DECEMBER - 50 * DAY);
  for (const ranAt of moments.slice(2)) await run(ranAt);
  await stores.releases.replace({ ...shipped, state: 'shipped', shippedAt: NOON, version: 2 }, NOON);
  return { project, team, deployments, rest: await storedDeployments(stores, project.id, over.slice(2)), over };
};

describe('months that are older than records are kept', () => {
  it('are dropped, with the external ids of their records', () =>
    withNew('PostgreSQL', async (opened) => {
      const { stores } = opened;
      const { project, team, over, rest } = await scene(opened);
      expect(await removeAll(stores, FIRST_OF_DECEMBER - 30 * DAY)).to.deep.equal([]);
      const removed = await removeAll(stores, EDGE);
      expect(removed).to.have.deep.members([
        { projectId: null, teamId: team.id, deployments: 2, testRuns: 0, axisReports: 0 },
        { projectId: null, teamId: team.id, deployments: 0, testRuns: 2, axisReports: 0 },
      ]);
      expect(await names(opened)).to.not.include.members(['deployments_past', 'test_runs_past']);
      const { rows } = await stores.deployments.page({ projectId: project.id }, ALL);
      expect(rows).to.deep.equal(rest);
      expect(await stores.keptRecords.since(project.id)).to.include({ deployments: EDGE, testRuns: EDGE });
      expect(await stores.deployments.recount()).to.deep.equal([]);
      await storedDeployments(stores, project.id, over.slice(0, 1));
      expect(await removeAll(stores, EDGE)).to.have.lengthOf(1);
    }));

  it('leave behind what open releases need, which read the same', () =>
    withNew('PostgreSQL', async (opened) => {
      const { stores } = opened;
      const { project, deployments } = await scene(opened);
      const startsAt = FIRST_OF_DECEMBER - 12 * DAY;
      const active = await storedRelease(stores, project.id, { state: 'active', startsAt });
      await storedTestRun(stores, active, { id: idAt(startsAt), ranAt: startsAt });
      const before = await inputsOf(stores, active.id);
      expect(before.facts.stability).to.include({ succeeded: 2 });
      await removeAll(stores, EDGE);
      expect(await names(opened)).to.not.include.members(['deployments_past', 'test_runs_past']);
      expect(await inputsOf(stores, active.id)).to.deep.equal(before);
      const { rows } = await stores.deployments.page({ projectId: project.id }, ALL);
      expect(rows.map(({ id }) => id))
        .to.include(deployments[1]?.id)
        .and.not.include(deployments[0]?.id);
      const [again] = await stores.reports.record([
        { kind: 'deployment', deployment: { ...rows[1], id: sampleId() } as (typeof rows)[number], remember: null },
      ]);
      expect(again).to.deep.equal({ result: 'duplicate', id: deployments[1]?.id });
      await stores.releases.replace({ ...active, state: 'canceled', canceledAt: NOON, version: 2 }, NOON);
      await removeAll(stores, EDGE);
      const left = await stores.deployments.page({ projectId: project.id }, ALL);
      expect(left.rows.map(({ id }) => id)).to.not.include(deployments[1]?.id);
      expect(await stores.deployments.recount()).to.deep.equal([]);
    }));

  it('are still there when the transaction that drops them is rolled back', () =>
    withNew('PostgreSQL', async (opened) => {
      const { stores } = opened;
      const { project } = await scene(opened);
      const before = [await names(opened), await stores.deployments.page({ projectId: project.id }, ALL)];
      await undone(stores, async (inside) => {
        expect((await inside.keptRecords.removeBefore(EDGE, null)).removed).to.have.lengthOf(1);
      });
      expect([await names(opened), await stores.deployments.page({ projectId: project.id }, ALL)]).to.deep.equal(
        before,
      );
    }));

  it('lose their old rows one by one where the partition from before partitioning also holds younger ones', () =>
    withNew('PostgreSQL', async (opened) => {
      const { stores } = opened;
      const { project, team, over } = await scene(opened);
      const edge = FIRST_OF_DECEMBER - 15 * DAY;
      expect(await removeAll(stores, edge)).to.deep.equal([
        { projectId: project.id, teamId: team.id, deployments: 1, testRuns: 1, axisReports: 0 },
      ]);
      expect(await names(opened)).to.include.members(['deployments_past', 'test_runs_past']);
      const starts = async () =>
        (await stores.deployments.page({ projectId: project.id }, ALL)).rows.map(({ startedAt }) => startedAt);
      expect(await starts()).to.deep.equal([NOON - DAY, FIRST_OF_DECEMBER - 10 * DAY]);
      expect(await stores.keptRecords.since(project.id)).to.include({ deployments: edge, testRuns: edge });
      expect(await stores.deployments.recount()).to.deep.equal([]);
      await storedDeployments(stores, project.id, over.slice(0, 1));
      expect(await starts()).to.have.lengthOf(3);
      expect(await removeAll(stores, EDGE)).to.have.deep.members([
        { projectId: null, teamId: team.id, deployments: 2, testRuns: 0, axisReports: 0 },
        { projectId: null, teamId: team.id, deployments: 0, testRuns: 1, axisReports: 0 },
      ]);
    }));

  it('are counted before projects are locked, so that releases can be changed until they are dropped', () =>
    withNew('PostgreSQL', async (opened) => {
      const { stores, database } = opened;
      await scene(opened);
      const { read, atomically } = database.access;
      const isWaiting = async (): Promise<boolean> =>
        (await read(`select 1 from pg_locks where not granted and relation = 'deployments_past'::regclass`)).length > 0;
      const removed = await atomically(async (holder) => {
        await holder.write('lock table deployments_past in access exclusive mode');
        let early: unknown;
        const removing = stores.keptRecords.removeBefore(EDGE, null).then(
          () => (early = 'removed while the partition was locked'),
          (error: unknown) => (early = error),
        );
        while (early === undefined && !(await isWaiting())) await new Promise((resolve) => setTimeout(resolve, 5));
        expect(early, 'ended early').to.equal(undefined);
        await holder.write('select id from projects for no key update nowait');
        return { removing };
      });
      await removed.removing;
    }));
});
