import { type Release, type ReleaseState, searchTextOf, type TestRun } from '@shipworthy/domain';
import type { TestRunFilter } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { ids, walk } from './expectations.js';
import type { Opened } from './open-stores.js';
import { AWKWARD, DAY, NOON, sampleId, sampleTestRun, unique } from './sample-records.js';
import {
  changePolicy,
  inputsOf,
  storedActiveRelease,
  storedProject,
  storedRelease,
  storedTestRun,
} from './sample-world.js';

const order = ({ ranAt, recordedAt, id }: TestRun) => ({ ranAt, recordedAt, id });

/** TestRunStore. */
export const testRunsContract = (opened: Opened): void => {
  describe('test runs', () => {
    it('come back to the letter and to the last digit', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      const full = await storedTestRun(stores, release, {
        suite: AWKWARD,
        total: 2 ** 31 - 1,
        passed: 2 ** 31 - 1,
        failed: 0,
        skipped: 2 ** 31 - 1,
        commitSha: 'abcdef0',
        url: 'https://example.org/runs/1',
        durationSeconds: 0.1 + 0.2,
        ranAt: NOON + 1,
        recordedAt: NOON + 2,
        recordedBy: AWKWARD,
        external: { id: unique(AWKWARD), fingerprint: 'b'.repeat(64) },
      });
      const bare = await storedTestRun(stores, release);
      expect(await again.testRuns.byId(full.id)).to.deep.equal(full);
      expect(await again.testRuns.byId(bare.id)).to.deep.equal(bare);
      expect(await again.testRuns.byId(sampleId())).to.equal(undefined);
      const asked = [bare.id, sampleId(), full.id, bare.id];
      expect(await again.testRuns.byIds(asked)).to.deep.equal([bare, undefined, full, bare]);
      expect(await again.testRuns.byIds([])).to.deep.equal([]);
    });

    it('are listed latest first, undisturbed by later ones, and oldest first where that is asked', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const expected: TestRun[] = [];
      for (const [ranAt, recordedAt] of [
        [0, 9],
        [5, 5],
        [5, 6],
        [5, 6],
      ] as const) {
        expected.unshift(await storedTestRun(stores, release, { ranAt: NOON + ranAt, recordedAt: NOON + recordedAt }));
      }
      const addLater = async () => void (await storedTestRun(stores, release, { ranAt: NOON + DAY }));
      const filter = { projectId: project.id };
      const oldest = await walk((page) => again.testRuns.page(filter, page, 'oldest-first'), 3);
      expect(oldest).to.deep.equal(expected.toReversed());
      const listed = await walk((page) => again.testRuns.page(filter, page), 2, addLater);
      expect(listed).to.deep.equal(expected);
    });

    it('are filtered by release, suite, no suite and time', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const other = await storedRelease(stores, project.id);
      const runs = [
        await storedTestRun(stores, release, { ranAt: NOON, suite: 'unit' }),
        await storedTestRun(stores, other, { ranAt: NOON + 1, suite: 'unit' }),
        await storedTestRun(stores, release, { ranAt: NOON + 2 }),
      ];
      const list = async (filter: Omit<TestRunFilter, 'projectId'>) => {
        const asked = { projectId: project.id, ...filter };
        const newest = ids(await walk((page) => again.testRuns.page(asked, page), 2));
        const oldest = ids(await walk((page) => again.testRuns.page(asked, page, 'oldest-first'), 1));
        expect(oldest).to.deep.equal(newest.toReversed());
        return newest;
      };
      const expected = (...places: number[]) => places.map((place) => runs[place]?.id);
      expect(await list({})).to.deep.equal(expected(2, 1, 0));
      expect(await list({ suite: 'unit' })).to.deep.equal(expected(1, 0));
      expect(await list({ suite: null })).to.deep.equal(expected(2));
      expect(await list({ suite: 'unit', releaseId: release.id })).to.deep.equal(expected(0));
      expect(await list({ ran: { from: NOON + 1, to: NOON + 2 } })).to.deep.equal(expected(1));
      expect(await list({ ran: { from: NOON + 1, to: null } })).to.deep.equal(expected(2, 1));
      expect(await list({ ran: { from: NOON, to: NOON + 2 } })).to.deep.equal(expected(1, 0));
    });

    it('are found by words of suite, commit and external id, in any case', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const external = { id: unique('Job_7'), fingerprint: 'c'.repeat(64) };
      const runs = [
        await storedTestRun(stores, release, { ranAt: NOON, suite: 'Prüfung 100%', commitSha: 'abcdef0123' }),
        await storedTestRun(stores, release, { ranAt: NOON + 1, suite: 'unit', commitSha: null, external }),
        await storedTestRun(stores, release, { ranAt: NOON + 2, suite: null, commitSha: '0123abcdef' }),
      ];
      const list = async (text: string, filter: Omit<TestRunFilter, 'projectId'> = {}) => {
        const asked = { projectId: project.id, text: searchTextOf(text), ...filter };
        return ids(await walk((page) => again.testRuns.page(asked, page), 1));
      };
      const expected = (...places: number[]) => places.map((place) => runs[place]?.id);
      expect(await list('ABCDEF')).to.deep.equal(expected(2, 0));
      expect(await list('prüfung 0%')).to.deep.equal(expected(0));
      expect(await list('UNIT job_7')).to.deep.equal(expected(1));
      expect(await list(external.id)).to.deep.equal(expected(1));
      expect(await list('abc', { suite: null })).to.deep.equal(expected(2));
      expect(await list('none')).to.deep.equal([]);
    });

    it('are found by what they are called elsewhere', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const externalId = unique('run');
      const called = await storedTestRun(stores, release, {
        external: { id: externalId, fingerprint: 'c'.repeat(64) },
      });
      await storedTestRun(stores, release);
      const page = (filter: Omit<TestRunFilter, 'projectId'>) =>
        again.testRuns.page({ projectId: project.id, ...filter }, { limit: 5, after: null });
      expect((await page({ externalId })).rows).to.deep.equal([called]);
      expect((await page({ externalId: unique('run') })).rows).to.deep.equal([]);
    });

    it('answer when the latest of each project was recorded, in the order asked', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const { project: none } = await storedProject(stores);
      const other = await storedRelease(stores, project.id);
      await storedTestRun(stores, release, { ranAt: NOON, recordedAt: NOON + DAY });
      const latest = await storedTestRun(stores, other, { ranAt: NOON + 1 });
      const found = await again.testRuns.lastRecorded([none.id, project.id, sampleId()]);
      expect(found).to.deep.equal([undefined, latest.recordedAt, undefined]);
      expect(await again.testRuns.lastRecorded([])).to.deep.equal([]);
    });
  });

  describe('test runs before others', () => {
    it('are the latest of the release that ran before, of all suites or of the same one', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const other = await storedRelease(stores, project.id);
      const bare = await storedTestRun(stores, release, { ranAt: NOON });
      const unit = await storedTestRun(stores, release, { ranAt: NOON + 1, recordedAt: NOON + 5, suite: 'unit' });
      const late = await storedTestRun(stores, release, { ranAt: NOON + 1, recordedAt: NOON + 6, suite: AWKWARD });
      const renewed = await storedTestRun(stores, release, { ranAt: NOON + 2, suite: 'unit' });
      const last = await storedTestRun(stores, release, { ranAt: NOON + 3 });
      await storedTestRun(stores, other, { ranAt: NOON + 2, suite: 'unit' });
      const ask = (run: TestRun, ofSuite: boolean) => ({ ...run, ofSuite });
      const found = await again.testRuns.before([
        ask(last, false),
        ask(renewed, false),
        ask(renewed, true),
        ask(last, true),
        ask(late, false),
        ask(late, true),
        ask(bare, false),
        ask(last, false),
      ]);
      expect(found).to.deep.equal([renewed, late, unit, bare, unit, undefined, undefined, renewed]);
      expect(await again.testRuns.before([])).to.deep.equal([]);
    });

    it('are told apart by their ids where all else is the same', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      const twins = [await storedTestRun(stores, release), await storedTestRun(stores, release)];
      const [first, second] = twins.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      if (first === undefined || second === undefined) throw new Error('no twins');
      const lookups = [first, second].map((run) => ({ ...run, ofSuite: false }));
      expect(await again.testRuns.before(lookups)).to.deep.equal([undefined, first]);
    });
  });

  describe('targets of test runs', () => {
    it('are the named release of the project, or the active one', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const planned = await storedRelease(stores, project.id);
      const { project: idle } = await storedProject(stores);
      const { release: foreign } = await storedActiveRelease(stores);
      const ask = (projectId: string, releaseId: string | null) => ({ projectId, releaseId, suite: null });
      const targets = await again.testRuns.targets([
        ask(project.id, planned.id),
        ask(project.id, null),
        ask(project.id, foreign.id),
        ask(project.id, sampleId()),
        ask(idle.id, null),
        ask(sampleId(), null),
      ]);
      expect(targets.map((target) => target?.release)).to.deep.equal([planned, release, null, null, null, undefined]);
      const { id, teamId, name } = project;
      expect(targets[1]?.project).to.deep.equal({ id, teamId, name });
      expect(targets[5]).to.equal(undefined);
      expect(await again.testRuns.targets([])).to.deep.equal([]);
    });

    it('are the release that was active when a run ran, shipped by now or not', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const turned = async (release: Release, state: ReleaseState, at: number, over: Partial<Release> = {}) => {
        const next: Release = { ...release, ...over, state, version: release.version + 1 };
        expect(await stores.releases.replace(next, at)).to.equal(true);
        return next;
      };
      const first = await turned(await storedRelease(stores, project.id), 'active', NOON, { startsAt: NOON });
      const shipped = await turned(first, 'shipped', NOON + 10, { shippedAt: NOON + 10 });
      const second = await turned(await storedRelease(stores, project.id), 'active', NOON + 20);
      const parked = await turned(second, 'planned', NOON + 30);
      const third = await turned(await storedRelease(stores, project.id), 'active', NOON + 30);
      const canceled = await turned(third, 'canceled', NOON + 40, { canceledAt: NOON + 40 });
      const present = await turned(parked, 'active', NOON + 50);
      const moments = [-1, 0, 9, 10, 20, 29, 30, 40, 50, 60].map((at) => NOON + at);
      const targets = await again.testRuns.targets(
        [...moments, null].map((at) => ({ projectId: project.id, releaseId: null, suite: null, at })),
      );
      const expected = [
        present,
        shipped,
        shipped,
        present,
        present,
        present,
        canceled,
        present,
        present,
        present,
        present,
      ];
      expect(targets.map((target) => target?.release)).to.deep.equal(expected);
      const named = await again.testRuns.targets([
        { projectId: project.id, releaseId: present.id, suite: null, at: NOON },
      ]);
      expect(named[0]?.release).to.deep.equal(present);
    });

    it('know, of a shipped release, the latest run that was recorded before it shipped', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const release = await storedRelease(stores, project.id, { state: 'active', startsAt: NOON });
      const unit = await storedTestRun(stores, release, { ranAt: NOON + 1, recordedAt: NOON + 1, suite: 'unit' });
      const bare = await storedTestRun(stores, release, { ranAt: NOON, recordedAt: NOON });
      const shipped: Release = { ...release, state: 'shipped', shippedAt: NOON + 5, version: 2 };
      expect(await stores.releases.replace(shipped, NOON + 5)).to.equal(true);
      const late = sampleTestRun(release, { ranAt: NOON + 4, recordedAt: NOON + 5, suite: 'unit' });
      const other = sampleTestRun(release, { ranAt: NOON + 3, recordedAt: NOON + 6, suite: 'e2e' });
      const entries = [late, other].map((testRun) => ({ kind: 'test_run', testRun, remember: null }) as const);
      expect((await stores.reports.record(entries)).map(({ result }) => result)).to.deep.equal([
        'release_closed',
        'release_closed',
      ]);
      const allowed = entries.map((entry) => ({ ...entry, allowClosedRelease: true }));
      expect((await stores.reports.record(allowed)).map(({ result }) => result)).to.deep.equal(['created', 'created']);
      const ask = (suite: string | null) => ({ projectId: project.id, releaseId: release.id, suite });
      const targets = await again.testRuns.targets([ask('unit'), ask(null), ask('e2e')]);
      expect(targets.map((target) => target?.latest)).to.deep.equal([order(unit), order(unit), order(unit)]);
      expect(targets.map((target) => target?.latestOfSuite)).to.deep.equal([order(unit), order(bare), null]);
      const place = { ...late, ranAt: NOON + 9, ofSuite: false };
      expect(await again.testRuns.before([place, { ...place, suite: 'e2e', ofSuite: true }])).to.deep.equal([
        unit,
        undefined,
      ]);
      for (const verification of ['latest_run', 'latest_per_suite'] as const) {
        const { rows } = await again.testRuns.notCounted(project.id, verification, { limit: 9, after: null });
        const superseded = verification === 'latest_run' ? [bare.id] : [];
        expect(ids(rows)).to.deep.equal([late.id, other.id, ...superseded]);
      }
      const { verification } = (await inputsOf(again, release.id)).facts;
      expect(verification).to.include({ ranAt: NOON + 4 });
    });

    it('know whether the latest run of another suite is set aside, in a shipped release that of before', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const known = async () => {
        const ask = (suite: string | null) => ({ projectId: project.id, releaseId: release.id, suite });
        const targets = await again.testRuns.targets([ask('unit'), ask('e2e'), ask(null)]);
        return targets.map((target) => target?.otherSuiteSetAside);
      };
      const record = (suite: string | null, at: number) =>
        storedTestRun(stores, release, { suite, ranAt: NOON + at, recordedAt: NOON + at });
      const setAside = { reason: AWKWARD, by: AWKWARD, at: NOON + 5 };
      await record('unit', 1);
      await record(null, 1);
      const older = await record('e2e', 1);
      await stores.testRuns.setAside(older, setAside, NOON + 5);
      expect(await known()).to.deep.equal([true, false, true]);
      const latest = await record('e2e', 2);
      expect(await known()).to.deep.equal([false, false, false]);
      await stores.testRuns.setAside(latest, setAside, NOON + 5);
      const bare = await record(null, 2);
      await stores.testRuns.setAside(bare, setAside, NOON + 5);
      expect(await known()).to.deep.equal([true, true, true]);
      await stores.testRuns.setAside(bare, null, NOON + 6);
      const shipped: Release = { ...release, state: 'shipped', shippedAt: NOON + 9, version: 2 };
      expect(await stores.releases.replace(shipped, NOON + 9)).to.equal(true);
      const entries = ['unit', 'e2e', 'smoke'].map((suite) => {
        const testRun = sampleTestRun(release, { suite, ranAt: NOON + 8, recordedAt: NOON + 9 });
        return { kind: 'test_run', testRun, remember: null, allowClosedRelease: true } as const;
      });
      await stores.reports.record(entries);
      expect(await known()).to.deep.equal([true, false, true]);
      for (const verification of ['latest_run', 'latest_per_suite'] as const) {
        const { rows } = await again.testRuns.notCounted(project.id, verification, { limit: 99, after: null });
        expect(rows).to.have.lengthOf(8);
      }
    });

    it('know the latest run there, of all suites and of the asked one', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const ask = (suite: string | null) => ({ projectId: project.id, releaseId: null, suite });
      const [empty] = await again.testRuns.targets([ask('unit')]);
      expect(empty).to.include({ latest: null, latestOfSuite: null, verification: 'latest_run' });
      const other = await storedRelease(stores, project.id);
      await storedTestRun(stores, other, { ranAt: NOON + DAY, suite: 'unit' });
      const unit = await storedTestRun(stores, release, { ranAt: NOON, recordedAt: NOON + DAY, suite: 'unit' });
      const bare = await storedTestRun(stores, release, { ranAt: NOON + 1, recordedAt: NOON + 3 });
      await storedTestRun(stores, release, { ranAt: NOON + 1, recordedAt: NOON + 2 });
      await changePolicy(stores, project.id, { verification: 'latest_per_suite' });
      const targets = await again.testRuns.targets([ask('unit'), ask(null), ask('none')]);
      expect(targets.map((target) => target?.latest)).to.deep.equal([order(bare), order(bare), order(bare)]);
      expect(targets.map((target) => target?.latestOfSuite)).to.deep.equal([order(unit), order(bare), null]);
      expect(targets[0]?.verification).to.equal('latest_per_suite');
    });
  });
};
