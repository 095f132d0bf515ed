export type DeploymentState = 'started' | 'success' | 'failure';
export type ItemState = 'open' | 'done';

/** A deployment somebody reported: its id once that was acknowledged, and the state it was acknowledged in last. */
export interface ReportedDeployment {
  id: string | null;
  state: DeploymentState;
}

/** What callers were told, to be compared with what is stored. */
export interface Ledger {
  /** Every deployment that was ever sent, by its commit. */
  readonly deployments: Map<string, ReportedDeployment>;
  /** Every test run that was ever sent, by its commit: its id once that was acknowledged. */
  readonly testRuns: Map<string, string | null>;
  /** The last acknowledged state of each checklist item, by its id. */
  readonly items: Map<string, ItemState>;
  /** How many changes were acknowledged, of all kinds. */
  acknowledged: number;
}

export const emptyLedger = (): Ledger => ({
  deployments: new Map(),
  testRuns: new Map(),
  items: new Map(),
  acknowledged: 0,
});

/** One ledger of several that were kept one after the other: of an item the last word counts. */
export const mergedLedger = (ledgers: readonly Ledger[]): Ledger => ({
  deployments: new Map(ledgers.flatMap(({ deployments }) => [...deployments])),
  testRuns: new Map(ledgers.flatMap(({ testRuns }) => [...testRuns])),
  items: new Map(ledgers.flatMap(({ items }) => [...items])),
  acknowledged: ledgers.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
});
