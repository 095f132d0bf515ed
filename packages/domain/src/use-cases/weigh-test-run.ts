import { withContributions, withoutTestRun } from '../attribution/contribution.js';
import { testRunAttribution } from '../attribution/test-run-attribution.js';
import type { TestRunView } from '../attribution/test-run-view.js';
import type { Ports } from '../ports.js';
import type { ReleaseFacts } from '../readiness/facts.js';
import { judgedDossier } from './judged-dossier.js';

/** Adds to the view of a stored test run what it does to the score, as of now: three coalesced reads, none where it does not count. */
export const weighTestRun =
  ({ lookups, clock }: Pick<Ports, 'lookups' | 'clock'>) =>
  async (view: TestRunView): Promise<TestRunView> => {
    const { testRun, attribution } = view;
    if (!attribution.releases.some(({ counts }) => counts)) return view;
    const { projectId, releaseId, suite } = testRun;
    const dossier = await judgedDossier(lookups, releaseId);
    if (dossier === undefined) return view;
    const ofSuite = dossier.policy.policy.verification === 'latest_per_suite';
    // Asked for after the facts: what no later run replaced by then was counted in them.
    const [target, before] = await Promise.all([
      lookups.testRunTarget({ projectId, releaseId, suite }),
      lookups.runBefore({ ...testRun, ofSuite }),
    ]);
    if (target === undefined) return view;
    const without = (all: ReleaseFacts) => withoutTestRun(all, testRun, before ?? null);
    const current = testRunAttribution(testRun, target);
    return { testRun, attribution: withContributions(current, [dossier], without, clock()) };
  };
