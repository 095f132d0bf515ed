import type { Principal } from '../access/principal.js';
import { invalid } from '../errors.js';
import type { Ports } from '../ports.js';
import { type DeploymentReport, deploymentFaults, deploymentFrom } from '../report/deployment-report.js';
import { type ImportOutcome, prepare, storePrepared } from '../report/import-outcome.js';
import { isNamedAtHome, NO_NAMES, namedAmong, readNames } from './find-named-project.js';
import { tellBatchReceipts } from './tell-receipts.js';

export interface ImportDeployments {
  readonly principal: Principal;
  readonly records: readonly DeploymentReport[];
}

/**
 * Stores past deployments, the good ones although others are refused; outcomes in input order.
 * A constant number of queries for any number of records.
 * @throws DomainError `unavailable` when nothing could be stored
 */
export const importDeployments =
  ({ stores, receipts, clock, newId }: Pick<Ports, 'stores' | 'receipts' | 'clock' | 'newId'>) =>
  async ({ principal, records }: ImportDeployments): Promise<readonly ImportOutcome[]> => {
    const now = clock();
    const appNames = [...new Set(records.map((record) => record.appName))];
    // Which windows hold them does not matter here: the outcomes carry no receipts.
    const named = await stores.projects.named(appNames.map((name) => ({ name, at: now })));
    const byName = new Map(appNames.map((name, index) => [name, named[index] ?? []]));
    const namedAs = ({ appName }: DeploymentReport) => byName.get(appName) ?? [];
    const areKnown = records.every((report) => isNamedAtHome(principal, report, namedAs(report)));
    const names = areKnown ? NO_NAMES : await readNames(stores, principal);
    const prepared = records.map((report) =>
      prepare(() => {
        const faults = deploymentFaults(report, now);
        if (faults.length > 0) throw invalid(faults);
        const match = namedAmong(principal, report, namedAs(report), names);
        const deployment = deploymentFrom(report, match.project.id, newId(), now);
        return { id: deployment.id, entry: { kind: 'deployment', deployment, remember: null, arrives: true } };
      }),
    );
    const outcomes = await storePrepared(stores.reports, prepared);
    await tellBatchReceipts({ stores, receipts }, prepared, outcomes);
    return outcomes;
  };
