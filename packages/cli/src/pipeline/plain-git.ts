import { askGit } from '../git/run-git.js';
import { noFilters } from '../git/user-settings.js';
import type { World } from '../world.js';
import type { Claims } from './claim.js';

const TIME_LIMIT_MS = 5_000;

/** What git says of the folder; undefined outside of a repository and before its first commit. */
export const plainGit = async (world: World): Promise<Claims | undefined> => {
  const ask = (...words: readonly string[]) => askGit(world, words, { limitMs: TIME_LIMIT_MS });
  const commit = await ask('rev-parse', '--verify', 'HEAD');
  if (commit === undefined) return undefined;
  // Files are read through filters, and submodules by their own settings; neither is needed to see a change.
  const settings = await noFilters(world, world.folder);
  const look = ['status', '--porcelain', '--untracked-files=no', '--ignore-submodules=dirty'];
  const [branch, changes] = await Promise.all([
    ask('symbolic-ref', '--quiet', '--short', 'HEAD'),
    askGit(world, look, { limitMs: TIME_LIMIT_MS, settings }),
  ]);
  return {
    system: 'git',
    commit: [{ name: 'git rev-parse HEAD', value: commit }],
    branch: branch ? [{ name: 'git symbolic-ref HEAD', value: branch }] : [],
    url: [],
    attempt: [],
    actor: [],
    notes: changes ? ['The work tree has changes that are in no commit.'] : [],
  };
};
