import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from './problem.js';

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** The origins a page of ours can have: that of the base URL, and on the loopback all its names. Never the Host header. */
export const ownOrigins = (baseUrl: URL): ReadonlySet<string> => {
  if (!LOOPBACK.includes(baseUrl.hostname)) return new Set([baseUrl.origin]);
  const port = baseUrl.port === '' ? '' : `:${baseUrl.port}`;
  return new Set(LOOPBACK.map((host) => `${baseUrl.protocol}//${host}${port}`));
};

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const refusal = (): Problem =>
  new Problem('cross-site', 'The request carries a session but did not come from a page of this service.');

/**
 * Refuses an unsafe request that another site's page may have sent with this service's cookie.
 * @param proof `required`: a cookie was shown, so it must come from a page of ours; `if-any`: nothing was shown that another
 * site could abuse, but a page of another site is still refused (it would sign its visitor in as somebody else)
 * @throws Problem `cross-site`
 */
export const refuseCrossSite = (
  method: string,
  headers: IncomingHttpHeaders,
  origins: ReadonlySet<string>,
  proof: 'required' | 'if-any',
): void => {
  if (SAFE.has(method)) return;
  const site = headers['sec-fetch-site'];
  if (headers.origin !== undefined) {
    if (!origins.has(headers.origin)) throw refusal();
    return;
  }
  if (site === 'same-origin') return;
  if (proof === 'required' || site !== undefined) throw refusal();
};
