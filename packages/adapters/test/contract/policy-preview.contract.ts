import { inOnePiece } from '@shipworthy/domain/ports';
import { DEFAULT_POLICY } from '@shipworthy/domain/readiness';
import { readPolicyPreview, readWhatIf, shipRelease } from '@shipworthy/domain/use-cases';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { actorIn } from './sample-access.js';
import { AWKWARD, DAY, HOUR, NOON, sampleId, sampleTestRun } from './sample-records.js';
import { sampleReport } from './sample-report.js';
import {
  changePolicy,
  inputsOf,
  storedActiveRelease,
  storedDeployments,
  storedIssue,
  storedRelease,
  storedTestRun,
} from './sample-world.js';

const ALL = { environments: null, verification: 'latest_run' } as const;

/** What a preview of a policy reads: ReleaseFactsStore.factsUnder, ReleaseStore.frozenOf. */
export const policyPreviewContract = (opened: Opened): void => {
  describe('facts under another policy', () => {
    it('count the deployments of its environments only', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      await changePolicy(stores, project.id, { environments: ['staging'] });
      await storedDeployments(stores, project.id, [
        { startedAt: NOON, environment: 'production', status: 'success' },
        { startedAt: NOON + 3 * DAY, environment: 'production', status: 'failure' },
        { startedAt: NOON + 2 * HOUR, environment: AWKWARD, status: 'failure' },
        { startedAt: NOON + 9 * DAY, environment: 'staging', status: 'success' },
      ]);
      const under = async (environments: readonly string[] | null) =>
        (await again.facts.factsUnder([release.id], { ...ALL, environments }))[0]?.stability;
      expect(await under(null)).to.deep.equal({ succeeded: 2, failed: 2, inProgress: 0 });
      expect(await under(['production'])).to.deep.equal({ succeeded: 1, failed: 1, inProgress: 0 });
      expect(await under([AWKWARD, 'staging'])).to.deep.equal({ succeeded: 1, failed: 1, inProgress: 0 });
      expect(await under(['Production'])).to.deep.equal({ succeeded: 0, failed: 0, inProgress: 0 });
      expect((await inputsOf(again, release.id)).facts.stability.succeeded).to.equal(1);
    });

    it('count the test runs its way', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      const run = { passed: 1, failed: 1, total: 2, commitSha: null };
      await storedTestRun(stores, release, { ...run, suite: 'unit', ranAt: NOON });
      await storedTestRun(stores, release, { ...run, suite: 'browser', ranAt: NOON + 1 });
      const under = async (verification: 'latest_run' | 'latest_per_suite') =>
        (await again.facts.factsUnder([release.id], { ...ALL, verification }))[0]?.verification;
      expect(await under('latest_run')).to.include({ total: 2, suite: 'browser', runs: 1, ranAt: NOON + 1 });
      expect(await under('latest_per_suite')).to.include({ total: 4, suite: null, runs: 2, ranAt: NOON });
    });

    it('are those of the report under the policy that the project has', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const policy = { environments: ['production'], verification: 'latest_per_suite' } as const;
      await changePolicy(stores, project.id, policy);
      await storedDeployments(stores, project.id, [{ startedAt: NOON, environment: 'production', status: 'started' }]);
      await storedTestRun(stores, release, { suite: 'unit' });
      await storedIssue(stores, project.id, { releaseId: release.id, type: 'bug', severity: 'critical' });
      const [facts] = await again.facts.factsUnder([release.id], { ...DEFAULT_POLICY, ...policy });
      expect(facts).to.deep.equal((await inputsOf(again, release.id)).facts);
    });

    it('come in the order asked, for none and for many', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const other = await storedRelease(stores, project.id);
      await storedIssue(stores, project.id, { releaseId: other.id, state: 'todo' });
      const found = await again.facts.factsUnder([other.id, sampleId(), release.id], ALL);
      expect(found.map((facts) => facts?.scope.total)).to.deep.equal([1, undefined, 0]);
      expect(await again.facts.factsUnder([], ALL)).to.deep.equal([]);
    });
  });

  describe('the releases a policy is previewed on', () => {
    it('are judged another way though they shipped with a run set aside and a late run took its place', async () => {
      const { stores, again } = opened();
      const { release, ...world } = await storedActiveRelease(stores);
      const { id: projectId, teamId } = world.project;
      const wrong = await storedTestRun(stores, release, { suite: 'e2e' });
      await stores.testRuns.setAside(wrong, { reason: 'It is wrong.', by: 'Ada', at: NOON }, NOON);
      const by = actorIn(world, 'member');
      const ports = { stores, clock: () => NOON + HOUR, newId: sampleId };
      const { frozen } = await shipRelease(ports, { by, teamId, projectId, releaseId: release.id, note: null });
      expect(frozen.facts).to.deep.include({ verification: null, testRunSetAside: { suite: 'e2e' } });
      const testRun = sampleTestRun(release, { suite: 'e2e', ranAt: NOON + 1, recordedAt: NOON + 2 * HOUR });
      const late = { kind: 'test_run', testRun, remember: null, allowClosedRelease: true } as const;
      expect((await stores.reports.record([late])).map(({ result }) => result)).to.deep.equal(['created']);
      const reading = { stores: again, clock: () => NOON + DAY, slices: inOnePiece };
      const policy = { ...DEFAULT_POLICY, verification: 'latest_per_suite' } as const;
      const { principal } = by;
      const preview = await readPolicyPreview(reading, { principal, teamId, projectId, policy });
      const decisions = preview.releases.map(({ before, after }) => [before.decision, after.decision]);
      expect(decisions).to.deep.equal([['unknown', 'hold']]);
      const path = { principal, teamId, projectId, releaseId: release.id };
      const { report } = await readWhatIf(reading, {
        ...path,
        changes: { policy: { verification: 'latest_per_suite' } },
      });
      expect(report.axes[3]).to.include({ state: 'measured', score: 90 });
    });

    it('bring their frozen reports in the order asked', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const other = await storedRelease(stores, project.id);
      const report = sampleReport(release.id);
      await stores.releases.freeze(release.id, report);
      const found = await again.releases.frozenOf([other.id, release.id, release.id]);
      expect(found).to.deep.equal([undefined, report, report]);
      expect(await again.releases.frozenOf([])).to.deep.equal([]);
    });
  });
};
