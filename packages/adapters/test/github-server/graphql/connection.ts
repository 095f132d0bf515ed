import { GraphQLError } from 'graphql';

export interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

const LARGEST_PAGE = 100;

/** Cursors hold the key of a row rather than its place, so that they keep their meaning while rows come and move. */
const cursorOf = (key: readonly number[]): string => Buffer.from(`cursor:v2:${JSON.stringify(key)}`).toString('base64');

const keyIn = (cursor: string): readonly number[] => {
  try {
    const text = Buffer.from(cursor, 'base64').toString();
    const key: unknown = JSON.parse(text.replace(/^cursor:v2:/, ''));
    if (Array.isArray(key) && key.every((part) => typeof part === 'number')) return key;
  } catch {
    // Falls through to the same refusal.
  }
  throw new GraphQLError(`\`${cursor}\` does not appear to be a valid cursor.`, {
    extensions: { type: 'INVALID_CURSOR_ARGUMENTS' },
  });
};

const compare = (a: readonly number[], b: readonly number[]): number => {
  for (const [place, part] of a.entries()) {
    const difference = part - (b[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};

const refuse = (type: string, message: string): never => {
  throw new GraphQLError(message, { extensions: { type } });
};

/** How many rows at most, from the beginning or from the end; the host wants exactly that said, within its bounds. */
const boundsOf = ({ first, last }: PageArguments, name: string): { readonly count: number; readonly end: boolean } => {
  const count = first ?? last;
  if (count === null || count === undefined) {
    return refuse(
      'MISSING_PAGINATION_BOUNDARIES',
      `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
    );
  }
  if (count < 1 || count > LARGEST_PAGE) {
    return refuse(
      'EXCESSIVE_PAGINATION',
      `Requesting ${count} records on the \`${name}\` connection exceeds the \`first\` limit of 100 records.`,
    );
  }
  return { count, end: first === null || first === undefined };
};

/**
 * A page of `rows`, which are in order of `keyOf`: ascending, or descending where `descending`.
 */
export const connection = <Row>(
  name: string,
  rows: readonly Row[],
  page: PageArguments,
  { keyOf, show, descending = false }: ConnectionOptions<Row>,
) => {
  const { count, end } = boundsOf(page, name);
  const direction = descending ? -1 : 1;
  const after = page.after ? keyIn(page.after) : undefined;
  const before = page.before ? keyIn(page.before) : undefined;
  const from = after === undefined ? 0 : firstIndex(rows, (row) => direction * compare(keyOf(row), after) > 0);
  const to =
    before === undefined ? rows.length : firstIndex(rows, (row) => direction * compare(keyOf(row), before) >= 0);
  const start = end ? Math.max(from, to - count) : from;
  const stop = end ? to : Math.min(to, from + count);
  const chosen = rows.slice(start, Math.max(start, stop));
  const cursorAt = (row: Row | undefined): string | null => (row === undefined ? null : cursorOf(keyOf(row)));
  return {
    totalCount: rows.length,
    nodes: () => chosen.map(show),
    edges: () => chosen.map((row) => ({ node: show(row), cursor: cursorAt(row) })),
    pageInfo: {
      hasNextPage: stop < rows.length,
      hasPreviousPage: start > 0,
      startCursor: cursorAt(chosen[0]),
      endCursor: cursorAt(chosen.at(-1)),
    },
  };
};

interface ConnectionOptions<Row> {
  readonly keyOf: (row: Row) => readonly number[];
  readonly show: (row: Row) => unknown;
  readonly descending?: boolean;
}

/** The place of the first row that meets the condition, which all later ones meet too; the length if none does. */
const firstIndex = <Row>(rows: readonly Row[], meets: (row: Row) => boolean): number => {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row !== undefined && meets(row)) high = middle;
    else low = middle + 1;
  }
  return low;
};
