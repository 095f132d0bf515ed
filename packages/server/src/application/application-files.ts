import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, gzip, gzipSync } from 'node:zlib';

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
