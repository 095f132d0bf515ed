import { requireRole } from '../access/permission.js';
import type { Principal } from '../access/principal.js';
import { notFound } from '../errors.js';
import type { Ports } from '../ports.js';
import type { TestRun } from '../test-run/test-run.js';
import type { TestRunTarget } from '../test-run/test-run-store.js';

/** A test run as a path names it. */
export interface TestRunPath {
  readonly principal: Principal;
  readonly teamId: string;
  readonly projectId: string;
  readonly testRunId: string;
}

/** A test run in sight with what decides whether it counts: two coalesced reads. @throws DomainError `not-found` */
export const findTestRun = async (
  { lookups }: Pick<Ports, 'lookups'>,
  { principal, teamId, projectId, testRunId }: TestRunPath,
): Promise<{ readonly testRun: TestRun; readonly target: TestRunTarget }> => {
  requireRole(principal, teamId, 'viewer');
  const testRun = await lookups.testRun(testRunId);
  if (testRun?.projectId !== projectId) throw notFound('test run');
  const { releaseId, suite } = testRun;
  const target = await lookups.testRunTarget({ projectId, releaseId, suite });
  if (target?.project.teamId !== teamId) throw notFound('test run');
  return { testRun, target };
};
