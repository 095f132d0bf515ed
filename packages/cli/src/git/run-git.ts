import { devNull } from 'node:os';
import { parse } from 'node:path';
import { ownEnvironment, type ProgramEnd, runProgram } from '../run-program.js';
import type { World } from '../world.js';

interface GitOptions {
  /** The folder the command was started in, unless given. */
  readonly folder?: string | undefined;
  readonly input?: string | undefined;
  /** 10 seconds unless given. */
  readonly limitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Settings of git for this command only. */
  readonly settings?: readonly GitSetting[] | undefined;
  /** Whether git may reach a host; given only through `runOwnGit`, which uses the user's own settings. */
  readonly hosts?: boolean | undefined;
  /** Whether git is asked for the folder of its hooks; for every other question hooks are switched off. */
  readonly namesHooks?: boolean | undefined;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/**
 * A repository may come from another person: its settings must start no program when it is read, and a folder in a work tree
 * that only looks like a repository is not treated as one.
 */
const GUARDED = [
  ...['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit'],
  ...['-c', 'log.showSignature=false'],
];
/** Removes the credential helpers of every configuration file; the caller's settings come after it. */
const NO_HELPERS: GitSetting = ['credential.helper', ''];
const NO_HOOKS = ['-c', 'core.hooksPath=/dev/null'];

/**
 * Runs git so that it starts no program that a repository names, asks no person, changes nothing by looking, and ends
 * in time. Never rejects; `fault` is `ENOENT` where git is not installed.
 */
export const runGit = (
  world: Pick<World, 'env' | 'folder'>,
  words: readonly string[],
  { folder = world.folder, input, limitMs = 10_000, signal, settings, env, hosts, namesHooks = false }: GitOptions = {},
): Promise<ProgramEnd> =>
  runProgram(['git', ...GUARDED, ...(namesHooks ? [] : NO_HOOKS), ...words], {
    folder,
    env: { ...gitEnvironment(world.env, [NO_HELPERS, ...(settings ?? [])], hosts), ...env },
    input,
    limitMs,
    signal,
  });

/** Runs git and returns what it printed, without blanks at the end; undefined when that is nothing or git fails. */
export const readGitOutput = async (
  world: Pick<World, 'env' | 'folder'>,
  words: readonly string[],
  options: GitOptions = {},
): Promise<string | undefined> => {
  return successfulOutput(await runGit(world, words, options));
};

/** What git printed on success, without blanks at the end; undefined when that is nothing or git failed. */
export const successfulOutput = ({ exit, stdout }: ProgramEnd): string | undefined => {
  const line = stdout.trimEnd();
  return exit === 0 && line !== '' ? line : undefined;
};

/**
 * The variables of git that are handed on: how it reaches a host, where the user's own settings are, and where its programs
 * are. All others lead it to another repository, index or worktree, start programs, or make it tell secrets.
 */
const HANDED_ON =
  /^GIT_(SSL_.*|HTTP_.*|PROXY_SSL_.*|SSH|SSH_COMMAND|SSH_VARIANT|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM|CONFIG_(COUNT|(KEY|VALUE)_\d+)|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|EXEC_PATH)$/;

/** A setting of git: its name and its value. A name may come more than once. */
export type GitSetting = readonly [name: string, value: string];

/** The variables that give git settings for one command only; git reads them since 2.31. */
const settingsIn = (env: World['env'], settings: readonly GitSetting[]): Readonly<Record<string, string>> => {
  const first = Number(env.GIT_CONFIG_COUNT ?? 0) || 0;
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(first + settings.length)],
    ...settings.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${first + index}`, name],
      [`GIT_CONFIG_VALUE_${first + index}`, value],
    ]),
  ]);
};

/**
 * The environment git is run in: the user's own without the API key and the programs of a repository, of git's variables only those
 * above, in one language, with every way of asking a person closed, and reaching no host unless `hosts`.
 */
export const gitEnvironment = (
  env: World['env'],
  settings: readonly GitSetting[] = [],
  hosts = false,
): Readonly<Record<string, string | undefined>> => ({
  ...Object.fromEntries(
    Object.entries(ownEnvironment(env)).filter(([name]) => !/^GIT_/i.test(name) || HANDED_ON.test(name)),
  ),
  LC_ALL: 'C',
  LANGUAGE: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
  GIT_OPTIONAL_LOCKS: '0',
  // Without this, git fetches by itself what a partial clone lacks, by programs that the repository names.
  GIT_ALLOW_PROTOCOL: hosts ? 'http:https:ssh' : 'none',
  ...settingsIn(env, settings),
});

type Where = Pick<World, 'env' | 'folder'>;

/** Git's settings about hosts: credentials, proxies and trusted authorities. */
export interface HostSettings {
  /** The user's and the system's own, in git's order. */
  readonly own: readonly GitSetting[];
  /** Settings in the `.git/config` of the repository, which its author may have written. They are shown and never used. */
  readonly ofRepository: readonly GitSetting[];
}

/** The scopes of git whose settings only the user or the system can write. */
const OWN_SCOPES = new Set(['system', 'global', 'command']);

const OF_HOSTS =
  '^((http|url|credential|protocol|ssh)\\..*|core\\.(sshcommand|gitproxy|askpass)|remote\\..*\\.(proxy|proxyauthmethod|vcs))$';

/** Reads the settings about hosts that apply in the folder, sorted by owner; follows `includeIf` of the user's own. */
export const readHostSettings = async (world: Where, folder: string): Promise<HostSettings> => {
  const words = ['config', '-z', '--show-scope', '--get-regexp', OF_HOSTS];
  const parts = (await runGit(world, words, { folder })).stdout.split('\0').slice(0, -1);
  const all = parts.flatMap((entry, place) => {
    if (place % 2 === 0) return [];
    const end = entry.indexOf('\n');
    // A setting without a value is one that is switched on.
    const setting: GitSetting = end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
    return [{ setting, own: OWN_SCOPES.has(parts[place - 1] ?? '') }];
  });
  const own = all.flatMap(({ setting, own }) => (own ? [setting] : []));
  // The last one is NO_HELPERS, which `runGit` added for this question.
  const last = own.findLastIndex(([name]) => name === NO_HELPERS[0]);
  return {
    own: own.filter((_, place) => place !== last),
    ofRepository: all.flatMap(({ setting, own }) => (own ? [] : [setting])),
  };
};

/** Resets the headers before the user's own are given again, so that none counts twice. */
const NO_HEADERS: GitSetting = ['http.extraHeader', ''];

/**
 * Runs git outside of any repository, with the user's own settings about hosts: for everything that decides where a
 * credential goes. Settings of the current folder about proxies, addresses, authorities and helpers are not read.
 */
export const runOwnGit = (
  world: Where,
  own: readonly GitSetting[],
  words: readonly string[],
  { settings = [], env, ...options }: Omit<GitOptions, 'folder'> = {},
): Promise<ProgramEnd> =>
  runGit(world, words, {
    ...options,
    // A relative path in a setting must not lead into the repository either.
    folder: parse(world.folder).root,
    settings: [NO_HEADERS, ...own, ...settings],
    env: { ...env, GIT_DIR: devNull },
  });

/** The settings that switch off every filter of files, so that git reads files as they are. */
export const noFilters = async (world: Where, folder: string): Promise<readonly GitSetting[]> => {
  const words = ['config', '-z', '--name-only', '--get-regexp', '^filter\\..*\\.(clean|smudge|process)$'];
  const names = (await runGit(world, words, { folder })).stdout.split('\0').slice(0, -1);
  const drivers = new Set(names.map((name) => name.replace(/\.[^.]*$/, '')));
  return [...drivers].flatMap((driver): GitSetting[] => [
    ...(['clean', 'smudge', 'process'] as const).map((part): GitSetting => [`${driver}.${part}`, '']),
    [`${driver}.required`, 'false'],
  ]);
};
