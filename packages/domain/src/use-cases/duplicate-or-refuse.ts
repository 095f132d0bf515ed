import { type TestRunView, testRunView } from '../attribution/test-run-view.js';
import type { ExternalId } from '../deployment/deployment.js';
import type { DomainError } from '../errors.js';
import type { Ports } from '../ports.js';
import { externalIdConflict, type Reported } from '../report/report-reply.js';
import { findTestRun, type TestRunPath } from './find-test-run.js';

/**
 * Answers a refused test run that was recorded while its release was open: what came in once is known by its external id
 * for ever. Only for callers whose role was already established.
 * @throws the refusal, when there is no such record; DomainError `external-id-conflict`
 */
export const duplicateOrRefuse = async (
  ports: Pick<Ports, 'stores' | 'lookups'>,
  path: Omit<TestRunPath, 'testRunId'>,
  external: ExternalId | null,
  refusal: DomainError,
): Promise<Reported<TestRunView>> => {
  if (external === null) throw refusal;
  const filter = { projectId: path.projectId, externalId: external.id };
  const [known] = (await ports.stores.testRuns.page(filter, { limit: 1, after: null })).rows;
  if (known === undefined) throw refusal;
  if (known.external?.fingerprint !== external.fingerprint) throw externalIdConflict(known.id);
  const { testRun, target } = await findTestRun(ports, { ...path, testRunId: known.id });
  return { outcome: 'duplicate', view: testRunView(testRun, target) };
};
