import type { World } from '../world.js';
import type { GitSetting } from './git-environment.js';
import { runGit } from './run-git.js';

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
