import { type Deployment, type PageRequest, searchTextOf } from '@shipworthy/domain';
import type { DeploymentFilter } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { ids, walk } from './expectations.js';
import type { Opened } from './open-stores.js';
import { AWKWARD, DAY, NOON, sampleId, unique } from './sample-records.js';
import { storedDeployment, storedDeployments, storedProject } from './sample-world.js';

/** DeploymentStore. */
export const deploymentsContract = (opened: Opened): void => {
  describe('deployments', () => {
    it('are read in the order asked', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const [one, two] = await storedDeployments(stores, project.id, [{}, {}]);
      if (one === undefined || two === undefined) throw new Error('two deployments expected');
      const asked = [two.id, sampleId(), one.id, two.id];
      expect(await again.deployments.byIds(asked)).to.deep.equal([two, undefined, one, two]);
      expect(await again.deployments.byIds([])).to.deep.equal([]);
    });

    it('come back to the letter and to the last digit', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const deployment = await storedDeployment(stores, project.id, {
        appName: AWKWARD,
        environment: AWKWARD,
        commitSha: 'f'.repeat(64),
        version: AWKWARD,
        deployedBy: AWKWARD,
        status: 'failure',
        isReturn: true,
        url: `https://example.org/${'é'.repeat(200)}`,
        startedAt: 1,
        finishedAt: Date.UTC(9999, 11, 31, 23, 59, 59, 999),
        durationSeconds: 0.1 + 0.2,
        createdAt: NOON + 1,
        external: { id: unique(AWKWARD), fingerprint: 'a'.repeat(64) },
      });
      const [read] = await again.deployments.byIds([deployment.id]);
      expect(read).to.deep.equal(deployment);
      for (const durationSeconds of [0, 2 ** 31 - 1, 1e300]) {
        const stored = await storedDeployment(stores, project.id, { durationSeconds });
        expect(await again.deployments.byIds([stored.id])).to.deep.equal([stored]);
      }
    });

    it('are listed newest first by start, then id, undisturbed by newer ones', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const stored = await storedDeployments(
        stores,
        project.id,
        [0, 3, 3, 1, -DAY].map((offset) => ({ startedAt: NOON + offset })),
      );
      const expected = stored.toSorted((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1));
      for (const limit of [1, 2, 5, 200]) {
        const addNewer = async () => void (await storedDeployment(stores, project.id, { startedAt: NOON + DAY }));
        const listed = await walk((page) => again.deployments.page({ projectId: project.id }, page), limit, addNewer);
        expect(listed.filter(({ startedAt }) => startedAt < NOON + DAY)).to.deep.equal(expected);
      }
    });

    it('are filtered by environment, status and start, its end left out', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const stored = await storedDeployments(stores, project.id, [
        { startedAt: NOON },
        { startedAt: NOON + 1, environment: 'staging', status: 'success', isReturn: true },
        { startedAt: NOON + 2, status: 'failure' },
        { startedAt: NOON + 3, environment: 'Production', status: 'failure' },
      ]);
      await storedDeployment(stores, (await storedProject(stores)).project.id);
      const list = async (filter: Omit<DeploymentFilter, 'projectId'>) =>
        ids(await walk((page) => again.deployments.page({ projectId: project.id, ...filter }, page), 2));
      const expected = (...places: number[]) => places.map((place) => stored[place]?.id);
      expect(await list({})).to.deep.equal(expected(3, 2, 1, 0));
      expect(await list({ environment: 'production' })).to.deep.equal(expected(2, 0));
      expect(await list({ status: 'failure' })).to.deep.equal(expected(3, 2));
      expect(await list({ status: 'success' })).to.deep.equal(expected(1));
      expect(await list({ environment: 'staging' })).to.deep.equal(expected(1));
      expect(await list({ status: 'started', environment: 'staging' })).to.deep.equal([]);
      expect(await list({ started: { from: NOON + 1, to: NOON + 3 } })).to.deep.equal(expected(2, 1));
      expect(await list({ started: { from: NOON + 3, to: null } })).to.deep.equal(expected(3));
    });

    it('are listed oldest first where that is asked, filtered or not', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const HOURS = [0, 0, 1, 2, 30, 31, 400, 401, 9000] as const;
      const stored = await storedDeployments(
        stores,
        project.id,
        HOURS.map((hours, place) => ({
          startedAt: NOON - hours * 3_600_000,
          environment: place % 3 === 0 ? 'staging' : 'production',
          status: place % 2 === 0 ? 'success' : 'failure',
        })),
      );
      const oldestFirst = stored.toSorted((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1));
      const filters: readonly [Omit<DeploymentFilter, 'projectId'>, (one: Deployment) => boolean][] = [
        [{}, () => true],
        [{ environment: 'staging' }, ({ environment }) => environment === 'staging'],
        [{ status: 'failure' }, ({ status }) => status === 'failure'],
        [
          { status: 'failure', environment: 'production' },
          (one) => one.status + one.environment === 'failureproduction',
        ],
        [
          { started: { from: NOON - 400 * 3_600_000, to: NOON - 3_600_000 } },
          ({ startedAt }) => startedAt >= NOON - 400 * 3_600_000 && startedAt < NOON - 3_600_000,
        ],
        [
          { environment: 'production', started: { from: NOON - 31 * 3_600_000, to: NOON } },
          (one) => one.environment === 'production' && one.startedAt >= NOON - 31 * 3_600_000 && one.startedAt < NOON,
        ],
      ];
      for (const [filter, isWanted] of filters)
        for (const limit of [1, 2, 200]) {
          const readPage = (page: PageRequest) =>
            again.deployments.page({ projectId: project.id, ...filter }, page, 'oldest-first');
          const what = `${JSON.stringify(filter)}, pages of ${limit}`;
          expect(await walk(readPage, limit), what).to.deep.equal(oldestFirst.filter(isWanted));
        }
    });

    it('are found by words of commit, version and environment, in any case', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const stored = await storedDeployments(stores, project.id, [
        { startedAt: NOON, commitSha: 'abcdef0123', version: '2.4.1', environment: 'Übung 100%' },
        { startedAt: NOON + 1, commitSha: '0123abcdef', version: null, environment: 'staging', status: 'success' },
        { startedAt: NOON + 2, commitSha: 'ffffff', version: '2.4.10_rc', environment: 'staging', status: 'failure' },
      ]);
      await storedDeployment(stores, (await storedProject(stores)).project.id, { commitSha: 'abcdef0123' });
      const list = async (text: string, filter: Omit<DeploymentFilter, 'projectId'> = {}) => {
        const asked = { projectId: project.id, text: searchTextOf(text), ...filter };
        return ids(await walk((page) => again.deployments.page(asked, page), 1));
      };
      const expected = (...places: number[]) => places.map((place) => stored[place]?.id);
      expect(await list('ABCDEF')).to.deep.equal(expected(1, 0));
      expect(await list('2.4.1')).to.deep.equal(expected(2, 0));
      expect(await list('übung 0%')).to.deep.equal(expected(0));
      expect(await list('staging abc')).to.deep.equal(expected(1));
      expect(await list('_RC')).to.deep.equal(expected(2));
      expect(await list('2.4', { environment: 'staging' })).to.deep.equal(expected(2));
      expect(await list('staging', { status: 'success' })).to.deep.equal(expected(1));
      expect(await list('staging', { started: { from: NOON + 2, to: null } })).to.deep.equal(expected(2));
      expect(await list('none')).to.deep.equal([]);
    });

    it('are found by what they are called elsewhere', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const externalId = unique('deployment');
      const external = { id: externalId, fingerprint: 'c'.repeat(64) };
      const called = await storedDeployment(stores, project.id, { external });
      await storedDeployment(stores, project.id);
      await storedDeployment(stores, (await storedProject(stores)).project.id, { external });
      const page = async (filter: Omit<DeploymentFilter, 'projectId'>) =>
        (await again.deployments.page({ projectId: project.id, ...filter }, { limit: 5, after: null })).rows;
      expect(await page({ externalId })).to.deep.equal([called]);
      expect(await page({ externalId, environment: called.environment })).to.deep.equal([called]);
      expect(await page({ externalId, environment: `not ${called.environment}` })).to.deep.equal([]);
      expect(await page({ externalId: unique('deployment') })).to.deep.equal([]);
    });

    it('answer when the newest of each project was reported, in the order asked', async () => {
      const { stores, again } = opened();
      const { project: none } = await storedProject(stores);
      const newest: Deployment[] = [];
      for (const startedAt of [NOON, NOON - DAY]) {
        const { project } = await storedProject(stores);
        const stored = await storedDeployments(stores, project.id, [
          { startedAt: 5 },
          { startedAt },
          { startedAt, createdAt: NOON + 7 },
        ]);
        newest.push(...stored.slice(2));
      }
      const [one, two] = newest;
      const asked = [two?.projectId ?? '', none.id, one?.projectId ?? '', sampleId()];
      const moments = [two?.createdAt, undefined, one?.createdAt, undefined];
      expect(await again.deployments.lastReported(asked)).to.deep.equal(moments);
      expect(await again.deployments.lastReported([])).to.deep.equal([]);
    });

    it('that a host began are listed while unfinished, newest first', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const external = (id: string) => ({ external: { id, fingerprint: 'same' } });
      const stored = await storedDeployments(stores, project.id, [
        { startedAt: NOON - 1, ...external('é_%:deployment:0') },
        { startedAt: NOON, ...external('é_%:deployment:1') },
        { startedAt: NOON + 2, ...external('é_%:deployment:2') },
        { startedAt: NOON + 1, ...external('é_%:deployment:3') },
        { startedAt: NOON + 1, ...external('é_%:deployment:4'), status: 'failure' },
        { startedAt: NOON + 1, ...external('éxx:deployment:5') },
        { startedAt: NOON + 1, ...external('x é_%:deployment:6') },
        { startedAt: NOON + 1 },
      ]);
      const elsewhere = (await storedProject(stores)).project;
      await storedDeployment(stores, elsewhere.id, external('é_%:deployment:1'));
      const filter = { projectId: project.id, externalPrefix: 'é_%:deployment:', since: NOON };
      const expected = [2, 3, 1].map((place) => stored[place]);
      const whole = await again.deployments.unfinished(filter, { limit: 9, after: null });
      expect(whole).to.deep.equal({ rows: expected, next: null });
      const first = await again.deployments.unfinished(filter, { limit: 2, after: null });
      expect(first.rows).to.deep.equal(expected.slice(0, 2));
      const last = await again.deployments.unfinished(filter, { limit: 2, after: first.next });
      expect(last).to.deep.equal({ rows: expected.slice(2), next: null });
    });

    it('are counted by day without a difference to the rows', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const midnight = Date.UTC(2026, 1, 1);
      const statuses = ['started', 'success', 'failure'] as const;
      await storedDeployments(
        stores,
        project.id,
        Array.from({ length: 90 }, (_, index) => ({
          startedAt: midnight + (index % 7) - 3,
          environment: index % 2 === 0 ? 'production' : AWKWARD,
          status: statuses[index % 3] ?? 'started',
          isReturn: index % 4 === 0,
        })),
      );
      expect(await again.deployments.recount()).to.deep.equal([]);
    });
  });
};
