import { countWords } from '../../page/wording.js';
import { type FaultLine, holds } from '../fault-programme.js';
import type { Ledger } from './ledger.js';

/** A row of a report, as it lies in the database. */
export interface StoredReport {
  readonly id: string;
  readonly commit: string;
  readonly status: string;
}

/** What lies in the database. */
export interface Stored {
  readonly deployments: readonly StoredReport[];
  readonly testRuns: readonly StoredReport[];
  /** State of each checklist item, by its id. */
  readonly items: ReadonlyMap<string, string>;
  /** How many answers are remembered under idempotency keys. */
  readonly remembered: number;
}

interface Agreed {
  acknowledged: number;
  found: number;
}

const doubled = (rows: readonly StoredReport[]): number => rows.length - new Set(rows.map(({ commit }) => commit)).size;

const recordsFound = (ledger: Ledger, rows: ReadonlyMap<string, StoredReport>): Agreed => {
  const agreed: Agreed = { acknowledged: 0, found: 0 };
  const look = (commit: string, id: string | null): void => {
    if (id === null) return;
    agreed.acknowledged += 1;
    if (rows.get(id)?.commit === commit) agreed.found += 1;
  };
  for (const [commit, { id }] of ledger.deployments) look(commit, id);
  for (const [commit, id] of ledger.testRuns) look(commit, id);
  return agreed;
};

const statesFound = (
  ledger: Ledger,
  rows: ReadonlyMap<string, StoredReport>,
  items: ReadonlyMap<string, string>,
): Agreed => {
  const agreed: Agreed = { acknowledged: 0, found: 0 };
  const look = (isSo: boolean): void => {
    agreed.acknowledged += 1;
    if (isSo) agreed.found += 1;
  };
  // An end may have been carried out without an answer; one that was acknowledged must be there.
  for (const { id, state } of ledger.deployments.values())
    if (id !== null && state !== 'started') look(rows.get(id)?.status === state);
  for (const [id, state] of ledger.items) look(items.get(id) === state);
  return agreed;
};

const all = (what: string, { acknowledged, found }: Agreed): FaultLine =>
  holds(what, `${countWords(found)} of ${countWords(acknowledged)}`, 'all', found === acknowledged && acknowledged > 0);

const none = (what: string, count: number): FaultLine => holds(what, countWords(count), '0', count === 0);

/** Holds what callers were told against what is stored. */
export const compare = (ledger: Ledger, stored: Stored): readonly FaultLine[] => {
  const { deployments, testRuns, items, remembered } = stored;
  const rows = new Map([...deployments, ...testRuns].map((row) => [row.id, row]));
  const unknown = [
    ...deployments.filter(({ commit }) => !ledger.deployments.has(commit)),
    ...testRuns.filter(({ commit }) => !ledger.testRuns.has(commit)),
  ];
  const keyed = deployments.length + testRuns.length;
  return [
    all('acknowledged records found again', recordsFound(ledger, rows)),
    none('records stored twice', doubled(deployments) + doubled(testRuns)),
    none('records stored that nobody reported', unknown.length),
    all('acknowledged ends and ticks as they were acknowledged', statesFound(ledger, rows, items)),
    holds(
      'answers remembered under their keys',
      `${countWords(remembered)} of ${countWords(keyed)}`,
      'one per record',
      remembered === keyed,
    ),
  ];
};
