import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { usageFailure } from '../failure.js';
import type { World } from '../world.js';
import { exposuresOf } from './exposure.js';
import { findRepositoryFile, userFile } from './find-files.js';
import { readSettingsFile, type SettingsFile } from './settings-file.js';
import { type Found, firstFound } from './source.js';
import { type KeyCandidate, mayMeet, serverAddress } from './trust.js';

/** What was found, where, and what was left aside. */
export interface Settings {
  readonly apiUrl: Found<string> | undefined;
  readonly apiKey: Found<string> | undefined;
  readonly app: Found<string> | undefined;
  /** Whether the person's own settings let keys go over plain http to other machines. */
  readonly allowInsecureHttp: boolean;
  /** One line for each setting that was found and not used, with the reason. */
  readonly leftAside: readonly string[];
  /** What lets a key that was found go to the address; undefined unless one was left aside. */
  readonly keyFix: string | undefined;
  /** One line for each danger, with its fix. */
  readonly warnings: readonly string[];
}

/** What the command line says. */
export interface SettingFlags {
  readonly apiUrl?: string | undefined;
  readonly app?: string | undefined;
}

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
    throw usageFailure(`SHIPWORTHY_API_KEY_FILE names ${path}, which cannot be read (${error.code ?? error.message}).`);
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

/** What lets a key go to an address that its own source does not name. */
const fixFor = (key: Found<string>, address: string, path: string, user: SettingsFile | undefined): string => {
  const trusted = `"trusted_addresses": ${JSON.stringify([...(user?.trustedAddresses ?? []), address])}`;
  const written = user === undefined ? `write {${trusted}} into ${path}` : `set ${trusted} in ${path}`;
  const orSet = key.source.kind === 'environment' ? `, or set SHIPWORTHY_API_URL to ${address}` : '';
  return `If that server is to get the key, ${written}${orSet}.`;
};

/**
 * Finds the settings; for each the first source that has it wins: flag, environment, repository's file, user's file. Of the keys
 * of files the first one that may meet the address wins; one of the environment is used or none is. Failure (exit 2) for a file that cannot be understood.
 */
export const readSettings = async (world: World, flags: SettingFlags): Promise<Settings> => {
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
    if (apiUrl === undefined || mayMeet(candidate, apiUrl, user?.trustedAddresses ?? [])) apiKey ??= candidate.key;
    else {
      leftAside.push(
        `the key of ${source.name}: it is not sent to ${apiUrl.value}, which ${apiUrl.source.name} names. List the address under trusted_addresses in ${userFile(world)} if you trust it.`,
      );
      keyFix ??= fixFor(candidate.key, apiUrl.value, userFile(world), user);
    }
  }
  const given = candidates[0]?.key;
  // Whoever gives a key wants that key's server: another one's gate, named by a stranger's fork, may say anything.
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
