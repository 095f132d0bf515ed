/** One page of a list as the interface answers it. */
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

/** The rows of a list as far as they were asked for, and where it goes on; null: these are all. */
export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
  /** Rows from before then may have been removed for their age; null: none was. */
  readonly keptSince: string | null;
}

/** More than these are not answered at once. */
const MOST_ROWS = 200;

export type ReadPage<Row> = (query: WantedPage, signal: AbortSignal) => Promise<AnsweredPage<Row>>;

/** Reads a list from its beginning, as many pages as give that many rows, or until it ends. */
export const readPages = async <Row>(
  readPage: ReadPage<Row>,
  wanted: number,
  signal: AbortSignal,
): Promise<Rows<Row>> => {
  const rows: Row[] = [];
  let next: string | null = null;
  let keptSince: string | null = null;
  do {
    const limit = Math.min(wanted - rows.length, MOST_ROWS);
    const page: AnsweredPage<Row> = await readPage(next === null ? { limit } : { limit, cursor: next }, signal);
    rows.push(...page.data);
    next = page.next_cursor;
    keptSince = page.kept_since ?? null;
  } while (next !== null && rows.length < wanted);
  return { rows, next, keptSince };
};
