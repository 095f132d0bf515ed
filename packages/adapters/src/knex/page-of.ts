import type { Instant, Page, PageKey, PageRequest } from '@shipworthy/domain';
import type { Access } from './access.js';
import type { Value } from './dialect.js';

/** A column a list is sorted by. Columns of one list all go the same way, so that one index serves it. */
export interface SortColumn {
  readonly name: string;
  readonly kind: 'moment' | 'text' | 'number';
}

/** A list to be read page by page. */
export interface Listing {
  /** `select ... from ...`, without conditions. */
  readonly select: string;
  readonly conditions: readonly string[];
  readonly bindings: readonly Value[];
  /** What the first column must be smaller than, where it is a moment; null or none: anything. */
  readonly before?: Instant | null;
  readonly sort: readonly SortColumn[];
  readonly descending: boolean;
}

const keyBindings = (access: Access, sort: readonly SortColumn[], after: PageKey): readonly Value[] =>
  sort.map(({ kind }, place) => {
    const value = after[place] ?? null;
    return kind === 'moment' && typeof value === 'number' ? access.dialect.moment(value) : value;
  });

/** One page by keyset: rows are compared as a whole with the last one seen, which one index answers. */
export const pageOf = async <Row, Found>(
  access: Access,
  listing: Listing,
  page: PageRequest,
  read: (row: Row) => Found,
  keyOf: (found: Found) => PageKey,
): Promise<Page<Found>> => {
  const { select, sort, descending } = listing;
  const names = sort.map(({ name }) => name);
  const conditions = [...listing.conditions];
  const bindings = [...listing.bindings];
  const { before = null } = listing;
  // A later page is below its key: with both limits, a database may well begin at the other one and read all between them.
  if (before !== null && !(page.after !== null && Number(page.after[0]) < before)) {
    conditions.push(`${names[0]} < ?`);
    bindings.push(access.dialect.moment(before));
  }
  if (page.after !== null) {
    conditions.push(`(${names.join(', ')}) ${descending ? '<' : '>'} (${names.map(() => '?').join(', ')})`);
    bindings.push(...keyBindings(access, sort, page.after));
  }
  const order = names.map((name) => (descending ? `${name} desc` : name)).join(', ');
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
  const rows = await access.read<Row>(`${select}${where} order by ${order} limit ?`, [...bindings, page.limit + 1]);
  const found = rows.slice(0, page.limit).map(read);
  const last = found.at(-1);
  return { rows: found, next: rows.length > page.limit && last !== undefined ? keyOf(last) : null };
};
