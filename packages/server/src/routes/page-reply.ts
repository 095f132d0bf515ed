/** One page of a list as its answer: rows in wire form and the cursor of the next page. */
export const pageReply = <Row>(data: readonly Row[], next: string | null) =>
  ({ status: 200, body: { data, next_cursor: next }, next }) as const;
