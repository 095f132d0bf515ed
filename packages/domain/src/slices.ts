/** Long work of one request in slices: between two of them the event loop serves other requests. */
export interface Slices {
  /**
   * Does the work on each item, in order, and answers the results. An error of the work ends it, and so does the
   * reason for which its result is not needed any more; both are thrown.
   */
  map<Item, Result>(items: readonly Item[], work: (item: Item, place: number) => Result): Promise<readonly Result[]>;
}

/** All in one piece, for what is never long. */
export const inOnePiece: Slices = {
  map: async (items, work) => items.map(work),
};
