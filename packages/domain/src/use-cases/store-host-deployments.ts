import type { Deployment } from '../deployment/deployment.js';
import type { Instant } from '../instant.js';
import { deploymentFrom } from '../report/deployment-report.js';
import type { ReportEntry, ReportOutcome } from '../report/report-store.js';
import { deploymentPrefix } from '../repository/external-names.js';
import type { HostDeployment } from '../repository/host-records.js';
import { importedDeployment } from '../repository/imported-deployment.js';
import type { StoringStep } from './in-import.js';
import { tellReceipts } from './tell-receipts.js';

/** Stores entries in the transaction under way. What fails alone is a bug, and undoes the page. */
export const recordAll = async (
  { stores, receipts }: StoringStep,
  entries: readonly ReportEntry[],
): Promise<readonly ReportOutcome[]> => {
  const outcomes = entries.length === 0 ? [] : await stores.reports.record(entries);
  for (const outcome of outcomes) if (outcome.result === 'failed') throw outcome.error;
  await tellReceipts({ stores, receipts }, entries, outcomes);
  return outcomes;
};

const deploymentsFrom = (
  { link, project, now, newId }: StoringStep,
  rows: readonly HostDeployment[],
): readonly Deployment[] =>
  rows.flatMap((host) => {
    const report = importedDeployment(host, `${deploymentPrefix(link.host)}${host.id}`, project);
    return report === null ? [] : [deploymentFrom(report, project.id, newId(), now)];
  });

/** Ends a deployment that is kept as `deploymentId`, if the host's record of it has ended. */
const finishing = (deploymentId: string, { status, finishedAt }: Deployment, at: Instant): readonly ReportEntry[] =>
  status === 'started' || finishedAt === null
    ? []
    : [{ kind: 'finish', deploymentId, status, finishedAt, at, durationSeconds: null }];

/** Records the host's deployments, and ends those recorded before that have ended since. */
export const storeHostDeployments = async (step: StoringStep, rows: readonly HostDeployment[]): Promise<void> => {
  const deployments = deploymentsFrom(step, rows);
  const outcomes = await recordAll(
    step,
    deployments.map((deployment) => ({ kind: 'deployment', deployment, remember: null })),
  );
  const ends = deployments.flatMap((deployment, index) => {
    const outcome = outcomes[index];
    return outcome?.result === 'external_id_conflict' ? finishing(outcome.id, deployment, step.now) : [];
  });
  await recordAll(step, ends);
};

/** Ends those of the kept deployments that the host says have ended. */
export const finishHostDeployments = async (
  step: StoringStep,
  kept: readonly Deployment[],
  rows: readonly HostDeployment[],
): Promise<void> => {
  const ids = new Map(kept.map(({ id, external }) => [external?.id, id]));
  const ends = deploymentsFrom(step, rows).flatMap((deployment) => {
    const id = ids.get(deployment.external?.id);
    return id === undefined ? [] : finishing(id, deployment, step.now);
  });
  await recordAll(step, ends);
};
