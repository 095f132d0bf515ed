import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runGit } from '../../git/run-git.js';
import type { World } from '../../world.js';

/** A line that only who reads the files can answer. */
export interface AskedLine {
  readonly path: string;
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** Larger files are not asked about, in bytes. */
const LARGEST = 65_536;
/** Files that are tried before it is given up. */
const TRIES = 50;
/** Characters of a line that says something. */
const SHORTEST = 8;
const PLAIN_PATH = /^[\w./@+ -]+$/;

const fileLines = async (path: string): Promise<readonly string[]> => {
  const found = await lstat(path).catch(() => undefined);
  // A link may lead anywhere.
  if (!found?.isFile() || found.size > LARGEST) return [];
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.includes('\0') || text.includes('\ufffd') ? [] : text.split(/\r?\n/);
};

/** A random line of a random tracked file; undefined where no tracked file has a line of 8 characters or more. */
export const chooseLine = async (world: World, root: string): Promise<AskedLine | undefined> => {
  const { stdout } = await runGit(world, ['ls-files', '-z'], { folder: root });
  const paths = stdout.split('\0').filter((path) => PLAIN_PATH.test(path));
  const pick = <One>(from: readonly One[]): One | undefined => from[Math.floor(world.random() * from.length)];
  const first = Math.floor(world.random() * paths.length);
  // From a random file on, so that none is tried twice.
  for (const path of [...paths.slice(first), ...paths.slice(0, first)].slice(0, TRIES)) {
    const lines = (await fileLines(join(root, path))).map((text, index) => ({ path, number: index + 1, text }));
    const line = pick(lines.filter(({ text }) => text.trim().length >= SHORTEST));
    if (line !== undefined) return line;
  }
  return undefined;
};

/** What the agent is asked. */
export const promptFor = ({ path, number }: AskedLine): string =>
  `Read one file in this folder. Change nothing, create nothing, run nothing that writes. Answer with exactly one line: the text of line ${number} of the file ${path}`;

/** Whether the answer is that line; blanks at its ends, quotes and backticks around it do not matter. */
export const isLine = (answer: string, { text }: AskedLine): boolean => {
  const bare = (one: string): string =>
    one
      .trim()
      .replace(/^(["'`]?)(.*)\1$/, '$2')
      .trim();
  return answer.trim() === text.trim() || bare(answer) === text.trim() || bare(answer) === bare(text);
};
