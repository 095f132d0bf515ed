import type { ServerResponse } from 'node:http';
import type { Fault } from './faults.js';
import { limitHeaders } from './limits.js';
import { pageReply, type Reply, refusal } from './rest/reply.js';

/** The answer that a fault makes; undefined: it changes how the true answer is sent. */
export const faultyReply = (fault: Fault, address: URL, elsewhere: string): Reply | undefined => {
  switch (fault.kind) {
    case 'page':
      return pageReply(fault.status, fault.status === 401 ? 'Sign in' : 'Something is being mended');
    case 'answer':
      return { status: fault.status, headers: { 'content-type': fault.type }, body: fault.body };
    case 'error':
      return refusal(fault.status, fault.status < 500 ? 'Resource not accessible' : 'Server Error');
    case 'redirect-inside': {
      const to = new URL(address);
      to.searchParams.set('again', '1');
      return refusal(307, 'Temporary Redirect', { location: to.href });
    }
    case 'redirect-outside':
      return refusal(307, 'Temporary Redirect', { location: `${elsewhere}${address.pathname}${address.search}` });
    case 'primary-limit': {
      const budget = { limit: 5000, remaining: 0, resetAt: fault.resetAt };
      return refusal(403, 'API rate limit exceeded for user ID 1.', limitHeaders(budget, 'core'));
    }
    case 'secondary-limit':
      return refusal(fault.status ?? 429, 'You have exceeded a secondary rate limit.', {
        'retry-after': String(fault.retryAfterSeconds),
      });
    default:
      return undefined;
  }
};

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };
const SPACES = Buffer.alloc(64 * 1024, ' ');

/** Spaces are allowed before JSON: a reader that waits for its beginning reads on. */
const sendForEver = (response: ServerResponse): void => {
  const more = (): void => {
    while (!response.destroyed && response.write(SPACES));
  };
  response.writeHead(200, JSON_HEADERS);
  response.on('drain', more);
  more();
};

const sendByByte = (response: ServerResponse, bytes: Buffer, ms: number): void => {
  let sent = 0;
  const timer = setInterval(() => {
    response.write(bytes.subarray(sent, sent + 1));
    sent += 1;
    if (sent === bytes.length) response.end();
  }, ms);
  response.on('close', () => clearInterval(timer));
};

/** Sends an answer, broken off where the fault says so. */
export const send = (response: ServerResponse, { status, headers, body }: Reply, fault: Fault | undefined): void => {
  const bytes = Buffer.from(body);
  const half = Math.floor(bytes.length / 2);
  if (fault?.kind === 'endless') {
    sendForEver(response);
    return;
  }
  if (fault?.kind === 'drip') {
    response.writeHead(status, headers);
    sendByByte(response, bytes, fault.ms);
    return;
  }
  if (fault?.kind === 'cut') {
    response.writeHead(status, { ...headers, 'content-length': bytes.length });
    response.write(bytes.subarray(0, half), () => response.socket?.destroy());
    return;
  }
  const sent = fault?.kind === 'half-json' ? bytes.subarray(0, half) : bytes;
  response.writeHead(
    status,
    status === 204 || status === 304 ? headers : { ...headers, 'content-length': sent.length },
  );
  response.end(status === 204 || status === 304 ? undefined : sent);
};
