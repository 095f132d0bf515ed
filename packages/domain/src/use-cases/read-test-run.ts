import { withContributions, withoutTestRun } from '../attribution/contribution.js';
import { type TestRunView, testRunView } from '../attribution/test-run-view.js';
import type { Ports } from '../ports.js';
import type { ReleaseFacts } from '../readiness/facts.js';
import { findTestRun, type TestRunPath } from './find-test-run.js';

export type ReadTestRun = TestRunPath;

/** One test run with its receipt and what it does to the score. @throws DomainError `not-found` */
export const readTestRun =
  (ports: Pick<Ports, 'stores' | 'lookups' | 'clock'>) =>
  async (command: ReadTestRun): Promise<TestRunView> => {
    const { testRun, target } = await findTestRun(ports, command);
    const view = testRunView(testRun, target);
    if (!view.attribution.releases.some((release) => release.counts)) return view;
    const { facts, testRuns } = ports.stores;
    const { projectId, releaseId, suite } = testRun;
    const rivals = target.verification === 'latest_run' ? { projectId, releaseId } : { projectId, releaseId, suite };
    const dossiers = await facts.factsFor([releaseId]);
    const { rows } = await testRuns.page(rivals, { limit: 2, after: null });
    const before = rows.find((row) => row.id !== testRun.id) ?? null;
    const without = (all: ReleaseFacts) => withoutTestRun(all, testRun, before);
    return { testRun, attribution: withContributions(view.attribution, dossiers, without, ports.clock()) };
  };
