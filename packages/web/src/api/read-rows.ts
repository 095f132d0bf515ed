/** One page of a list as the API answers it. */
export interface AnsweredPage<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
  /** The moment since which no record was removed, for lists whose records may be removed for their age; null: none ever was. */
  readonly kept_since?: string | null;
}

/** Which page of a list to read. */
export interface WantedPage {
  readonly limit: number;
  readonly cursor?: string;
}

/** The rows of a list read so far. `next`: the cursor of the next page; null: these are all rows. */
export interface Rows<Row, Page extends AnsweredPage<Row> = AnsweredPage<Row>> {
  readonly rows: readonly Row[];
  readonly next: string | null;
  /** Rows from before this moment may have been removed for their age; null: none was. */
  readonly keptSince: string | null;
  /** The page that was read last, with what it says beside its rows. */
  readonly page: Page;
}

/** The server answers at most this many rows at once. */
export const MOST_ROWS = 200;

export type ReadPage<Page extends AnsweredPage<unknown>> = (query: WantedPage, signal: AbortSignal) => Promise<Page>;

/** Reads a list from its beginning until `wanted` rows are read or the list ends. */
export const readPages = async <Page extends AnsweredPage<unknown>>(
  readPage: ReadPage<Page>,
  wanted: number,
  signal: AbortSignal,
): Promise<Rows<Page['data'][number], Page>> => {
  const rows: Page['data'][number][] = [];
  let next: string | null = null;
  for (;;) {
    const limit = Math.min(wanted - rows.length, MOST_ROWS);
    const page: Page = await readPage(next === null ? { limit } : { limit, cursor: next }, signal);
    rows.push(...page.data);
    next = page.next_cursor;
    if (next === null || rows.length >= wanted) return { rows, next, keptSince: page.kept_since ?? null, page };
  }
};
