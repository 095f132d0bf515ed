import { createHash } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { runGit } from '../git/run-git.js';
import { type ProgramEnd, runProgram, withoutKey } from '../run-program.js';
import type { World } from '../world.js';
import { actionFinding, type Finding, listed, readyFinding, uncheckedFinding } from './finding.js';
import type { Examination, Step } from './step.js';

const linesOf = (text: string): readonly string[] =>
  stripVTControlCharacters(text)
    .split(/\r?\n|\r/)
    .filter((line) => line.trim() !== '');

/** Judges how the agent ended and what it changed. The agent's answer is never shown: it may quote any file. */
const judgeAgent = (end: ProgramEnd, changes: readonly string[], seconds: number, asked: AskedLine): Finding => {
  if (changes.length > 0)
    return actionFinding(
      `The agent changed what it was to read: ${listed(changes)}.`,
      'Look at git status and undo it; start the agent so that it only reads.',
    );
  if (end.timedOut)
    return actionFinding(
      `The agent did not finish within ${seconds} seconds.`,
      'Run it by hand once and sign it in, or give --agent-timeout.',
    );
  if (end.exit !== 0)
    return actionFinding(
      `The agent ended with ${end.exit ?? end.fault ?? 'a signal'}.`,
      'Run the command by hand in this folder and see what it says.',
    );
  const lines = linesOf(end.stdout);
  const [answer = '', another] = lines;
  const where = `line ${asked.number} of ${asked.path}`;
  if (answer !== '' && another === undefined && isLine(answer, asked))
    return readyFinding(`The agent answered with ${where} (${answer.length} characters) and changed nothing.`);
  if (answer !== '' && another === undefined)
    return actionFinding(
      `The agent answered (${answer.length} characters), but not with ${where}.`,
      'See that it may read the files of this folder, and prints its answer as it is.',
    );
  return actionFinding(
    lines.length === 0 ? 'The agent answered nothing.' : `The agent answered ${lines.length} lines instead of one.`,
    'Start the agent so that it prints its answer alone.',
  );
};

const checkAgent = async ({ world, repository, options }: Examination, signal: AbortSignal): Promise<Finding> => {
  if (options.agent === undefined)
    return uncheckedFinding('No agent was named.', "shipworthy doctor agent --agent 'my-agent --print {prompt}'");
  const root = await repository.root();
  const asked = await chooseLine(world, root);
  if (asked === undefined)
    return uncheckedFinding(
      'No tracked file here has a line to ask the agent about.',
      'git add a text file, then check again.',
    );
  const { words, env } = agentCommand(options.agent, promptFor(asked), world.platform);
  const before = await takeSnapshot(world, root);
  const end = await runProgram(words, {
    folder: root,
    env: { ...withoutKey(world.env), ...env },
    limitMs: options.agentTimeoutMs,
    signal,
  });
  return judgeAgent(end, changesBetween(before, await takeSnapshot(world, root)), options.agentTimeoutMs / 1000, asked);
};

/** The step in which a coding agent reads the repository. `limitMs` is the agent's limit and time for the snapshots. */
export const agentSteps = (agentTimeoutMs: number): readonly Step[] => [
  {
    id: 'agent.proof',
    title: 'Agent reads and answers',
    after: ['repository.git', 'repository.folder'],
    limitMs: agentTimeoutMs + 120_000,
    check: checkAgent,
    onlyWhenAsked: ({ options }) => options.agent !== undefined,
  },
];

/**
 * The user's own command with the prompt in it: in place of `{prompt}`, else as its last argument. The prompt travels
 * as an argument of the shell (as a variable on Windows), so that no character in it has a meaning for the shell.
 */
const agentCommand = (
  typed: string,
  prompt: string,
  platform: NodeJS.Platform,
): { readonly words: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>> } => {
  const [place, shell] = platform === 'win32' ? ['"%SHIPWORTHY_PROMPT%"', 'cmd.exe'] : ['"$1"', 'sh'];
  const filled = typed.replaceAll(/"\{prompt\}"|'\{prompt\}'|\{prompt\}/g, () => place);
  const command = filled === typed ? `${typed} ${place}` : filled;
  return platform === 'win32'
    ? { words: [shell, '/d', '/s', '/c', command], env: { SHIPWORTHY_PROMPT: prompt } }
    : { words: [shell, '-c', command, 'agent', prompt], env: {} };
};

/** A line of a file, which an agent can only know by reading the file. */
interface AskedLine {
  readonly path: string;
  /** The number of the line, from 1. */
  readonly number: number;
  readonly text: string;
}

/** Larger files are not asked about, in bytes. */
const LARGEST = 65_536;
/** How many files are tried before the step gives up. */
const TRIES = 50;
/** Fewest characters of a line that is asked about. */
const SHORTEST = 8;
const PLAIN_PATH = /^[\w./@+ -]+$/;

const fileLines = async (path: string): Promise<readonly string[]> => {
  const found = await lstat(path).catch(() => undefined);
  // A link may point outside the repository, so only plain files are read.
  if (!found?.isFile() || found.size > LARGEST) return [];
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.includes('\0') || text.includes('\ufffd') ? [] : text.split(/\r?\n/);
};

/** A random line of a random tracked file; undefined where no file tried has a line of 8 characters or more. */
const chooseLine = async (world: World, root: string): Promise<AskedLine | undefined> => {
  const { stdout } = await runGit(world, ['ls-files', '-z'], { folder: root });
  const paths = stdout.split('\0').filter((path) => PLAIN_PATH.test(path));
  const pick = <One>(from: readonly One[]): One | undefined => from[Math.floor(world.random() * from.length)];
  const first = Math.floor(world.random() * paths.length);
  // Starts at a random file and goes through the list once, so that no file is tried twice.
  for (const path of [...paths.slice(first), ...paths.slice(0, first)].slice(0, TRIES)) {
    const lines = (await fileLines(join(root, path))).map((text, index) => ({ path, number: index + 1, text }));
    const line = pick(lines.filter(({ text }) => text.trim().length >= SHORTEST));
    if (line !== undefined) return line;
  }
  return undefined;
};

const promptFor = ({ path, number }: AskedLine): string =>
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

/** A repository at one moment: every file of the work tree, ignored ones included, and what git keeps. */
interface RepositorySnapshot {
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
    // A folder's own times change with every file in it, and the files are listed themselves: its mode is enough.
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
const takeSnapshot = async (world: World, root: string): Promise<RepositorySnapshot> => {
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

/** The differences: paths of files first, then refs and settings of git. */
const changesBetween = (before: RepositorySnapshot, after: RepositorySnapshot): readonly string[] =>
  (['files', 'git'] as const).flatMap((part) => {
    const names = new Set([...before[part].keys(), ...after[part].keys()]);
    return [...names].filter((name) => before[part].get(name) !== after[part].get(name)).sort();
  });
