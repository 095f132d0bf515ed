import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { parsedUrl } from '@shipworthy/client/contract';
import { Failure, reasonOf, usageFailure } from './failure.js';
import { runGit } from './git/run-git.js';
import type { World } from './world.js';

/** The settings with their sources, and those that were ignored. */
export interface CommandSettings {
  readonly apiUrl: Found<string> | undefined;
  readonly apiKey: Found<string> | undefined;
  readonly app: Found<string> | undefined;
  /** Whether the person's own settings let keys go over plain http to other machines. */
  readonly allowInsecureHttp: boolean;
  /** One line for each setting that was found and not used, with the reason. */
  readonly leftAside: readonly string[];
  /** How to allow a found key for this address; undefined unless one was ignored. */
  readonly keyFix: string | undefined;
  /** One line for each danger, with its fix. */
  readonly warnings: readonly string[];
}

/** The flags of the command line. */
interface SettingFlags {
  readonly apiUrl?: string | undefined;
  readonly app?: string | undefined;
}

/** The variable that tells a nested `shipworthy` why it finds no key. */
export const KEY_WITHHELD = 'SHIPWORTHY_KEY_WITHHELD';

const inEnvironment = ({ env }: World, name: string): Found<string> | undefined => {
  const value = env[name];
  return value ? { value, source: { kind: 'environment', name } } : undefined;
};

const keyFromFile = async (
  world: World,
): Promise<{ readonly key: Found<string>; readonly path: string } | undefined> => {
  const named = inEnvironment(world, 'SHIPWORTHY_API_KEY_FILE');
  if (named === undefined) return undefined;
  const path = isAbsolute(named.value) ? named.value : join(world.folder, named.value);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usageFailure(`SHIPWORTHY_API_KEY_FILE names ${path}, which cannot be read (${reasonOf(error)}).`);
  });
  if (text.trim() === '') throw usageFailure(`SHIPWORTHY_API_KEY_FILE names ${path}, which is empty.`);
  return { key: { value: text.trim(), source: named.source }, path };
};

const member = (file: SettingsFile | undefined, name: 'apiUrl' | 'apiKey' | 'app'): Found<string> | undefined => {
  const value = file?.[name];
  return file === undefined || value === undefined ? undefined : { value, source: file.source };
};

/** Whether this runs in a CI system, where a repository's file may come from a stranger's fork. */
export const isCi = ({ env }: Pick<World, 'env'>): boolean => {
  const said = (env.CI ?? '').toLowerCase();
  return (said !== '' && said !== 'false' && said !== '0') || Boolean(env.TF_BUILD || env.JENKINS_URL);
};

/** How to allow a key for an address that its own source does not name. */
const fixFor = (key: Found<string>, address: string, path: string, user: SettingsFile | undefined): string => {
  const trusted = `"trusted_addresses": ${JSON.stringify([...(user?.trustedAddresses ?? []), address])}`;
  const written = user === undefined ? `write {${trusted}} into ${path}` : `set ${trusted} in ${path}`;
  const orSet = key.source.kind === 'environment' ? `, or set SHIPWORTHY_API_URL to ${address}` : '';
  return `If that server is to get the key, ${written}${orSet}.`;
};

/**
 * Finds the settings; for each the first source that has it wins: flag, environment, repository's file, user's file. Of
 * the keys in files the first one that may be sent to the address wins; where the environment has a key, that one is
 * used or none. Failure (exit 2) for a file that cannot be understood.
 */
