import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const MOST_BYTES = 256 * 1024 * 1024;

export interface Commit {
  readonly sha: string;
  readonly committedAt: Date;
}

/** The part of a repository's history that this checkout holds. */
export interface History {
  /** Newest first. */
  readonly commits: readonly Commit[];
  /** What is missing from the history, and how to get it; null: it is complete. */
  readonly missing: string | null;
}

const git = async (root: string, ...words: readonly string[]): Promise<string> => {
  const { stdout } = await execute('git', ['-C', root, ...words], { maxBuffer: MOST_BYTES });
  return stdout.trim();
};

const commitsOf = async (root: string): Promise<readonly Commit[]> => {
  const lines = await git(root, 'log', '--format=%H %ct', 'HEAD');
  return lines.split('\n').map((line) => {
    const [sha = '', seconds] = line.split(' ');
    return { sha, committedAt: new Date(Number(seconds) * 1000) };
  });
};

const WITHOUT = 'Without it no deployment can be reported, and stability stays unmeasured.';

const nothing = (why: string): History => ({ commits: [], missing: `the git history: ${why}. ${WITHOUT}` });

const whyNot = (error: unknown): string => {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'git is not installed';
  const told = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n')[0] : String(error);
  return `git says "${told}"`;
};

/** Reads the commits that lead to HEAD. Says what is missing in an exported archive or a shallow clone; never rejects. */
export const readHistory = async (root: string): Promise<History> => {
  try {
    const top = await git(root, 'rev-parse', '--show-toplevel');
    if ((await realpath(top)) !== (await realpath(root)))
      return nothing('this folder is no git repository of its own (an exported archive?)');
    const commits = await commitsOf(root);
    const shallow = (await git(root, 'rev-parse', '--is-shallow-repository')) === 'true';
    const here = commits.length === 1 ? '1 commit' : `${commits.length} commits`;
    const missing = `the older git history: this clone is shallow and holds ${here}; "git fetch --unshallow" gets all.`;
    return { commits, missing: shallow ? missing : null };
  } catch (error) {
    return nothing(whyNot(error));
  }
};
