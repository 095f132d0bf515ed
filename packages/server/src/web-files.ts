import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, gzip, gzipSync } from 'node:zlib';
import { type Answer, matchesNone, PAGE_POLICY, type Send } from './http/answer.js';
import { Problem } from './http/problem.js';
import type { Exchange } from './http/request.js';
import { notConnectedPage } from './pages.js';

/** Whether an `Accept` or `Accept-Encoding` header names the very type or coding, and does not forbid it. */
export const accepts = (header: string | undefined, name: string): boolean =>
  (header ?? '').split(',').some((part) => {
    const [named, weight = ''] = part.trim().split(';');
    return named?.trim() === name && !/q=0(\.0*)?$/.test(weight.trim());
  });

/** A file of the application in the browser, in every form it is sent in. */
export interface ApplicationFile {
  readonly contentType: string;
  /** The entity tag, without quotes. */
  readonly tag: string;
  /** Its name changes with its content. */
  readonly lasting: boolean;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
}

/** The files by path, and the page that stands for every screen. */
export interface ApplicationFiles {
  readonly byPath: ReadonlyMap<string, ApplicationFile>;
  readonly page: ApplicationFile;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

const [zip, squeeze] = [promisify(gzip), promisify(brotliCompress)];

const tagOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url').slice(0, 22);

/** The page of a service below a base path: its files are there, and `shipworthy-base` tells the script. */
export const pageBelow = (page: ApplicationFile, basePath: string): ApplicationFile => {
  if (basePath === '') return page;
  const text = page.plain.toString('utf8').replace(/ (href|src|content)="\//g, ` $1="${basePath}/`);
  const plain = Buffer.from(text);
  return { ...page, tag: tagOf(plain), plain, gzip: gzipSync(plain), brotli: brotliCompressSync(plain) };
};

const readOne = async (folder: string, path: string): Promise<ApplicationFile> => {
  const plain = await readFile(join(folder, path));
  return {
    contentType: TYPES[extname(path)] ?? 'application/octet-stream',
    tag: tagOf(plain),
    lasting: path.startsWith('assets/'),
    plain,
    gzip: await zip(plain, { level: 9 }),
    brotli: await squeeze(plain),
  };
};

/** Where the built application is; undefined where it is not installed. */
const builtFolder = (): string | undefined => {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('@shipworthy/web/package.json')), 'dist', 'bundle');
  } catch {
    return undefined;
  }
};

/** Reads the built application into memory; null where there is none. */
export const readApplicationFiles = async (folder = builtFolder()): Promise<ApplicationFiles | null> => {
  if (folder === undefined) return null;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  const files = await Promise.all(paths.map(async (path) => [`/${path}`, await readOne(folder, path)] as const));
  const byPath = new Map(files);
  const page = byPath.get('/index.html');
  if (page === undefined) return null;
  byPath.delete('/index.html');
  return { byPath, page };
};

/** Of whoever comes back from the repository host in a browser and is refused: a page in the place of the problem; null: not so. */
export const returnPage = (
  { operationId, request, requestId, basePath }: Exchange,
  { detail }: Problem,
): Pick<Answer, 'contentType' | 'contentPolicy' | 'body'> | null => {
  if (operationId !== 'finishHostConnection' || !accepts(request.headers.accept, 'text/html')) return null;
  return {
    contentType: 'text/html; charset=utf-8',
    contentPolicy: PAGE_POLICY,
    body: notConnectedPage(detail, requestId, basePath),
  };
};

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
