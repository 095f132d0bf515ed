import type { IncomingHttpHeaders } from 'node:http';

const WELL_FORMED = /^[\w.:/+=@-]{1,128}$/;
const TRACE = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

/** The caller's `X-Request-Id` if it is well-formed (1-128 plain ASCII characters), else a new id. */
export const requestIdOf = (headers: IncomingHttpHeaders, newId: () => string): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && WELL_FORMED.test(given) && !given.includes('swk_') ? given : newId();
};

/** The caller's `traceparent` (W3C Trace Context), if well-formed. */
export const traceOf = (headers: IncomingHttpHeaders): string | null => {
  const given = headers.traceparent;
  return typeof given === 'string' && TRACE.test(given) ? given : null;
};
