import { requireRole } from '../access/permission.js';
import type { Principal } from '../access/principal.js';
import { type TestRunView, testRunView } from '../attribution/test-run-view.js';
import { notFound } from '../errors.js';
import type { Ports } from '../ports.js';

export interface ReadTestRun {
  readonly principal: Principal;
  readonly teamId: string;
  readonly projectId: string;
  readonly testRunId: string;
}

/** One test run with its receipt. @throws DomainError `not-found` */
export const readTestRun =
  ({ stores, lookups }: Pick<Ports, 'stores'> & { readonly lookups: Pick<Ports['lookups'], 'testRunTarget'> }) =>
  async ({ principal, teamId, projectId, testRunId }: ReadTestRun): Promise<TestRunView> => {
    requireRole(principal, teamId, 'viewer');
    const testRun = await stores.testRuns.byId(testRunId);
    if (testRun?.projectId !== projectId) throw notFound('test run');
    const { releaseId, suite } = testRun;
    const target = await lookups.testRunTarget({ projectId, releaseId, suite });
    if (target?.project.teamId !== teamId) throw notFound('test run');
    return testRunView(testRun, target);
  };
