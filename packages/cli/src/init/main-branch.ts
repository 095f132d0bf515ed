import { askGit } from '../git/run-git.js';
import type { World } from '../world.js';

const REMOTE = 'origin/';

/** The branch releases are made from: what the remote says, else the usual name that is there, else `main`. */
export const mainBranch = async (world: World): Promise<string> => {
  const remote = await askGit(world, ['symbolic-ref', '--short', 'refs/remotes/origin/HEAD']);
  if (remote?.startsWith(REMOTE)) return remote.slice(REMOTE.length);
  const usual = await askGit(world, [
    'for-each-ref',
    '--format=%(refname:short)',
    'refs/heads/main',
    'refs/heads/master',
  ]);
  return usual?.split('\n')[0] ?? 'main';
};
