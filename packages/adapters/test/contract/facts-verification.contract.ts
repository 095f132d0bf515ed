import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { AWKWARD, HOUR, NOON } from './sample-records.js';
import { changePolicy, dossierOf, storedActiveRelease, storedRelease, storedTestRun } from './sample-world.js';

/** ReleaseFactsStore: the test run that counts. */
export const verificationFactsContract = (opened: Opened): void => {
  describe('verification facts', () => {
    it('are the latest run: by ranAt, then recordedAt, then id', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const total = async () => (await dossierOf(again, release.id)).facts.verification?.total;
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

    it('tell of the run what the score and its reader need', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      const biggest = 2 ** 31 - 1;
      const run = { suite: AWKWARD, total: biggest, passed: biggest - 1, failed: 1, commitSha: 'abcdef0' };
      await storedTestRun(stores, release, { ...run, ranAt: NOON + 7 });
      expect((await dossierOf(again, release.id)).facts.verification).to.deep.equal({
        passed: biggest - 1,
        total: biggest,
        ranAt: NOON + 7,
        suite: AWKWARD,
        commitSha: 'abcdef0',
        runs: 1,
      });
    });

    it('under latest_per_suite are the sum of each suite, no suite being one of its own', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      await changePolicy(stores, project.id, { verification: 'latest_per_suite' });
      const verification = async () => (await dossierOf(again, release.id)).facts.verification;
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

    it('under latest_per_suite keep the run without a suite apart from one named like nothing', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      await changePolicy(stores, project.id, { verification: 'latest_per_suite' });
      for (const suite of [null, 'null', ' ', '-']) await storedTestRun(stores, release, { suite, total: 10 });
      const { verification } = (await dossierOf(again, release.id)).facts;
      expect(verification).to.include({ total: 40, runs: 4, suite: null });
    });
  });
};
