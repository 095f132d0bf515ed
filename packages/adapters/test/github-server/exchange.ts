import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Asked, tokenOf } from './answers.js';
import type { Faults } from './faults.js';
import { faultyReply, send } from './faulty-reply.js';
import { bodyOf } from './listener.js';
import type { RequestLog } from './request-log.js';
import type { Reply } from './rest/reply.js';

export interface ExchangeParts {
  readonly webUrl: string;
  /** Of the other origin that redirects lead to. */
  readonly elsewhere: string;
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly answer: (asked: Asked) => Promise<Reply>;
  /** Ends waiting when the server is closed. */
  readonly closing: AbortSignal;
}

/** Takes one request, lets befall it what waits for it, and answers. */
export const exchange =
  ({ webUrl, elsewhere, log, faults, answer, closing }: ExchangeParts) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', headers } = request;
    const address = new URL(request.url ?? '/', webUrl);
    const logged = {
      method,
      path: address.pathname,
      query: Object.fromEntries(address.searchParams),
      status: 0,
      conditional: headers['if-none-match'] !== undefined,
      token: tokenOf(headers),
      headers,
      body: '',
    };
    log.add(logged);
    logged.body = await bodyOf(request);
    const fault = faults.befall(address.pathname);
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    if (fault?.kind === 'delay') await wait(fault.ms, undefined, { signal: closing });
    const faulty = fault === undefined ? undefined : faultyReply(fault, address, elsewhere);
    const reply = faulty ?? (await answer({ method, address, headers, body: logged.body }));
    logged.status = reply.status;
    send(response, reply, fault);
  };
