import {
  type Deployment,
  deploymentAttribution,
  notCountedReason,
  type Page,
  type PageKey,
  type PageRequest,
  type Stores,
  type TestRun,
  testRunAttribution,
} from '@shipworthy/domain';
import { shipRelease } from '@shipworthy/domain/use-cases';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Opened } from './open-stores.js';
import { actorIn } from './sample-access.js';
import { DAY, HOUR, NOON, sampleId, sampleTestRun } from './sample-records.js';
import { storedActiveRelease, storedDeployments, storedProject, storedRelease } from './sample-world.js';

const WHOLE: PageRequest = { limit: 200, after: null };
/** Moments that meet in hours, in days and exactly. */
const anyMoment = fc
  .tuple(fc.integer({ min: -2, max: 2 }), fc.integer({ min: 0, max: 3 }), fc.integer({ min: -1, max: 1 }))
  .map(([days, hours, ms]) => NOON + days * DAY + hours * HOUR + ms);
const anyDeployment = fc.record({
  startedAt: anyMoment,
  status: fc.constantFrom('started', 'success', 'success', 'failure'),
  isReturn: fc.constantFrom(false, false, true),
  environment: fc.constantFrom('production', 'production', 'staging', 'dev'),
  createdAt: anyMoment,
});
const anyWindow = fc.record({ startsAt: anyMoment, endsAt: fc.option(anyMoment), ships: fc.boolean() });
const anyEnvironments = fc.constantFrom(null, ['production'], ['staging', 'dev'], []);
const anyRun = fc.record({
  ranAt: anyMoment,
  recordedAt: anyMoment,
  suite: fc.constantFrom(null, 'unit', 'e2e'),
  release: fc.nat(1),
  isSetAside: fc.constantFrom(false, false, false, true),
});

/** All pages, one after the other. */
const readThrough = async <Row>(
  limit: number,
  read: (page: PageRequest) => Promise<Page<Row>>,
): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  let after: PageKey | null = null;
  do {
    const page: Page<Row> = await read({ limit, after });
    expect(page.rows.length).to.be.at.most(limit);
    rows.push(...page.rows);
    after = page.next;
  } while (after !== null);
  return rows;
};

/** All of a project's deployments, told apart by their receipts alone. */
const deploymentsByReceipt = async (
  stores: Stores,
  projectId: string,
  environments: readonly string[] | null,
): Promise<readonly Deployment[]> => {
  const { rows } = await stores.deployments.page({ projectId }, WHOLE);
  const at = await stores.projects.at(rows.map(({ startedAt }) => ({ projectId, at: startedAt })));
  return rows.filter((deployment, index) => {
    const found = at[index];
    return found && notCountedReason(deploymentAttribution(deployment, { ...found, environments })) !== null;
  });
};

const runsByReceipt = async (
  stores: Stores,
  projectId: string,
  verification: 'latest_run' | 'latest_per_suite',
): Promise<readonly TestRun[]> => {
  const { rows } = await stores.testRuns.page({ projectId }, WHOLE);
  const targets = await stores.testRuns.targets(rows);
  return rows.filter((run, index) => {
    const target = targets[index];
    return target && notCountedReason(testRunAttribution(run, { ...target, verification })) !== null;
  });
};

