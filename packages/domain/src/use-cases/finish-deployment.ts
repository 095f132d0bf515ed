import { requireRole } from '../access/permission.js';
import type { Principal } from '../access/principal.js';
import { type DeploymentView, deploymentView } from '../attribution/deployment-view.js';
import type { FinalStatus } from '../deployment/deployment.js';
import { finish } from '../deployment/deployment-transition.js';
import { invalid, notFound } from '../errors.js';
import type { Ports } from '../ports.js';
import { durationFaults } from '../report/deployment-report.js';
import { isLate } from '../report/report-reply.js';
import { findDeployment, viewOf } from './find-deployment.js';

export interface FinishDeployment {
  readonly principal: Principal;
  readonly deploymentId: string;
  readonly status: FinalStatus;
  /** Finite, at least 0; null: not said. */
  readonly durationSeconds: number | null;
}

/**
 * Ends a started deployment; of two at once exactly one wins. Repeating the same status, with the same duration or none, changes nothing.
 * @throws DomainError `not-found`, `forbidden`, `invalid`, `deployment-finished`
 */
export const finishDeployment =
  ({ reports, lookups, clock }: Pick<Ports, 'reports' | 'lookups' | 'clock'>) =>
  async ({ principal, deploymentId, status, durationSeconds }: FinishDeployment): Promise<DeploymentView> => {
    const { deployment, at } = await findDeployment(lookups, principal, deploymentId);
    requireRole(principal, at.project.teamId, 'member');
    const faults = durationFaults(durationSeconds);
    if (faults.length > 0) throw invalid(faults);
    const now = clock();
    const end = { status, finishedAt: Math.max(now, deployment.startedAt), durationSeconds };
    const outcome = await reports.submit({ kind: 'finish', deploymentId, ...end, at: now, arrives: true });
    if (outcome.result === 'failed') throw outcome.error;
    if (outcome.result === 'not_found') throw notFound('deployment');
    if (outcome.result !== 'finished' && outcome.result !== 'already_final')
      throw new Error(`A finish cannot be answered with ${outcome.result}.`);
    if (isLate(outcome)) return viewOf(lookups, principal, deploymentId);
    return deploymentView(finish(outcome.deployment, end), at);
  };
