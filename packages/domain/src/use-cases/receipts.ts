import { type Attribution, deploymentAttribution, testRunAttribution } from '../attribution.js';
import { DomainError } from '../errors.js';
import {
  type ImportOutcome,
  logReceipt,
  type Prepared,
  type ReportEntry,
  type ReportOutcome,
} from '../pipeline-report.js';
import type { Ports } from '../ports.js';

type ReceiptPorts = Pick<Ports, 'stores' | 'receipts'>;
type New<Kind extends ReportEntry['kind']> = Extract<ReportEntry, { readonly kind: Kind }>;

const attributionsOf = async (
  stores: ReceiptPorts['stores'],
  deployments: readonly New<'deployment'>[],
): Promise<readonly Attribution[]> => {
  if (deployments.length === 0) return [];
  const moments = deployments.map(({ deployment }) => ({ projectId: deployment.projectId, at: deployment.startedAt }));
  const places = await stores.projects.at(moments);
  return deployments.flatMap(({ deployment }, index) => {
    const at = places[index];
    return at === undefined ? [] : [deploymentAttribution(deployment, at)];
  });
};

const runAttributionsOf = async (
  stores: ReceiptPorts['stores'],
  runs: readonly New<'test_run'>[],
): Promise<readonly Attribution[]> => {
  if (runs.length === 0) return [];
  const targets = await stores.testRuns.targets(
    runs.map(({ testRun: { projectId, releaseId, suite } }) => ({ projectId, releaseId, suite })),
  );
  return runs.flatMap(({ testRun }, index) => {
    const target = targets[index];
    return target === undefined ? [] : [testRunAttribution(testRun, target)];
  });
};

/**
 * Counts in the receipt log the new reports that count for no release, by their reasons. Called once all of them are stored.
 * Two queries for any number of reports.
 */
export async function countUncountedReports(
  { stores, receipts }: ReceiptPorts,
  entries: readonly ReportEntry[],
  outcomes: readonly Pick<ReportOutcome, 'result'>[],
): Promise<void> {
  const created = entries.filter((_, index) => outcomes[index]?.result === 'created');
  const deployments = created.filter((entry) => entry.kind === 'deployment');
  const runs = created.filter((entry) => entry.kind === 'test_run');
  for (const attribution of await attributionsOf(stores, deployments)) logReceipt(receipts, 'deployment', attribution);
  for (const attribution of await runAttributionsOf(stores, runs)) logReceipt(receipts, 'test_run', attribution);
}

/**
 * Counts the reports of a batch that count for no release. Does not fail when the database is away: the reports are
 * stored by then, and only their count is lost.
 */
export async function countUncountedOfBatch(
  ports: ReceiptPorts,
  prepared: readonly Prepared[],
  outcomes: readonly ImportOutcome[],
): Promise<void> {
  const stored = prepared.flatMap((one, index) => {
    const outcome = outcomes[index];
    return 'entry' in one && outcome?.result === 'created' ? [{ entry: one.entry, outcome }] : [];
  });
  try {
    await countUncountedReports(
      ports,
      stored.map(({ entry }) => entry),
      stored.map(({ outcome }) => outcome),
    );
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'unavailable')) throw error;
  }
}
