import type { IncomingHttpHeaders } from 'node:http';
import { matchesNone } from '../http/etag.js';
import type { Exchange } from '../http/exchange.js';
import { Problem } from '../http/problem.js';
import type { Answer, Send } from '../http/send.js';
import { accepts } from './accepts.js';
import { type ApplicationFile, type ApplicationFiles, pageBelow } from './application-files.js';

/** Own scripts, styles and calls, and nothing of anybody else's; no inline script, no frame. */
export const APPLICATION_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** What the service itself answers under: never the application's page. */
const SERVICE_PATHS = /^\/(api|livez|readyz|metrics)(\/|$)/;

const ONE_YEAR = 'public, max-age=31536000, immutable';

const codedBody = (file: ApplicationFile, header: string | undefined): readonly [string | null, Buffer] => {
  if (accepts(header, 'br')) return ['br', file.brotli];
  if (accepts(header, 'gzip')) return ['gzip', file.gzip];
  return [null, file.plain];
};

const answerOf = (file: ApplicationFile, headers: IncomingHttpHeaders): Answer => {
  const head = {
    contentType: file.contentType,
    cacheControl: file.lasting ? ONE_YEAR : 'no-cache',
    contentPolicy: APPLICATION_POLICY,
  };
  // The page is what a browser is answered; anything else is refused at the same address.
  const vary = file.lasting ? 'Accept-Encoding' : 'Accept, Accept-Encoding';
  const tags = ['ETag', `"${file.tag}"`, 'Vary', vary];
  if (matchesNone(headers['if-none-match'] ?? '', file.tag)) return { ...head, status: 304, body: null, headers: tags };
  const [coding, body] = codedBody(file, headers['accept-encoding']);
  return { ...head, status: 200, body, headers: coding === null ? tags : [...tags, 'Content-Encoding', coding] };
};

/**
 * Serves the application: its files by their paths, and its page for every address a browser navigates to outside of the
 * service's own paths. Answers whether it did.
 */
export const createServeApplication = (files: ApplicationFiles | null, send: Send, basePath: string) => {
  const pageHere = files === null ? null : pageBelow(files.page, basePath);
  return (exchange: Exchange): boolean => {
    const { path, request } = exchange;
    if (files === null || pageHere === null || SERVICE_PATHS.test(path)) return false;
    const { accept = '*/*' } = request.headers;
    // Whoever only looks whether somebody is at home takes whatever is there.
    const wantsPage = accepts(accept, 'text/html') || (path === '/' && accepts(accept, '*/*'));
    const file = files.byPath.get(path) ?? (wantsPage && !path.startsWith('/assets/') ? pageHere : undefined);
    if (file === undefined) return false;
    exchange.operationId = 'application';
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new Problem('method-not-allowed', 'Here the method can be GET or HEAD.', {
        headers: { Allow: 'GET, HEAD' },
      });
    send(exchange, answerOf(file, request.headers));
    return true;
  };
};
