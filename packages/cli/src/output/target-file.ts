import { existsSync, lstatSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { Failure, reasonOf, usageFailure } from '../failure.js';

/**
 * Whether the path exists, also as a link that leads nowhere. False where it cannot be looked at: reading or writing it
 * then reports why.
 */
const isThere = (path: string): boolean => {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
};

/**
 * Checks that a path leads to a place in the folder, and not into `.git`. A cloned repository may hold links to any
 * place on this machine, also to files that are not there yet. Failure (exit 2).
 */
export const requireInside = (folder: string, path: string): void => {
  let nearest = join(folder, path);
  while (!isThere(nearest)) nearest = dirname(nearest);
  const inside = existsSync(nearest) ? relative(realpathSync(folder), realpathSync(nearest)).split(sep) : ['..'];
  const ofGit = inside.some((part) => part.toLowerCase() === '.git');
  if (ofGit)
    throw usageFailure(`${path} leads into .git: name another place, or remove the symbolic link that leads there.`);
  if (inside[0] === '..' || isAbsolute(inside.join(sep)))
    throw usageFailure(`${path} is a symbolic link that leads out of this folder, or nowhere: remove the link first.`);
};

const hasOtherNames = (path: string): boolean => {
  const found = statSync(path);
  return found.isFile() && found.nlink > 1;
};

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way.split(sep)[0] !== '..' && !isAbsolute(way);
};

/** The folders that others may have filled: each repository that contains the path, and the folder the command was started in. */
const foldersOfOthers = (started: string, path: string): readonly string[] => {
  const found = isBelow(started, path) ? [started] : [];
  for (let at = dirname(path); ; at = dirname(at)) {
    // Not only the nearest: a link may lead to a folder that is a repository itself.
    if (existsSync(join(at, '.git'))) found.push(at);
    if (dirname(at) === at) return found;
  }
};

/**
 * Makes a path that a person named safe to write to. Failure (exit 2) where a link in a repository leads elsewhere. A
 * file with a second name (a hard link) is removed, so that writing does not change the other. Outside of repositories
 * and `started` all is allowed.
 */
export const clearTarget = (started: string, path: string): void => {
  const folders = foldersOfOthers(started, path);
  try {
    for (const folder of folders) requireInside(folder, relative(folder, path));
    if (folders.length > 0 && existsSync(path) && hasOtherNames(path)) rmSync(realpathSync(path));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw usageFailure(`${path} cannot be written (${reasonOf(error)}).`);
  }
};
