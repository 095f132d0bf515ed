import { execFile } from 'node:child_process';
import type { World } from '../world.js';
import type { Claims } from './claim.js';

const TIME_LIMIT_MS = 5_000;

/** What git answers, trimmed; undefined when it fails, is missing or takes too long. */
const ask = ({ env, folder }: World, ...words: readonly string[]): Promise<string | undefined> =>
  new Promise((resolve) => {
    // A repository's settings must not start programs just because it is looked at.
    const all = ['-c', 'core.fsmonitor=false', ...words];
    const options = { cwd: folder, env: { ...env, GIT_OPTIONAL_LOCKS: '0' }, timeout: TIME_LIMIT_MS };
    execFile('git', all, options, (error, stdout) => resolve(error === null ? stdout.trim() : undefined));
  });

/** What git says of the folder; undefined outside of a repository and before its first commit. */
export const plainGit = async (world: World): Promise<Claims | undefined> => {
  const commit = await ask(world, 'rev-parse', '--verify', 'HEAD');
  if (commit === undefined) return undefined;
  const [branch, changes] = await Promise.all([
    ask(world, 'symbolic-ref', '--quiet', '--short', 'HEAD'),
    ask(world, 'status', '--porcelain', '--untracked-files=no'),
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
