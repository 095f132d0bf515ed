import type { Principal } from '../access/principal.js';
import { type DeploymentView, deploymentView } from '../attribution/deployment-view.js';
import { invalid } from '../errors.js';
import type { Ports } from '../ports.js';
import { type DeploymentReport, deploymentFaults, deploymentFrom } from '../report/deployment-report.js';
import { logReceipt } from '../report/receipt-log.js';
import { isLate, type RememberAs, type Reported, remembered, settled } from '../report/report-reply.js';
import { viewOf } from './find-deployment.js';
import { findNamed, readNames } from './find-named-project.js';

export interface RecordDeployment {
  readonly principal: Principal;
  readonly report: DeploymentReport;
  readonly remember: RememberAs<DeploymentView> | null;
}

type RecordingPorts = Pick<Ports, 'stores' | 'reports' | 'lookups' | 'receipts' | 'clock' | 'newId'>;

/**
 * Stores a reported deployment: one coalesced read, one coalesced write.
 * @throws DomainError `invalid`, `unknown-app-name`, `app-name-mismatch`, `ambiguous-app-name`, `forbidden`, `external-id-conflict`
 */
export const recordDeployment =
  ({ stores, reports, lookups, receipts, clock, newId }: RecordingPorts) =>
  async ({ principal, report, remember }: RecordDeployment): Promise<Reported<DeploymentView>> => {
    const now = clock();
    const faults = deploymentFaults(report, now);
    if (faults.length > 0) throw invalid(faults);
    const named = await lookups.namedProject({ name: report.appName, at: report.startedAt ?? now });
    const match = await findNamed(stores, principal, report, named);
    const deployment = deploymentFrom(report, match.project.id, newId(), now);
    const view = deploymentView(deployment, match);
    const entry = { kind: 'deployment', deployment, remember: remembered(remember, view), arrives: true } as const;
    const outcome = await reports.submit(entry);
    // The project was removed in between: it is answered as if it had been gone before.
    if (outcome.result === 'not_found') throw (await readNames(stores, principal)).unmatched(report);
    const done = settled(outcome);
    if (done.outcome === 'created') {
      const stored = isLate(outcome) ? await viewOf(lookups, principal, deployment.id) : view;
      logReceipt(receipts, 'deployment', stored.attribution);
      return { outcome: 'created', view: stored };
    }
    if (done.outcome !== 'duplicate') return done;
    return { outcome: 'duplicate', view: await viewOf(lookups, principal, done.id) };
  };
