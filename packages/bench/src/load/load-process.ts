import { sendOrder, startChild } from '../process/child.js';
import type { Workshop } from '../process/workshop.js';
import type { LoadAnswer } from './connection.js';

/** Sends load from a process of its own, so that it does not slow what it measures. */
export type SendLoad = (order: LoadOrder) => Promise<LoadResult>;

/** Starts the load process. An order rejects when any of its requests was not answered with the status it asks for. */
export const startLoadProcess = (workshop: Workshop): SendLoad => {
  const child = startChild(workshop, { program: new URL('./load-main.js', import.meta.url).href });
  return (order) => sendOrder(child, order, `Load on port ${order.port} failed`);
};

/** Is replaced in a request by a number of 16 hexadecimal digits that no other request of the order has. */
export const SEQUENCE_PLACEHOLDER = '{sequence}';

/** The number of a request as it is written into the request. */
export const sequenceText = (sequence: number): string => sequence.toString(16).padStart(16, '0');

interface Target {
  readonly port: number;
  /** The whole request as it goes over the wire, with `SEQUENCE_PLACEHOLDER` where it differs from the others. */
  readonly request: string;
  /** The status every answer must have; any other one fails the order. */
  readonly status: number;
  readonly connections: number;
  readonly seconds: number;
}

/** Every connection sends its next request when the last one is answered: measures how much can be carried. */
export interface ClosedLoop extends Target {
  readonly kind: 'closed loop';
}

/** Requests come at a fixed rate, whether earlier ones are answered or not: measures how long an answer takes. */
export interface SteadyRate extends Target {
  readonly kind: 'steady rate';
  readonly perSecond: number;
  /** A statement run on PostgreSQL before each request, outside the time that is taken. */
  readonly beforeEach: { readonly connectionString: string; readonly statement: string } | null;
}

export type LoadOrder = ClosedLoop | SteadyRate;

/** The result of an order whose requests were all answered as expected. */
export interface LoadResult {
  /** Requests sent and answered; their sequence numbers are 0 to one less. */
  readonly answered: number;
  /** From the first request to the last answer. */
  readonly seconds: number;
  /** Milliseconds per answer, from the moment the request was due. */
  readonly p50: number;
  readonly p99: number;
  /** The milliseconds of every answer at a steady rate; empty for a closed loop, which has too many. */
  readonly times: readonly number[];
}

/** Writes the requests of an order, each with the next number. */
export const requestWriter = (order: LoadOrder): { next(): string; count(): number } => {
  const parts = order.request.split(SEQUENCE_PLACEHOLDER);
  const [only] = parts;
  let count = 0;
  return {
    next: () => {
      const sequence = count;
      count += 1;
      return parts.length === 1 && only !== undefined ? only : parts.join(sequenceText(sequence));
    },
    count: () => count,
  };
};

/** @throws Error when the answer has another status than the order asks for */
export const requireStatus = (order: LoadOrder, { status, body }: LoadAnswer): void => {
  if (status !== order.status)
    throw new Error(`Expected ${order.status}, got ${status}: ${Buffer.from(body, 'latin1').toString().slice(0, 800)}`);
};

interface RequestParts {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Must be ASCII. */
  readonly body?: string;
  /** How much longer the body is on the wire than here, because a placeholder in it is shorter. */
  readonly bodyGrowth?: number;
}

/** A request as it goes over the wire. */
export const requestText = ({ method, path, headers, body, bodyGrowth = 0 }: RequestParts): string => {
  const sized = body === undefined ? headers : { ...headers, 'Content-Length': String(body.length + bodyGrowth) };
  const lines = Object.entries({ Host: '127.0.0.1', ...sized }).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
};
