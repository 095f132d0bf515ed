/** Stands in a request for a number of 16 hexadecimal digits that no other request of the order has. */
export const SEQUENCE = '{sequence}';

/** The number of a request as it stands in the request. */
export const sequenceText = (sequence: number): string => sequence.toString(16).padStart(16, '0');

interface Target {
  readonly port: number;
  /** The whole request as it goes over the wire, with `SEQUENCE` where it differs from the others. */
  readonly request: string;
  /** The status every answer must have; any other one fails the order. */
  readonly status: number;
  readonly connections: number;
  readonly seconds: number;
}

/** Every connection sends its next request when the last one is answered: how much can be carried. */
export interface ClosedLoop extends Target {
  readonly kind: 'closed loop';
}

/** Requests come at a fixed rate, whether the ones before are answered or not: how long an answer takes. */
export interface SteadyRate extends Target {
  readonly kind: 'steady rate';
  readonly perSecond: number;
  /** A statement run on PostgreSQL before each request, outside the time that is taken. */
  readonly beforeEach: { readonly connectionString: string; readonly statement: string } | null;
}

export type LoadOrder = ClosedLoop | SteadyRate;

/** What came of an order all of whose requests were answered as asked. */
export interface LoadResult {
  /** Requests sent and answered; their sequence numbers are 0 to one less. */
  readonly answered: number;
  /** From the first request to the last answer. */
  readonly seconds: number;
  /** Milliseconds per answer, from the moment the request was due. */
  readonly p50: number;
  readonly p99: number;
  /** All of them, at a steady rate; of a closed loop there are too many. */
  readonly times: readonly number[];
}
