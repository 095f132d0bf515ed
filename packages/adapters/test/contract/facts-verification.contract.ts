import { basisFaults } from '@shipworthy/domain/readiness';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { AWKWARD, HOUR, NOON } from './sample-records.js';
import {
  changePolicy,
  inputsOf,
  revisionOf,
  storedActiveRelease,
  storedRelease,
  storedTestRun,
} from './sample-world.js';

/** ReleaseFactsStore: the test run that counts. */
export const verificationFactsContract = (opened: Opened): void => {
  describe('verification facts', () => {
    it('are the latest run: by ranAt, then recordedAt, then id', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const total = async () => (await inputsOf(again, release.id)).facts.verification?.total;
      const record = (total: number, ranAt: number, recordedAt: number, suite: string | null = null) =>
        storedTestRun(stores, release, {
          suite,
          total,
          passed: 1,
          failed: 0,
          ranAt: NOON + ranAt,
          recordedAt: NOON + recordedAt,
        });
      await record(11, 10, 20);
      await record(12, 9, 99);
      expect(await total()).to.equal(11);
      await record(13, 10, 21);
      expect(await total()).to.equal(13);
      await record(14, 10, 21);
      expect(await total()).to.equal(14);
      await record(15, 10, 20);
      expect(await total()).to.equal(14);
      await record(16, 10, 20, 'another suite');
      expect(await total()).to.equal(14);
      await record(17, 10, 22, 'a third suite');
      expect(await total()).to.equal(17);
      const other = await storedRelease(stores, project.id);
      await storedTestRun(stores, other, { ranAt: NOON + HOUR });
      expect(await total()).to.equal(17);
    });

    it('hold what the score and its reader need of the run', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      const biggest = 2 ** 31 - 1;
      const run = { suite: AWKWARD, total: biggest, passed: biggest - 1, failed: 1, commitSha: 'abcdef0' };
      await storedTestRun(stores, release, { ...run, ranAt: NOON + 7 });
      expect((await inputsOf(again, release.id)).facts.verification).to.deep.equal({
        passed: biggest - 1,
        total: biggest,
        ranAt: NOON + 7,
        suite: AWKWARD,
        commitSha: 'abcdef0',
        runs: 1,
      });
    });

    it('name the worst latest run of another suite, where one run counts and another suite passed less', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const worse = async () => (await inputsOf(again, release.id)).facts.verification?.worseSuite;
      const record = (suite: string | null, passed: number, total: number, at: number) =>
        storedTestRun(stores, release, {
          suite,
          passed,
          failed: total - passed,
          total,
          ranAt: NOON + at,
          recordedAt: NOON + at,
        });
      await record('e2e', 0, 100, 0);
      await record('e2e', 50, 100, 1);
      await record('unit', 3, 3, 9);
      expect(await worse()).to.deep.equal({ suite: 'e2e', passed: 50, total: 100 });
      await record('contract', 1, 2, 2);
      await record(AWKWARD, 2 ** 31 - 2, 2 ** 31 - 1, 3);
      expect(await worse()).to.deep.equal({ suite: 'contract', passed: 1, total: 2 });
      await record(null, 1, 3, 4);
      expect(await worse()).to.deep.equal({ suite: null, passed: 1, total: 3 });
      const { verification } =
        (await again.facts.factsUnder([release.id], { environments: null, verification: 'latest_per_suite' }))[0] ?? {};
      expect(verification).not.to.have.property('worseSuite');
      await record('unit', 1, 3, 10);
      expect(await worse()).to.equal(undefined);
      await changePolicy(stores, project.id, { verification: 'latest_per_suite' });
      expect(await worse()).to.equal(undefined);
    });

    it('are none while the latest run of a suite is set aside, until it has a newer one', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const facts = async () => {
        const { verification, testRunSetAside } = (await inputsOf(again, release.id)).facts;
        return [verification?.total ?? null, testRunSetAside ?? null];
      };
      const record = (suite: string | null, total: number, at: number) =>
        storedTestRun(stores, release, { suite, total, ranAt: NOON + at, recordedAt: NOON + at });
      const older = await record('unit', 11, 0);
      const wrong = await record('unit', 12, 1);
      const beside = await record(null, 13, 2);
      const before = await revisionOf(again, release.id);
      const setAside = { reason: AWKWARD, by: AWKWARD, at: NOON + 5 };
      await stores.testRuns.setAside(wrong, setAside, NOON + 5);
      expect(await revisionOf(again, release.id)).to.equal(before + 1);
      expect(await again.testRuns.byId(wrong.id)).to.deep.equal({ ...wrong, setAside });
      expect(await facts()).to.deep.equal([null, { suite: 'unit' }]);
      const { rows } = await again.testRuns.notCounted(project.id, 'latest_per_suite', { limit: 9, after: null });
      expect(rows.map(({ id }) => id)).to.deep.equal([beside.id, wrong.id, older.id]);
      await stores.testRuns.setAside(wrong, null, NOON + 6);
      expect(await again.testRuns.byId(wrong.id)).to.deep.equal(wrong);
      expect(await facts()).to.deep.equal([13, null]);
      await stores.testRuns.setAside(wrong, setAside, NOON + 7);
      await stores.testRuns.setAside(older, setAside, NOON + 8);
      await record('unit', 14, 1);
      expect(await facts()).to.deep.equal([13, null]);
      await changePolicy(stores, project.id, { verification: 'latest_per_suite' });
      expect(await facts()).to.deep.equal([27, null]);
      const bare = await record(null, 15, 9);
      await stores.testRuns.setAside(bare, setAside, NOON + 10);
      expect(await facts()).to.deep.equal([null, { suite: null }]);
    });

    it('under latest_per_suite are the sum of each suite, no suite being one of its own', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      await changePolicy(stores, project.id, { verification: 'latest_per_suite' });
      const verification = async () => (await inputsOf(again, release.id)).facts.verification;
      const record = (suite: string | null, total: number, ranAt: number, commitSha: string | null) =>
        storedTestRun(stores, release, { suite, total, passed: total - 1, failed: 1, ranAt: NOON + ranAt, commitSha });
      await record('unit', 5, 0, 'aaaaaaa');
      await record('unit', 100, 5, 'bbbbbbb');
      await record('unit', 7, 3, 'aaaaaaa');
      const alone = { passed: 99, total: 100, ranAt: NOON + 5, suite: 'unit', commitSha: 'bbbbbbb', runs: 1 };
      expect(await verification()).to.deep.equal(alone);
      await record('Unit', 10, 9, 'bbbbbbb');
      const two = { passed: 108, total: 110, ranAt: NOON + 5, suite: null, commitSha: 'bbbbbbb', runs: 2 };
      expect(await verification()).to.deep.equal(two);
      await record(null, 1000, 2, 'bbbbbbb');
      const three = { passed: 1107, total: 1110, ranAt: NOON + 2, suite: null, commitSha: 'bbbbbbb', runs: 3 };
      expect(await verification()).to.deep.equal(three);
      await record(null, 1000, 4, null);
      expect(await verification()).to.deep.equal({ ...three, ranAt: NOON + 4, commitSha: null });
      await record(null, 1000, 6, 'ccccccc');
      expect(await verification()).to.deep.equal({ ...three, ranAt: NOON + 5, commitSha: null });
    });

    it('under latest_per_suite never sum up to more than can be judged, nor to a better share', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      await changePolicy(stores, project.id, { verification: 'latest_per_suite' });
      const total = 2 ** 31 - 1;
      for (const suite of ['unit', 'e2e'])
        await storedTestRun(stores, release, { suite, total, passed: total - 3, failed: 3, ranAt: NOON });
      const { facts, policy } = await inputsOf(again, release.id);
      expect(facts.verification).to.include({ passed: total - 6, total, runs: 2 });
      expect(basisFaults(facts, policy.policy, NOON, [])).to.deep.equal([]);
    });

    it('under latest_per_suite keep the run without a suite apart from one named like nothing', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      await changePolicy(stores, project.id, { verification: 'latest_per_suite' });
      for (const suite of [null, 'null', ' ', '-']) await storedTestRun(stores, release, { suite, total: 10 });
      const { verification } = (await inputsOf(again, release.id)).facts;
      expect(verification).to.include({ total: 40, runs: 4, suite: null });
    });
  });
};
