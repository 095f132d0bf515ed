import { readFile, stat } from 'node:fs/promises';
import { Failure, usageFailure } from '../failure.js';
import type { Source } from './source.js';

/** What `.shipworthy.json` of a repository, or the user's settings file, may hold. */
export interface SettingsFile {
  readonly source: Source;
  readonly apiUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly app: string | undefined;
  /** User's file only: addresses to which keys may go, whichever source named the address. */
  readonly trustedAddresses: readonly string[];
  /** User's file only: whether keys may go over plain http to other machines. */
  readonly allowInsecureHttp: boolean;
}

const MEMBERS = ['api_url', 'api_key', 'app', 'trusted_addresses', 'allow_insecure_http'];

/** No settings are longer, in bytes. */
const LONGEST = 1_048_576;

const wrong = (path: string, what: string): Failure =>
  usageFailure(`${path} ${what}`, 'Correct the file or remove it.');

const textMember = (path: string, members: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = members[name];
  if (value === undefined || (typeof value === 'string' && value !== '')) return value;
  throw wrong(path, `holds an ${name} that is no text.`);
};

const addressesIn = (path: string, members: Readonly<Record<string, unknown>>): readonly string[] => {
  const value = members.trusted_addresses ?? [];
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw wrong(path, 'holds trusted_addresses that are no list of texts.');
};

const flagIn = (path: string, members: Readonly<Record<string, unknown>>): boolean => {
  const value = members.allow_insecure_http ?? false;
  if (typeof value === 'boolean') return value;
  throw wrong(path, 'holds an allow_insecure_http that is neither true nor false.');
};

const parse = (path: string, text: string): Readonly<Record<string, unknown>> => {
  let parsed: unknown;
  try {
    // An editor's byte order mark is no fault of the person.
    parsed = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    // The parser's own message quotes the text, and the text may hold a key.
    throw wrong(path, 'is not JSON.');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw wrong(path, 'holds no JSON object.');
  return parsed as Readonly<Record<string, unknown>>;
};

// A repository may hold a link to a pipe or a device, which would be read for ever.
const readText = async (path: string): Promise<string> => {
  const found = await stat(path);
  if (!found.isFile()) throw wrong(path, 'is no file.');
  if (found.size > LONGEST) throw wrong(path, 'is longer than 1 MiB.');
  return readFile(path, 'utf8');
};

/** Reads a settings file; undefined when there is none. Failure (exit 2) naming the file when it is not one; unknown members by `warn`. */
export const readSettingsFile = async (
  path: string,
  kind: 'repository_file' | 'user_file',
  warn: (line: string) => void,
): Promise<SettingsFile | undefined> => {
  const text = await readText(path).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof Failure) throw error;
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw wrong(path, `cannot be read (${error.code ?? error.message}).`);
  });
  if (text === undefined) return undefined;
  const members = parse(path, text);
  if (kind === 'repository_file' && members.allow_insecure_http !== undefined)
    warn(`${path} holds allow_insecure_http, which is a setting of the person: it is left aside.`);
  const unknown = Object.keys(members).filter((name) => !MEMBERS.includes(name));
  if (unknown.length > 0)
    warn(`${path} holds what is not known: ${unknown.join(', ')} (known: ${MEMBERS.join(', ')}).`);
  return {
    source: { kind, name: path },
    apiUrl: textMember(path, members, 'api_url'),
    apiKey: textMember(path, members, 'api_key'),
    app: textMember(path, members, 'app'),
    trustedAddresses: kind === 'user_file' ? addressesIn(path, members) : [],
    allowInsecureHttp: kind === 'user_file' && flagIn(path, members),
  };
};