export const readSettings = async (world: World, flags: SettingFlags): Promise<CommandSettings> => {
  const warnings: string[] = [];
  const leftAside: string[] = [];
  const warn = (line: string) => warnings.push(line);
  const repositoryPath = findRepositoryFile(world.folder);
  const [repository, user, fileKey] = await Promise.all([
    repositoryPath === undefined ? undefined : readSettingsFile(repositoryPath, 'repository_file', warn),
    readSettingsFile(userFile(world), 'user_file', warn),
    keyFromFile(world),
  ]);
  const flag = (value: string | undefined, name: string): Found<string> | undefined =>
    value === undefined ? undefined : { value, source: { kind: 'flag', name } };

  const repositoryUrl = isCi(world) ? undefined : member(repository, 'apiUrl');
  const environmentUrl = inEnvironment(world, 'SHIPWORTHY_API_URL');
  const named = firstFound(flag(flags.apiUrl, '--api-url'), environmentUrl, repositoryUrl, member(user, 'apiUrl'));
  const apiUrl = named && { ...named, value: serverAddress(named.value) };
  if (repository?.apiUrl !== undefined && repositoryUrl === undefined)
    leftAside.push(`api_url of ${repository.source.name}: in CI a repository's file never sets the address.`);

  const candidates = [
    { key: inEnvironment(world, 'SHIPWORTHY_API_KEY') ?? fileKey?.key, beside: environmentUrl?.value },
    { key: member(repository, 'apiKey'), beside: repositoryUrl?.value },
    { key: member(user, 'apiKey'), beside: user?.apiUrl },
  ].filter((candidate): candidate is KeyCandidate => candidate.key !== undefined);
  let apiKey: Found<string> | undefined;
  let keyFix: string | undefined;
  for (const candidate of candidates) {
    const { source } = candidate.key;
    if (apiUrl === undefined || maySendKey(candidate, apiUrl, user?.trustedAddresses ?? [])) apiKey ??= candidate.key;
    else {
      leftAside.push(
        `the key of ${source.name}: it is not sent to ${apiUrl.value}, which ${apiUrl.source.name} names. List the address under trusted_addresses in ${userFile(world)} if you trust it.`,
      );
      keyFix ??= fixFor(candidate.key, apiUrl.value, userFile(world), user);
    }
  }
  const given = candidates[0]?.key;
  // A key belongs to one server: an address named by a stranger's fork could answer go to anything.
  if (given?.source.kind === 'environment' && apiKey !== undefined && apiKey !== given) {
    leftAside.push(
      `the key of ${apiKey.source.name}: ${given.source.name} is given. Set SHIPWORTHY_API_URL to the server it is for.`,
    );
    apiKey = undefined;
  }
  const keyFiles = [repository, user].flatMap((file) => (file?.apiKey === undefined ? [] : [file.source.name]));
  for (const path of fileKey === undefined ? keyFiles : [fileKey.path, ...keyFiles])
    warnings.push(...(await exposuresOf(path, world)));
  const app = firstFound(
    flag(flags.app, '--app'),
    inEnvironment(world, 'SHIPWORTHY_APP'),
    member(repository, 'app'),
    member(user, 'app'),
  );
  const allowInsecureHttp = user?.allowInsecureHttp ?? false;
  return { apiUrl, apiKey, app, allowInsecureHttp, leftAside, keyFix, warnings };
};

/** What `.shipworthy.json` of a repository, or the user's settings file, may hold. */
interface SettingsFile {
  readonly source: Source;
  readonly apiUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly app: string | undefined;
  /** From the user's file only: addresses to which keys may be sent, named by any source. */
  readonly trustedAddresses: readonly string[];
  /** User's file only: whether keys may go over plain http to other machines. */
  readonly allowInsecureHttp: boolean;
}

const MEMBERS = ['api_url', 'api_key', 'app', 'trusted_addresses', 'allow_insecure_http'];

/** The largest settings file that is read, in bytes. */
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
    // Some editors begin a file with a byte order mark.
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

/**
 * Reads a settings file; undefined when there is none. Failure (exit 2) naming the file when it is not valid; names
 * unknown members by `warn`.
 */
const readSettingsFile = async (
  path: string,
  kind: 'repository_file' | 'user_file',
  warn: (line: string) => void,
): Promise<SettingsFile | undefined> => {
  const text = await readText(path).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof Failure) throw error;
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw wrong(path, `cannot be read (${reasonOf(error)}).`);
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

/** The settings file a repository folder may hold. */
export const REPOSITORY_FILE = '.shipworthy.json';

/** The nearest folder from `folder` upwards that holds a git repository; undefined outside of one. */
export const repositoryFolder = (folder: string): string | undefined => {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
};

