/** How a socket is slow. */
export type Manner =
  /** Connects and says nothing. */
  | 'silent'
  /** Sends its headers byte by byte. */
  | 'headers'
  /** Sends a body byte by byte. */
  | 'body'
  /** Asks again and again and reads no answer. */
  | 'reader';

export const MANNERS: readonly Manner[] = ['silent', 'headers', 'body', 'reader'];

/** So many slow sockets, of each manner a quarter; one that is cut off is opened anew. */
export interface SlowOrder {
  readonly port: number;
  readonly sockets: number;
  readonly beginnings: Readonly<Record<Manner, string>>;
}

/** What became of them so far. */
export interface SlowTally {
  readonly opened: number;
  readonly openNow: number;
  /** Ended by the server, by manner. */
  readonly cut: Readonly<Record<Manner, number>>;
  /** Answers they were given, by status. */
  readonly answers: Readonly<Record<number, number>>;
}

export type SlowMessage = SlowOrder | 'tally' | 'end';
