import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

const isTracked = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const arguments_ = ['ls-files', '--error-unmatch', '--', basename(path)];
    execFile('git', arguments_, { cwd: dirname(path), timeout: 5_000 }, (error) => resolve(error === null));
  });

/** Why a file that holds a key is not a safe place, one line each with its fix; none when it is. */
export const exposuresOf = async (path: string, platform: NodeJS.Platform): Promise<readonly string[]> => {
  const [tracked, mode] = await Promise.all([
    isTracked(path),
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
    ...(platform !== 'win32' && (mode & 0o077) !== 0
      ? [`${path} holds a key and others can read it: chmod 600 ${path}`]
      : []),
  ];
};
