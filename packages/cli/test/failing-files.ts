import { promises } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Makes a call of the file system fail with a code for paths that match: root has no permission that a test could take away, and
 * a full disk is not at hand. Returns how to end that.
 */
export const failingFiles = (call: 'open' | 'readFile', meant: RegExp, code: string): (() => void) => {
  const original = promises[call] as (...parameters: readonly unknown[]) => Promise<unknown>;
  const replace = (by: typeof original): void => {
    Object.assign(promises, { [call]: by });
    syncBuiltinESMExports();
  };
  replace(async (path, ...rest) => {
    if (meant.test(String(path))) throw Object.assign(new Error(`${code}: ${call} ${path}`), { code });
    return original(path, ...rest);
  });
  return () => replace(original);
};
