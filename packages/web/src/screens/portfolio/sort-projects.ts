import type { PortfolioEntry } from '@shipworthy/client';

export type PortfolioColumn = 'project' | 'gate' | 'score' | 'reports';

/** By which column, and whether the other way round. */
export interface Order {
  readonly column: PortfolioColumn;
  readonly reversed: boolean;
}

/** What needs somebody comes first. */
export const DEFAULT_ORDER: Order = { column: 'gate', reversed: false };

const URGENCY = { hold: 0, unknown: 1, go: 2 } as const;

const lastReport = ({ last_deployment_at, last_test_run_at }: PortfolioEntry): string =>
  [last_deployment_at ?? '', last_test_run_at ?? ''].sort().at(-1) ?? '';

const RANKS: Readonly<Record<PortfolioColumn, (entry: PortfolioEntry) => number | string>> = {
  project: ({ project }) => project.name.toLowerCase(),
  gate: ({ readiness }) => (readiness === null ? 3 : URGENCY[readiness.decision]),
  score: ({ readiness }) => readiness?.score ?? 101,
  reports: lastReport,
};

/** The projects in an order; those that are equal stay as they came, by team and name. */
export const ordered = (entries: readonly PortfolioEntry[], { column, reversed }: Order): readonly PortfolioEntry[] => {
  const rank = RANKS[column];
  const compare = (a: PortfolioEntry, b: PortfolioEntry) => {
    const [one, other] = [rank(a), rank(b)];
    return one < other ? -1 : one > other ? 1 : 0;
  };
  return entries.toSorted((a, b) => (reversed ? compare(b, a) : compare(a, b)));
};