/** The nearest `.shipworthy.json` from `folder` up to the root of its repository, never beyond; undefined when none is there. */
const findRepositoryFile = (folder: string): string | undefined => {
  const root = repositoryFolder(folder) ?? folder;
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, REPOSITORY_FILE);
    if (existsSync(path)) return path;
    if (at === root) return undefined;
  }
};

const configFolder = ({ env, home, platform }: Pick<World, 'env' | 'home' | 'platform'>): string => {
  const set = platform === 'win32' ? env.APPDATA : env.XDG_CONFIG_HOME;
  // The XDG base directory specification: a relative path is to be ignored.
  if (set && isAbsolute(set)) return set;
  return platform === 'win32' ? join(home, 'AppData', 'Roaming') : join(home, '.config');
};

/** Where the user's settings file is, or would be. */
export const userFile = (world: Pick<World, 'env' | 'home' | 'platform'>): string =>
  join(configFolder(world), 'shipworthy', 'settings.json');

/** Where a setting came from. */
export interface Source {
  readonly kind: 'flag' | 'environment' | 'repository_file' | 'user_file';
  /** Where a person finds it: `--api-url`, `SHIPWORTHY_API_KEY`, the path of a file. */
  readonly name: string;
}

/** A setting and where it was found. */
export interface Found<Value> {
  readonly value: Value;
  readonly source: Source;
}

/** The first one that was found. */
const firstFound = <Value>(...candidates: readonly (Found<Value> | undefined)[]): Found<Value> | undefined =>
  candidates.find((candidate) => candidate !== undefined);

/** The address of the server: without `/api` at its end, which is the address of the API. Any other address stays. */
const serverAddress = (given: string): string => given.replace(/(?<=[^/])\/api\/*$/, '');

/** An address as it is compared: origin and path, without `/api` or a closing slash; the text itself when it is no address. */
export const comparable = (address: string): string => {
  const url = parsedUrl(serverAddress(address));
  if (url === undefined) return address;
  const { origin, pathname } = url;
  return origin + pathname.replace(/\/+$/, '');
};

/** A key, the address its own source names beside it, and the addresses the user trusts. */
interface KeyCandidate {
  readonly key: Found<string>;
  readonly beside: string | undefined;
}

/**
 * Whether the key may be sent to the address. It may where both come from one source, where the key's source names that
 * very address, where the user's settings list it, and where the environment gives the key and no repository's file the
 * address. An address that only a repository's file names gets no key: anybody who can change it could collect keys.
 */
const maySendKey = (
  { key, beside }: KeyCandidate,
  address: Found<string>,
  trustedAddresses: readonly string[],
): boolean => {
  const wanted = comparable(address.value);
  if (key.source.name === address.source.name) return true;
  if (beside !== undefined && comparable(beside) === wanted) return true;
  if (trustedAddresses.some((trusted) => comparable(trusted) === wanted)) return true;
  return key.source.kind === 'environment' && address.source.kind !== 'repository_file';
};

const isTracked = async (path: string, { env }: Pick<World, 'env'>): Promise<boolean> => {
  const words = ['ls-files', '--error-unmatch', '--', basename(path)];
  return (await runGit({ env, folder: dirname(path) }, words, { limitMs: 5_000 })).exit === 0;
};

/** Why a file that holds a key is not a safe place, one line each with its fix; none when it is. */
const exposuresOf = async (path: string, world: Pick<World, 'env' | 'platform'>): Promise<readonly string[]> => {
  const [tracked, mode] = await Promise.all([
    isTracked(path, world),
    stat(path).then(
      (found) => found.mode,
      () => 0,
    ),
  ]);
  return [
    ...(tracked
      ? [
          `${path} holds a key and is tracked by git: git rm --cached ${basename(path)}, add it to .gitignore, and replace the key.`,
        ]
      : []),
    // Windows answers made-up modes.
    ...(world.platform !== 'win32' && (mode & 0o077) !== 0
      ? [`${path} holds a key and others can read it: chmod 600 ${path}`]
      : []),
  ];
};
