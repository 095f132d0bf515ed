import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { World } from '../world.js';

/** The settings file a repository folder may hold. */
export const REPOSITORY_FILE = '.shipworthy.json';

/** The nearest folder from `folder` upwards that holds a git repository; undefined outside of one. */
export const repositoryFolder = (folder: string): string | undefined => {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
};

/** The nearest `.shipworthy.json` from `folder` up to the root of its repository, never beyond; undefined when none is there. */
export const findRepositoryFile = (folder: string): string | undefined => {
  const root = repositoryFolder(folder) ?? folder;
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, REPOSITORY_FILE);
    if (existsSync(path)) return path;
    if (at === root) return undefined;
  }
};

const configFolder = ({ env, home, platform }: Pick<World, 'env' | 'home' | 'platform'>): string => {
  const set = platform === 'win32' ? env.APPDATA : env.XDG_CONFIG_HOME;
  // The XDG base directory specification: a relative path is to be ignored.
  if (set && isAbsolute(set)) return set;
  return platform === 'win32' ? join(home, 'AppData', 'Roaming') : join(home, '.config');
};

/** Where the user's settings file is, or would be. */
export const userFile = (world: Pick<World, 'env' | 'home' | 'platform'>): string =>
  join(configFolder(world), 'shipworthy', 'settings.json');
