import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { runGit } from '../../git/run-git.js';
import type { World } from '../../world.js';

/** A repository at one moment: every file of the work tree, ignored ones included, and what git keeps. */
export interface Snapshot {
  /** Size, kind, rights and moments of each file by its path from the root. */
  readonly files: ReadonlyMap<string, string>;
  /** Fingerprints of index, refs, HEAD, stashes, configuration, state. */
  readonly git: ReadonlyMap<string, string>;
}

/** A folder with more files than this is not looked through. */
const MOST_FILES = 500_000;

const filesBelow = async (
  root: string,
  skip: string | undefined,
  found: Map<string, string>,
  at = root,
): Promise<void> => {
  for (const entry of await readdir(at, { withFileTypes: true })) {
    const path = join(at, entry.name);
    if (path === skip) continue;
    const { mode, size, mtimeNs, ctimeNs, ino } = await lstat(path, { bigint: true });
    // A folder's own moments change with every file in it, and those are listed.
    found.set(relative(root, path), entry.isDirectory() ? `${mode}` : [mode, size, mtimeNs, ctimeNs, ino].join());
    if (found.size > MOST_FILES) throw new Error(`there are more than ${MOST_FILES} files`);
    if (entry.isDirectory()) await filesBelow(root, skip, found, path);
  }
};

const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  index: ['ls-files', '--stage', '-v', '-z'],
  refs: ['for-each-ref', '--format=%(refname) %(objectname) %(symref)'],
  HEAD: ['rev-parse', '--symbolic-full-name', 'HEAD'],
  'HEAD (commit)': ['rev-parse', '--verify', '--quiet', 'HEAD'],
  stashes: ['reflog', 'show', '--format=%H', 'refs/stash'],
  configuration: ['config', '--list', '--local', '-z'],
};

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Takes a snapshot of the repository with that root; changes nothing itself. */
export const takeSnapshot = async (world: World, root: string): Promise<Snapshot> => {
  const files = new Map<string, string>();
  await filesBelow(root, join(root, '.git'), files);
  const git = new Map<string, string>();
  for (const [name, words] of Object.entries(QUESTIONS)) {
    const { exit, stdout, timedOut } = await runGit(world, words, { folder: root, limitMs: 60_000 });
    if (timedOut) throw new Error(`git ${words[0]} takes too long here`);
    git.set(name, digest(`${exit} ${stdout}`));
  }
  const hooks = new Map<string, string>();
  const { stdout } = await runGit(world, ['rev-parse', '--git-path', 'hooks'], { folder: root, namesHooks: true });
  await filesBelow(join(root, stdout.trim()), undefined, hooks).catch(() => undefined);
  git.set('hooks', digest(JSON.stringify([...hooks])));
  return { files, git };
};

/** What differs: paths of files first, then what git keeps. */
export const changesBetween = (before: Snapshot, after: Snapshot): readonly string[] =>
  (['files', 'git'] as const).flatMap((part) => {
    const names = new Set([...before[part].keys(), ...after[part].keys()]);
    return [...names].filter((name) => before[part].get(name) !== after[part].get(name)).sort();
  });
