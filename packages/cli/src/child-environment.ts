import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join, parse } from 'node:path';
import type { World } from './world.js';

type Env = World['env'];

// Windows takes any case of a name for the same.
const KEY = /^SHIPWORTHY_API_KEY(_FILE)?$/i;
const PATH = /^PATH$/i;

/** The environment without the API key, which nothing that is started needs. */
export const withoutKey = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !KEY.test(name)));

const isOwn = (folder: string): boolean => isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder);

const ownFolders = (path: string): string => {
  const own = path.split(delimiter).filter(isOwn);
  // An empty PATH means the current folder.
  return own.length === 0 ? parse(process.execPath).root : own.join(delimiter);
};

/**
 * The environment for programs of the machine, such as git, that read a repository of another person: without the key, and with
 * no folder of a repository in PATH. npm and npx put `node_modules/.bin` before the others, in which any dependency may have a
 * `git`.
 */
export const ownEnvironment = (env: Env): Env =>
  Object.fromEntries(
    Object.entries(withoutKey(env)).map(([name, value]) => [
      name,
      value !== undefined && PATH.test(name) ? ownFolders(value) : value,
    ]),
  );

/**
 * What to start for the name of a program; undefined where there is none. On Windows it is looked up here: the system would
 * take one in the current folder first, which may be anybody's.
 */
export const programAt = (name: string, env: Env, platform: NodeJS.Platform = process.platform): string | undefined => {
  if (platform !== 'win32' || isAbsolute(name)) return name;
  const path = Object.entries(env).find(([variable]) => PATH.test(variable))?.[1] ?? '';
  const files = name.includes('.') ? [name] : [`${name}.exe`, `${name}.com`];
  const places = path.split(';').filter(isOwn);
  return places.flatMap((folder) => files.map((file) => join(folder, file))).find((place) => existsSync(place));
};
