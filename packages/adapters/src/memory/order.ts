import type { Page, PageKey, PageRequest } from '@shipworthy/domain';

/** What rows are sorted by: values of the same kinds, in the same order, for every row. */
export type SortKey<Row> = (row: Row) => PageKey;

const compareKeys = (a: PageKey, b: PageKey): number => {
  for (const [place, value] of a.entries()) {
    const other = b[place];
    if (other === undefined || value === other) continue;
    return value < other ? -1 : 1;
  }
  return 0;
};

/** Sorted copies of the rows, smallest key first. */
export const ascending = <Row>(rows: readonly Row[], key: SortKey<Row>): readonly Row[] =>
  rows.toSorted((a, b) => compareKeys(key(a), key(b)));

/** Sorted copies of the rows, greatest key first. */
export const descending = <Row>(rows: readonly Row[], key: SortKey<Row>): readonly Row[] =>
  rows.toSorted((a, b) => compareKeys(key(b), key(a)));

const cut = <Row>(rows: readonly Row[], key: SortKey<Row>, limit: number): Page<Row> => {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, next: rows.length > limit && last !== undefined ? key(last) : null };
};

/** The page of the rows sorted by ascending key. */
export const pageUp = <Row>(rows: readonly Row[], key: SortKey<Row>, { limit, after }: PageRequest): Page<Row> =>
  cut(ascending(after === null ? rows : rows.filter((row) => compareKeys(key(row), after) > 0), key), key, limit);

/** The page of the rows sorted by descending key. */
export const pageDown = <Row>(rows: readonly Row[], key: SortKey<Row>, { limit, after }: PageRequest): Page<Row> =>
  cut(descending(after === null ? rows : rows.filter((row) => compareKeys(key(row), after) < 0), key), key, limit);

/** The row of the greatest key. */
export const greatest = <Row>(rows: readonly Row[], key: SortKey<Row>): Row | undefined => {
  let found: Row | undefined;
  for (const row of rows) if (found === undefined || compareKeys(key(row), key(found)) > 0) found = row;
  return found;
};

/** The name itself, or with the least number behind it that makes it free. */
export const numbered = (name: string, taken: (candidate: string) => boolean): string => {
  let candidate = name;
  for (let number = 2; taken(candidate); number += 1) candidate = `${name}-${number}`;
  return candidate;
};
