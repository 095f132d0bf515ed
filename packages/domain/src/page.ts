/** The sort values of the last row already seen, in the order of the list; opaque to everyone but the store. */
export type PageKey = readonly (string | number)[];

/** Asks for the rows that follow `after`, at most `limit` (1-200) of them. */
export interface PageRequest {
  readonly limit: number;
  readonly after: PageKey | null;
}

/** One page of a list by keyset: stable while rows are being added. `next` is null on the last page. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: PageKey | null;
}

/** Which way a list by time goes. */
export type ListOrder = 'newest-first' | 'oldest-first';