/** DeploymentStore.notCounted and TestRunStore.notCounted. */
export const notCountedContract = (opened: Opened): void => {
  describe('what counts for no release', () => {
    it('is, of deployments, what their receipts say, page by page', async () => {
      const { stores, again } = opened();
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyDeployment, { maxLength: 25 }),
          fc.array(anyWindow, { maxLength: 3 }),
          anyEnvironments,
          fc.integer({ min: 1, max: 6 }),
          async (deployments, windows, environments, limit) => {
            const { project } = await storedProject(stores);
            for (const { startsAt, endsAt, ships } of windows) {
              const end = endsAt === null ? null : Math.max(startsAt, endsAt);
              const closed = ships ? { shippedAt: end, state: 'shipped' } : { canceledAt: end, state: 'canceled' };
              await storedRelease(stores, project.id, {
                startsAt,
                ...(end === null ? {} : (closed as { readonly state: 'shipped' | 'canceled' })),
              });
            }
            await storedDeployments(stores, project.id, deployments);
            const expected = await deploymentsByReceipt(again, project.id, environments);
            const { notCounted } = again.deployments;
            const found = await readThrough(limit, (page) => notCounted(project.id, environments, page));
            expect(found).to.deep.equal(expected);
          },
        ),
        { numRuns: 25 },
      );
    });

    it('is, of test runs, what their receipts say, page by page', async () => {
      const { stores, again } = opened();
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyRun, { maxLength: 15 }),
          fc.constantFrom('latest_run', 'latest_per_suite'),
          fc.integer({ min: 1, max: 6 }),
          async (runs, verification, limit) => {
            const { project } = await storedProject(stores);
            const releases = [
              await storedRelease(stores, project.id),
              await storedRelease(stores, project.id),
            ] as const;
            const [, shipped] = releases;
            const next = { ...shipped, state: 'shipped', shippedAt: NOON, version: 2 } as const;
            expect(await stores.releases.replace(next, NOON)).to.equal(true);
            const entries = runs.map(({ release, isSetAside, ...run }) => {
              const setAside = isSetAside ? { reason: 'It is wrong.', by: 'Ada', at: NOON } : null;
              const testRun = sampleTestRun(releases[release === 0 ? 0 : 1], { ...run, setAside });
              return { kind: 'test_run', testRun, remember: null, allowClosedRelease: true } as const;
            });
            await stores.reports.record(entries);
            const expected = await runsByReceipt(again, project.id, verification);
            const { notCounted } = again.testRuns;
            const found = await readThrough(limit, (page) => notCounted(project.id, verification, page));
            expect(found).to.deep.equal(expected);
          },
        ),
        { numRuns: 25 },
      );
    });

    it('is a deployment that finished only after its release shipped', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const shipped = { state: 'shipped', startsAt: NOON - HOUR, shippedAt: NOON + HOUR } as const;
      await storedRelease(stores, project.id, shipped);
      const [inTime, late] = await storedDeployments(stores, project.id, [{}, { startedAt: NOON + 1 }]);
      const finish = (id: string | undefined, at: number) =>
        ({
          kind: 'finish',
          deploymentId: id ?? '',
          status: 'success',
          finishedAt: at,
          at,
          durationSeconds: null,
        }) as const;
      await stores.reports.record([finish(inTime?.id, NOON + HOUR - 1), finish(late?.id, NOON + HOUR)]);
      const { rows } = await again.deployments.notCounted(project.id, null, WHOLE);
      expect(rows.map(({ id }) => id)).to.deep.equal([late?.id]);
    });

    it('is no deployment that its shipped release counts, though it ended by a clock that was ahead', async () => {
      const { stores, again } = opened();
      const { release, ...world } = await storedActiveRelease(stores);
      const { id: projectId, teamId } = world.project;
      const [deployment] = await storedDeployments(stores, projectId, [{ startedAt: NOON, status: 'started' }]);
      const end = { status: 'success', finishedAt: NOON + 40, at: NOON + 40, durationSeconds: null } as const;
      const finish = { kind: 'finish', deploymentId: deployment?.id ?? '', ...end, isArrivalTime: true } as const;
      expect((await stores.reports.record([finish])).map(({ result }) => result)).to.deep.equal(['finished']);
      const ports = { stores, clock: () => NOON + 20, newId: sampleId };
      const by = actorIn(world, 'member');
      const { frozen } = await shipRelease(ports, { by, teamId, projectId, releaseId: release.id, note: null });
      expect(frozen.facts.stability).to.deep.equal({ succeeded: 1, failed: 0, inProgress: 0 });
      expect(await deploymentsByReceipt(again, projectId, null)).to.deep.equal([]);
      expect((await again.deployments.notCounted(projectId, null, WHOLE)).rows).to.deep.equal([]);
    });

    it('pages through late deployments that started at one moment, to those before them', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      await storedRelease(stores, project.id, { state: 'shipped', startsAt: NOON - DAY, shippedAt: NOON + 1 });
      const late = { status: 'success', createdAt: NOON + 1 } as const;
      const at = [NOON - DAY, NOON, NOON, NOON].map((startedAt) => ({ ...late, startedAt }));
      const stored = await storedDeployments(stores, project.id, at);
      const found = await readThrough(1, (page) => again.deployments.notCounted(project.id, null, page));
      expect(found.map(({ id }) => id)).to.have.members(stored.map(({ id }) => id));
    });

    it('is of one project only, and nothing where there is none', async () => {
      const { stores, again } = opened();
      const [mine, other] = [await storedProject(stores), await storedProject(stores)];
      await storedDeployments(stores, other.project.id, [{ status: 'started' }]);
      const nothing = { rows: [], next: null };
      expect(await again.deployments.notCounted(mine.project.id, null, WHOLE)).to.deep.equal(nothing);
      expect(await again.testRuns.notCounted(mine.project.id, 'latest_run', WHOLE)).to.deep.equal(nothing);
    });
  });
};
