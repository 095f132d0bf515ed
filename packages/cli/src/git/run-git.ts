import type { World } from '../world.js';
import { type GitSetting, gitEnvironment } from './git-environment.js';
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
