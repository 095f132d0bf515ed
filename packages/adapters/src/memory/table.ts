import type { Page, PageKey, PageRequest } from '@shipworthy/domain';

/** The indexes of a table besides its key: each maps a row to its group. */
export type Indexes<Row, Name extends string> = { readonly [name in Name]: (row: Row) => string };

/** Rows by key, with indexes. */
export interface MemoryTable<Row, Name extends string = never> {
  readonly indexes: Indexes<Row, Name>;
  get(key: string): Row | undefined;
  /** All rows of a group, in no particular order. */
  where(index: Name, group: string): readonly Row[];
  all(): readonly Row[];
  entries(): readonly (readonly [key: string, row: Row])[];
  put(key: string, row: Row): void;
  /** Returns whether there was a row. */
  remove(key: string): boolean;
}

/** A table over another one: it keeps its changes to itself until they are merged down. */
export interface Draft<Row, Name extends string> extends MemoryTable<Row, Name> {
  merge(): void;
  /** What it keeps to itself, by key; undefined: the row was removed. */
  changes(): readonly (readonly [key: string, row: Row | undefined])[];
}

const groupOf = <Key, Value>(groups: Map<Key, Map<string, Value>>, key: Key): Map<string, Value> => {
  const group = groups.get(key) ?? new Map<string, Value>();
  groups.set(key, group);
  return group;
};

/** An empty table. */
export const memoryTable = <Row, Name extends string = never>(indexes: Indexes<Row, Name>): MemoryTable<Row, Name> => {
  const rows = new Map<string, Row>();
  const names = Object.keys(indexes) as Name[];
  const groups = new Map(names.map((name) => [name, new Map<string, Map<string, Row>>()]));
  const forget = (key: string, row: Row): void => {
    for (const [name, byGroup] of groups) {
      const group = indexes[name](row);
      byGroup.get(group)?.delete(key);
      if (byGroup.get(group)?.size === 0) byGroup.delete(group);
    }
  };
  return {
    indexes,
    get: (key) => rows.get(key),
    where: (index, group) => [...(groups.get(index)?.get(group)?.values() ?? [])],
    all: () => [...rows.values()],
    entries: () => [...rows],
    put: (key, row) => {
      const before = rows.get(key);
      if (before !== undefined) forget(key, before);
      rows.set(key, row);
      for (const [name, byGroup] of groups) groupOf(byGroup, indexes[name](row)).set(key, row);
    },
    remove: (key) => {
      const before = rows.get(key);
      if (before !== undefined) forget(key, before);
      return rows.delete(key);
    },
  };
};

const GONE = Symbol('gone');

/** Makes a draft on a table or on another draft. It keeps changed rows only. */
export const draft = <Row, Name extends string>(below: MemoryTable<Row, Name>): Draft<Row, Name> => {
  const changed = new Map<string, Row | typeof GONE>();
  const { indexes } = below;
  /** Rows from below that are not changed here, and those changed here. */
  const over = (unchanged: readonly Row[], belongs: (row: Row) => boolean): readonly Row[] => {
    if (changed.size === 0) return unchanged;
    const replaced = new Set<Row>();
    const mine: Row[] = [];
    for (const [key, row] of changed) {
      const old = below.get(key);
      if (old !== undefined) replaced.add(old);
      if (row !== GONE && belongs(row)) mine.push(row);
    }
    return [...unchanged.filter((row) => !replaced.has(row)), ...mine];
  };
  return {
    indexes,
    get: (key) => {
      const row = changed.get(key);
      if (row === undefined) return below.get(key);
      return row === GONE ? undefined : row;
    },
    where: (index, group) => over(below.where(index, group), (row) => indexes[index](row) === group),
    all: () => over(below.all(), () => true),
    entries: () => {
      const entries = new Map<string, Row>(below.entries());
      for (const [key, row] of changed)
        if (row === GONE) entries.delete(key);
        else entries.set(key, row);
      return [...entries];
    },
    put: (key, row) => void changed.set(key, row),
    remove: (key) => {
      const there = changed.has(key) ? changed.get(key) !== GONE : below.get(key) !== undefined;
      changed.set(key, GONE);
      return there;
    },
    changes: () => [...changed].map(([key, row]) => [key, row === GONE ? undefined : row]),
    merge: () => {
      for (const [key, row] of changed) {
        if (row === GONE) below.remove(key);
        else below.put(key, row);
      }
    },
  };
};

/** The sort key of rows: values of the same kinds, in the same order, for every row. */
type SortKey<Row> = (row: Row) => PageKey;

/** Whether `a` comes before `b` by code points, as databases sort: `<` compares UTF-16 units, and puts U+1F680 before U+FF21. */
const isSmallerText = (a: string, b: string): boolean => {
  let place = 0;
  while (place < a.length && a[place] === b[place]) place += 1;
  return (a.codePointAt(place) ?? -1) < (b.codePointAt(place) ?? -1);
};

const compareKeys = (a: PageKey, b: PageKey): number => {
  for (const [place, value] of a.entries()) {
    const other = b[place];
    if (other === undefined || value === other) continue;
    const isSmaller =
      typeof value === 'string' && typeof other === 'string' ? isSmallerText(value, other) : value < other;
    return isSmaller ? -1 : 1;
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

/** The row with the greatest key; undefined where there is no row. */
export const greatest = <Row>(rows: readonly Row[], key: SortKey<Row>): Row | undefined => {
  let found: Row | undefined;
  for (const row of rows) if (found === undefined || compareKeys(key(row), key(found)) > 0) found = row;
  return found;
};

/** Returns the name if it is free, else `name-2`, `name-3` and so on: the first that is free. */
export const numbered = (name: string, taken: (candidate: string) => boolean): string => {
  let candidate = name;
  for (let number = 2; taken(candidate); number += 1) candidate = `${name}-${number}`;
  return candidate;
};
