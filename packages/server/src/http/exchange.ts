import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from '@shipworthy/client/contract';
import { parsedUrl } from '@shipworthy/client/contract';
import { networkOf, type Principal } from '@shipworthy/domain';
import type { Credential } from './credential.js';
import type { Counted } from './rate-limit.js';

/** One request and its answer, with what the machinery learns about it on the way. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly traceParent: string | null;
  /** Path as the service knows it: without the base path, without the query. */
  readonly path: string;
  /** What stands in front of the path at the public address; empty at the root. */
  readonly basePath: string;
  readonly address: string;
  /** Of the process's monotonic clock, in milliseconds. */
  readonly startedAt: number;
  operationId: string;
  operation: Operation | null;
  /** What it shows to prove who makes it. Never logged. */
  credential: Credential;
  principal: Principal | null;
  counted: Counted | null;
  /** When the handler must have answered, on the monotonic clock; null while it does not run. */
  deadline: number | null;
  answered: boolean;
  /** When its answer, a stream, began, on the monotonic clock; null: it is none. */
  openedAt: number | null;
  /** Bytes of the answer's body. */
  sent: number;
  /** Bytes of its own body that are kept. */
  held: number;
}

/** Who has part of what is shared out: the person, through all their keys and sessions together, or the network of a stranger. */
export const sharerOf = ({ principal, address }: Exchange): string => principal?.userId ?? networkOf(address);

/** The path of a request target as sent. */
export const pathOf = (target: string): string => {
  // A proxy may send the whole address.
  const whole = target.startsWith('/') ? undefined : parsedUrl(target);
  if (whole !== undefined) return whole.pathname;
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
};

/** The query of a request target as sent, without its question mark. */
export const queryOf = (target: string): string => {
  const query = target.indexOf('?');
  if (query < 0) return '';
  const fragment = target.indexOf('#', query);
  return target.slice(query + 1, fragment < 0 ? target.length : fragment);
};
