import type { World } from '../world.js';
import { type ProgramEnd, runProgram } from './run-program.js';

export interface GitOptions {
  /** The folder the command was started in, unless given. */
  readonly folder?: string | undefined;
  readonly input?: string | undefined;
  /** 10 seconds unless given. */
  readonly limitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Settings of git for this command only. */
  readonly settings?: readonly GitSetting[] | undefined;
  /** Whether it may reach a host, which then needs `userSshCommand` and the user's credential helpers. */
  readonly hosts?: boolean | undefined;
  /** Whether git is only asked where its hooks are, which it is not told is nowhere then. */
  readonly namesHooks?: boolean | undefined;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/**
 * A repository is somebody else's: its settings start no program because it is looked at, and a folder in a work tree that
 * only looks like a repository is none.
 */
const GUARDED = [
  ...['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit'],
  ...['-c', 'log.showSignature=false'],
];
/** Takes back the helpers of every file; the caller's settings come behind it. */
const NO_HELPERS: GitSetting = ['credential.helper', ''];
const NO_HOOKS = ['-c', 'core.hooksPath=/dev/null'];

/** Runs git so that it starts nothing that a repository names, never asks, never changes anything by looking, and ends in time. Never rejects; `fault` is `ENOENT` without git. */
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

/** What git answers in one line; undefined where it answers nothing or fails. */
export const askGit = async (
  world: Pick<World, 'env' | 'folder'>,
  words: readonly string[],
  options: GitOptions = {},
): Promise<string | undefined> => {
  const { exit, stdout } = await runGit(world, words, options);
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

/** Settings for one command only; git knows the variables since 2.31. */
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
 * The environment git is run in: the user's own, of git's variables only those above, in one language, with every way of asking a person closed, and reaching no host unless
 * `hosts`.
 */
export const gitEnvironment = (
  env: World['env'],
  settings: readonly GitSetting[] = [],
  hosts = false,
): Readonly<Record<string, string | undefined>> => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !/^GIT_/i.test(name) || HANDED_ON.test(name))),
  LC_ALL: 'C',
  LANGUAGE: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
  GIT_OPTIONAL_LOCKS: '0',
  // Without, git fetches by itself what a partial clone lacks, by programs that the repository names.
  GIT_ALLOW_PROTOCOL: hosts ? 'http:https:ssh' : 'none',
  ...settingsIn(env, settings),
});

type Where = Pick<World, 'env' | 'folder'>;

/** Where a setting stands that came with a repository. */
const OF_REPOSITORY = new Set(['local', 'worktree']);

/** The settings whose names match, in git's order, that are the user's or the system's own: never those of the repository in the folder. */
const userSettings = async (world: Where, folder: string, pattern: string): Promise<readonly GitSetting[]> => {
  const words = ['config', '-z', '--show-scope', '--get-regexp', pattern];
  const parts = (await runGit(world, words, { folder })).stdout.split('\0').slice(0, -1);
  return parts.flatMap((entry, place) => {
    const scope = parts[place - 1] ?? '';
    if (place % 2 === 0 || OF_REPOSITORY.has(scope)) return [];
    const end = entry.indexOf('\n');
    return end < 0 ? [] : [[entry.slice(0, end), entry.slice(end + 1)] as const];
  });
};

/** The user's own credential helpers, as settings for a command that may start them: without, git starts none. */
export const userHelpers = async (world: Where, folder: string): Promise<readonly GitSetting[]> => {
  const helpers = await userSettings(world, folder, '^credential\\.(.*\\.)?helper$');
  // The last one is that by which git was told to start none for this question.
  return helpers.slice(0, -1);
};

/** The user's own `core.sshCommand`; undefined: none is set. */
export const userSshCommand = async (world: Where, folder: string): Promise<string | undefined> =>
  (await userSettings(world, folder, '^core\\.sshcommand$')).at(-1)?.[1] || undefined;

/** Takes every filter of files away, so that git reads them as they are. */
export const noFilters = async (world: Where, folder: string): Promise<readonly GitSetting[]> => {
  const words = ['config', '-z', '--name-only', '--get-regexp', '^filter\\..*\\.(clean|smudge|process)$'];
  const names = (await runGit(world, words, { folder })).stdout.split('\0').slice(0, -1);
  const drivers = new Set(names.map((name) => name.replace(/\.[^.]*$/, '')));
  return [...drivers].flatMap((driver): GitSetting[] => [
    ...(['clean', 'smudge', 'process'] as const).map((part): GitSetting => [`${driver}.${part}`, '']),
    [`${driver}.required`, 'false'],
  ]);
};
