import type { Exchange } from '../http/exchange.js';
import { wireMoment } from '../wire/moment.js';
import { redacted } from './log.js';

/** Paths that fit no operation may hold anything; this much of them is enough to see what was meant. */
const LONGEST_PATH = 200;

const quoted = (path: string): string =>
  JSON.stringify(path.includes('swk_') ? redacted(path.slice(0, LONGEST_PATH)) : path.slice(0, LONGEST_PATH));

/** The log line of one request: no query, no header, no body, so that no secret can be in it. */
export const requestLine = (exchange: Exchange, at: number, milliseconds: number): string => {
  const { request, response, principal, operationId } = exchange;
  const who = principal === null ? 'null' : `"${principal.kind}:${principal.id}"`;
  return `{"time":"${wireMoment(at)}","level":"info","message":"request","request_id":"${exchange.requestId}","method":"${request.method}","path":${quoted(exchange.path)},"operation":"${operationId}","status":${response.statusCode},"ms":${milliseconds.toFixed(2)},"bytes":${exchange.sent},"who":${who},"address":"${exchange.address}"}`;
};
