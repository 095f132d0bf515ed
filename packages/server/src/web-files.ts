import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, gzip, gzipSync } from 'node:zlib';
import { accepts, answerIfUnchanged, answerProblem, answerWith, PAGE_POLICY, refuseToWrite } from './http/answer.js';
import type { Problem } from './http/problem.js';
import { cookieValue, type RequestContext, type RequestStep } from './http/request.js';
import type { RequestServices } from './http/request-services.js';
import { notConnectedPage } from './pages.js';

/** A file of the application in the browser, in every form it is sent in. */
interface ApplicationFile {
  readonly contentType: string;
  /** The entity tag, without quotes. */
  readonly tag: string;
  /** Whether its name changes with its content, so that browsers may keep it for a year. */
  readonly lasting: boolean;
  readonly plain: Buffer;
  /** null: its format is compressed already. */
  readonly coded: Coded | null;
}

/** A file as it is sent to browsers that take it compressed. */
interface Coded {
  readonly gzip: Buffer;
  readonly brotli: Buffer;
}

/** The files by path, and the one page that is served for every screen. */
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
  '.woff2': 'font/woff2',
};

const COMPRESSED: ReadonlySet<string> = new Set(['.br', '.gz']);

const [zip, squeeze] = [promisify(gzip), promisify(brotliCompress)];

const tagOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url').slice(0, 22);

/** Returns the page with the base path put before its addresses and into `shipworthy-base`, which the script reads. */
const pageBelow = (page: ApplicationFile, basePath: string): ApplicationFile => {
  if (basePath === '') return page;
  const text = page.plain.toString('utf8').replace(/ (href|src|content)="\//g, ` $1="${basePath}/`);
  const plain = Buffer.from(text);
  const coded = { gzip: gzipSync(plain), brotli: brotliCompressSync(plain) };
  return { ...page, tag: tagOf(plain), plain, coded };
};

/** Reads a file and its compressed forms, which the build leaves beside it; makes those that are not there. */
const readOne = async (folder: string, path: string): Promise<ApplicationFile> => {
  const plain = await readFile(join(folder, path));
  const beside = (ending: string) => readFile(join(folder, `${path}${ending}`)).catch(() => null);
  const code = async (): Promise<Coded> => ({
    gzip: (await beside('.gz')) ?? (await zip(plain, { level: 9 })),
    brotli: (await beside('.br')) ?? (await squeeze(plain)),
  });
  return {
    contentType: TYPES[extname(path)] ?? 'application/octet-stream',
    tag: tagOf(plain),
    lasting: path.startsWith('assets/'),
    plain,
    coded: extname(path) === '.woff2' ? null : await code(),
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
    .filter((entry) => entry.isFile() && !COMPRESSED.has(extname(entry.name)))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  const files = await Promise.all(paths.map(async (path) => [`/${path}`, await readOne(folder, path)] as const));
  const byPath = new Map(files);
  const page = byPath.get('/index.html');
  if (page === undefined) return null;
  byPath.delete('/index.html');
  return { byPath, page };
};

/** Answers a refused browser request that comes back from the repository host with a page instead of the problem's JSON. */
export const answerReturned = (ctx: RequestContext, problem: Problem): void => {
  answerProblem(ctx, problem);
  const { operationId, requestId, basePath } = ctx.state;
  if (operationId !== 'finishHostConnection' || !accepts(ctx.headers.accept, 'text/html')) return;
  ctx.state.contentPolicy = PAGE_POLICY;
  answerWith(ctx, ctx.status, 'text/html; charset=utf-8', notConnectedPage(problem.detail, requestId, basePath));
};

/** Only own scripts, styles and calls; nothing of another origin, no inline script, no frame. */
const APPLICATION_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The paths of the service itself, which never get the application's page. */
const SERVICE_PATHS = /^\/(api|livez|readyz|metrics)(\/|$)/;

const ONE_YEAR = 'public, max-age=31536000, immutable';

const codedBody = ({ plain, coded }: ApplicationFile, header: string | undefined): readonly [string | null, Buffer] => {
  if (coded !== null && accepts(header, 'br')) return ['br', coded.brotli];
  if (coded !== null && accepts(header, 'gzip')) return ['gzip', coded.gzip];
  return [null, plain];
};

const answerFile = (ctx: RequestContext, file: ApplicationFile, tag = file.tag): void => {
  Object.assign(ctx.state, {
    cacheControl: file.lasting ? ONE_YEAR : 'no-cache',
    contentPolicy: APPLICATION_POLICY,
  });
  // Depends on these headers: browsers get the page, with `Link` if they have a session; other callers are refused.
  ctx.vary(file.lasting ? 'Accept-Encoding' : 'Accept, Accept-Encoding, Cookie');
  if (answerIfUnchanged(ctx, tag)) return;
  const [coding, body] = codedBody(file, ctx.headers['accept-encoding']);
  if (coding !== null) ctx.set('Content-Encoding', coding);
  answerWith(ctx, 200, file.contentType, body);
};

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** The path of a scorecard is also that of its release below `/api`. */
const SCORECARD = new RegExp(`^(/teams/${ID}/projects/${ID})/releases/${ID}$`);

/**
 * The first calls of the screens on which most visits begin, by the path of their page. They must equal, to the letter,
 * what `portfolio.tsx` and `read-scorecard.tsx` of the application ask for; otherwise browsers ask twice.
 */
const callsOfScreen = (path: string): readonly string[] => {
  if (path === '/') return ['/portfolio?sort=decision&limit=50'];
  const [, project] = SCORECARD.exec(path) ?? [];
  if (project === undefined) return [];
  return ['/whoami', `${path}/readiness`, path, `${path}/waivers`, `${project}/policy`];
};

/** The header `Link` that makes a signed-in person's browser send its first calls while the script is still loading. */
const firstCalls = (basePath: string, path: string, query: string): string =>
  // With a query the screen shows other rows, or the report of another moment.
  ['/about', '/session', ...(query === '' ? callsOfScreen(path) : [])]
    .map((call) => `<${basePath}/api${call}>; rel=preload; as=fetch; crossorigin`)
    .join(', ');

/**
 * Serves the application: its files by their paths, and its page for every address a browser navigates to outside of the
 * service's own paths.
 */
export const serveApplication = (
  files: ApplicationFiles | null,
  { basePath, sessionCookie }: Pick<RequestServices, 'basePath' | 'sessionCookie'>,
): RequestStep => {
  if (files === null) return (_, next) => next();
  const pageHere = pageBelow(files.page, basePath);
  return (ctx, next) => {
    const { path } = ctx.state;
    if (SERVICE_PATHS.test(path)) return next();
    const { accept = '*/*' } = ctx.headers;
    // A probe of `/` that accepts anything gets the page, too.
    const wantsPage = accepts(accept, 'text/html') || (path === '/' && accepts(accept, '*/*'));
    const file = files.byPath.get(path) ?? (wantsPage && !path.startsWith('/assets/') ? pageHere : undefined);
    if (file === undefined) return next();
    ctx.state.operationId = 'application';
    refuseToWrite(ctx);
    if (file !== pageHere || !cookieValue(ctx.headers.cookie ?? '', sessionCookie.name)) return answerFile(ctx, file);
    ctx.set('Link', firstCalls(basePath, path, ctx.querystring));
    // The page with `Link` has its own tag: after a 304 a browser without a session would keep using the header.
    return answerFile(ctx, file, `${file.tag}-s`);
  };
};
