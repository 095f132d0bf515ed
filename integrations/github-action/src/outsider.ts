import { readFile } from 'node:fs/promises';
import type { World } from '@shipworthy/cli';

const member = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null ? (inner as Readonly<Record<string, unknown>>)[name] : undefined,
    value,
  );

const readEvent = async (path: string | undefined): Promise<unknown> => {
  if (!path) return undefined;
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
};

/**
 * Whether the run is for a pull request that GitHub hands no secrets to: of a fork (also of one that was deleted since), or of
 * Dependabot. No other event is an outsider's: what follows a push may deploy, so a gate without its key fails there.
 */
export const isOutsider = async (env: World['env']): Promise<boolean> => {
  const event = await readEvent(env.GITHUB_EVENT_PATH);
  const base = member(event, 'pull_request', 'base', 'repo', 'full_name');
  if (typeof base !== 'string') return false;
  return env.GITHUB_ACTOR === 'dependabot[bot]' || member(event, 'pull_request', 'head', 'repo', 'full_name') !== base;
};
