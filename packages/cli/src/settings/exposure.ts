import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { runGit } from '../git/run-git.js';
import type { World } from '../world.js';

const isTracked = async (path: string, { env }: Pick<World, 'env'>): Promise<boolean> => {
  const words = ['ls-files', '--error-unmatch', '--', basename(path)];
  return (await runGit({ env, folder: dirname(path) }, words, { limitMs: 5_000 })).exit === 0;
};

/** Why a file that holds a key is not a safe place, one line each with its fix; none when it is. */
export const exposuresOf = async (path: string, world: Pick<World, 'env' | 'platform'>): Promise<readonly string[]> => {
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
