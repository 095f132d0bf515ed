/** Counts answers by operation and kind of status. */
export interface Tally {
  count(operation: string, status: number): void;
  readonly total: number;
  /** How many answers of an operation began with that digit. */
  of(operation: string, kind: 2 | 3 | 4 | 5): number;
  /** One line per operation. */
  lines(): readonly string[];
}

export const createTally = (): Tally => {
  const counts = new Map<string, number[]>();
  let total = 0;
  const of = (operation: string, kind: number): number => counts.get(operation)?.[kind] ?? 0;
  return {
    get total() {
      return total;
    },
    count: (operation, status) => {
      total += 1;
      const found = counts.get(operation) ?? [0, 0, 0, 0, 0, 0];
      const kind = Math.floor(status / 100);
      found[kind] = (found[kind] ?? 0) + 1;
      counts.set(operation, found);
    },
    of,
    lines: () => [
      `${'operation'.padEnd(26)}${['2xx', '3xx', '4xx', '5xx'].map((kind) => kind.padStart(9)).join('')}`,
      ...[...counts.keys()]
        .sort()
        .map((name) => `${name.padEnd(26)}${[2, 3, 4, 5].map((kind) => String(of(name, kind)).padStart(9)).join('')}`),
    ],
  };
};
