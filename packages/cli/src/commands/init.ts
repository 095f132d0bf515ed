import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Command, Option } from '@commander-js/extra-typings';
import { parsedUrl } from '@shipworthy/client/contract';
import { AGENT_RULES } from '../agent-rules.js';
import { EXIT, reasonOf, usageFailure } from '../failure.js';
import { readRemoteUrl } from '../git/remote-url.js';
import { readGitOutput } from '../git/run-git.js';
import { shownDifference } from '../output/difference.js';
import { holdsKey } from '../output/safe-text.js';
import { clearTarget, requireInside } from '../output/target-file.js';
import { ALL_SYSTEMS } from '../pipeline/all-systems.js';
import { type CiSystem, FIRST_LINE, type SnippetValues } from '../pipeline/ci-system.js';
import { resolveProject } from '../project.js';
import type { Act, CommandSession } from '../session.js';
import { REPOSITORY_FILE, repositoryFolder, userFile } from '../settings.js';
import { VERSION } from '../version.js';
import type { World } from '../world.js';

const HELP = `
Writes .shipworthy.json (address and project, never a key) and the snippet of your CI system, and with --agents the rules
for coding agents in AGENTS.md. Every difference is shown first; a file that is not its own is never changed.
A second run finds nothing to do.`;

const DONE = {
  create: 'to be created',
  change: 'to be changed',
  paste: 'to be put in by hand',
  unchanged: 'as it should be',
};

const textOf = ({ files, steps }: SetUp): string =>
  [
    ...files.map(({ path, action, written }) => `${path}: ${written ? 'written' : DONE[action]}`),
    ...steps.map((step) => `next: ${step}`),
  ].join('\n');

/** `shipworthy init`: sets a repository up, and shows the difference first. */
export const initCommand = (act: Act) =>
  new Command('init')
    .description('set this repository up: settings file, CI snippet, rules for coding agents')
    .addOption(new Option('--ci <system>', 'whose snippet; recognised unless given').choices(CI_NAMES))
    .option('--env <name>', 'environment the snippet deploys to', 'production')
    .option('--branch <name>', 'branch that is released; told by git unless given')
    .option('--agents', 'also write the rules for coding agents into AGENTS.md')
    .option('--yes', 'write without asking')
    .addHelpText('after', HELP)
    .action(
      act(async (session, { ci, env, branch, agents, yes }) => {
        const done = await setUpRepository(session, {
          ci,
          environment: env,
          branch,
          agents: agents ?? false,
          yes: yes ?? false,
        });
        session.screen.answer(textOf(done), done);
        return EXIT.done;
      }),
    );

/** The options of the command line. */
interface SetUpOptions {
  readonly ci?: string | undefined;
  readonly environment: string;
  /** The branch whose pushes are released; taken from git unless given. */
  readonly branch?: string | undefined;
  readonly agents: boolean;
  readonly yes: boolean;
}

/** The result for each file. */
interface SetUp {
  readonly files: readonly {
    readonly path: string;
    readonly action: FileChange['action'];
    readonly written: boolean;
  }[];
  /** The steps that a person still has to do. */
  readonly steps: readonly string[];
}

const show = ({ screen }: CommandSession, { path, before, after, action }: FileChange): void => {
  if (action === 'unchanged') return;
  const title = { create: `${path} (new)`, change: path, paste: `${path} is yours: put this in by hand` }[action];
  screen.say(screen.paint.strong(title));
  const base = action === 'change' ? (before ?? '') : '';
  for (const line of shownDifference(base, after, screen.paint)) screen.say(`  ${line}`);
  screen.say();
};

/** The steps that let a person's key go to the address written into the repository: no key is sent there unasked. */
const keySteps = (world: World, apiUrl: string): readonly string[] => {
  if (world.env.SHIPWORTHY_API_URL && world.env.SHIPWORTHY_API_KEY) return [];
  return [
    `Let your key go to this address: list ${JSON.stringify(apiUrl)} under "trusted_addresses" in ${userFile(world)}.`,
  ];
};

/** Shows every difference, asks, writes. Failure (exit 2) when something is missing or there is no terminal to ask at. */
const setUpRepository = async (
  session: CommandSession,
  { ci, environment, branch, agents, yes }: SetUpOptions,
): Promise<SetUp> => {
  const { world, screen, globals } = session;
  const folder = repositoryFolder(world.folder) ?? world.folder;
  const exists = (path: string) => existsSync(join(folder, path));
  const read = readBelow(folder);
  const remote = readRemoteUrl(
    (await readGitOutput(world, ['config', '--get', 'remote.origin.url'], { folder })) ?? '',
  );
  const system = chooseSystem(ci, exists, remote?.host);
  const values = await valuesFor(session, { environment, branch }, exists);
  screen.hide(keyIn(read('.shipworthy.json')) ?? '');
  const plan = planOf({ system, values, agents }, read);
  for (const change of plan) show(session, change);
  if (system === undefined && ci === undefined)
    screen.say('No CI system was recognised here; name one with --ci to get its snippet.');
  const due = plan.filter(({ action }) => action === 'create' || action === 'change');
  if (due.length === 0) screen.say('There is nothing to write.');
  const question = `Write ${due.map(({ path }) => path).join(', ')}?`;
  const agreed = due.length > 0 && globals.dryRun !== true && (yes || (await confirm(session, question)));
  if (agreed) writeBelow(folder, due);
  const open = plan.some(({ action, path }) => path === system?.path && action !== 'unchanged');
  const named = plan.some(({ action, path }) => path === REPOSITORY_FILE && action !== 'unchanged');
  return {
    files: plan.map((change) => ({
      path: change.path,
      action: change.action,
      written: agreed && due.includes(change),
    })),
    steps: [...(open ? (system?.steps ?? []) : []), ...(named ? keySteps(world, values.apiUrl) : [])],
  };
};

/** The values of `--ci`. */
const CI_NAMES: readonly string[] = [...ALL_SYSTEMS.map(({ name }) => name), 'none'];

/** The hosts that run CI themselves, with the name of their system; instances of GitLab are known by `gitlab.`. */
const HOST_SYSTEMS: Readonly<Record<string, string>> = { 'github.com': 'github', 'bitbucket.org': 'bitbucket' };

/** The CI system of the host that a remote names; undefined when the host's own CI system is not known. */
const systemOfHost = (host: string | undefined): CiSystem | undefined => {
  if (host === undefined) return undefined;
  const name = HOST_SYSTEMS[host] ?? (/^gitlab\./.test(host) ? 'gitlab' : undefined);
  return ALL_SYSTEMS.find((system) => system.name === name);
};

/**
 * The named system, else the only one the repository shows traces of, else that of its remote's host; undefined for none.
 * Failure (exit 2) when it shows traces of several.
 */
const chooseSystem = (
  wanted: string | undefined,
  exists: (path: string) => boolean,
  host?: string,
): CiSystem | undefined => {
  if (wanted !== undefined) return ALL_SYSTEMS.find(({ name }) => name === wanted);
  const [only, ...others] = ALL_SYSTEMS.filter(({ traces }) => traces.some(exists));
  if (only === undefined) return systemOfHost(host);
  if (others.length === 0) return only;
  const names = [only, ...others].map(({ name }) => name).join(', ');
  throw usageFailure(`This repository uses several CI systems: ${names}.`, 'Name one with --ci.');
};

// Every other character of a name has a special meaning in some CI system or shell.
const PLAIN_NAME = /^[\p{L}\p{N} ._/@+-]+$/u;
const PLAIN_ADDRESS = /^[\p{L}\p{N}._/:+-]+$/u;

const plain = (what: string, text: string, pattern = PLAIN_NAME): string => {
  if (holdsKey(text)) throw usageFailure(`The ${what} holds an API key.`, 'No file of a repository is to hold one.');
  if (pattern.test(text)) return text;
  throw usageFailure(
    `The ${what} ${text} holds signs that mean something else in CI files.`,
    'Set it there by hand, in the variables of the CI system.',
  );
};

const address = (text: string): string => {
  const url = parsedUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw usageFailure(`${text} is not an http or https address.`);
  if (url.username !== '' || url.password !== '')
    throw usageFailure('The address holds a user or password.', 'Leave them out.');
  return plain('address', text, PLAIN_ADDRESS);
};

/**
 * The values that are written into the files; the server is asked for the project only when no setting names it. Failure (exit
 * 2) when a value is missing.
 */
const valuesFor = async (
  session: CommandSession,
  wish: { readonly environment: string; readonly branch?: string | undefined },
  exists: (path: string) => boolean,
): Promise<SnippetValues> => {
  const { apiUrl, apiKey, app } = await session.settings();
  if (apiUrl === undefined) throw usageFailure('No server address is set.', 'Give --api-url.');
  if (app === undefined && apiKey === undefined) throw usageFailure('No project is named.', 'Give --app.');
  const name = app?.value ?? (await resolveProject((await session.connect()).client, { app: undefined })).name;
  return {
    apiUrl: address(apiUrl.value),
    app: plain('project name', name),
    environment: plain('environment', wish.environment),
    branch: plain('branch', wish.branch ?? (await mainBranch(session.world))),
    test: exists('package.json') ? 'npm test' : 'make test',
    shipworthy: `@shipworthy/cli@${VERSION}`,
  };
};

const REMOTE = 'origin/';

/** The branch releases are made from: the remote's default branch, else an existing `main` or `master`, else `main`. */
const mainBranch = async (world: World): Promise<string> => {
  const remote = await readGitOutput(world, ['symbolic-ref', '--short', 'refs/remotes/origin/HEAD']);
  if (remote?.startsWith(REMOTE)) return remote.slice(REMOTE.length);
  const usual = await readGitOutput(world, [
    'for-each-ref',
    '--format=%(refname:short)',
    'refs/heads/main',
    'refs/heads/master',
  ]);
  return usual?.split('\n')[0] ?? 'main';
};

/** Asks the person at the terminal; false for anything but yes. Failure (exit 2) when there is no terminal. */
const confirm = async ({ world, screen }: CommandSession, question: string): Promise<boolean> => {
  if (world.stdin.isTTY !== true)
    throw usageFailure(
      'Nothing was written: there is no terminal to ask at.',
      'Give --yes to write this, or --dry-run to look only.',
    );
  screen.say(`${question} [y/N]`);
  const lines = createInterface({ input: world.stdin });
  try {
    for await (const line of lines) return /^y(es)?$/i.test(line.trim());
    return false;
  } finally {
    lines.close();
  }
};

/** The largest file that is read, in bytes; the files that are written here have a few thousand. */
const LARGEST_FILE = 1024 * 1024;

/**
 * Reads a file below the folder; undefined when it is not there. Failure (exit 2) when it cannot be read, leads out of the folder, is
 * no regular file or has more than 1 MiB.
 */
export const readBelow =
  (folder: string) =>
  (path: string): string | undefined => {
    requireInside(folder, path);
    const file = join(folder, path);
    if (!existsSync(file)) return undefined;
    const stats = statSync(file);
    if (!stats.isFile()) throw usageFailure(`${path} is not a regular file.`);
    if (stats.size > LARGEST_FILE)
      throw usageFailure(`${path} has more than 1 MiB.`, 'Set it up by hand, or make the file smaller.');
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw usageFailure(`${path} cannot be read (${reasonOf(error)}).`);
    }
  };

/**
 * Writes the new and changed files. Failure (exit 2) naming a file that leads out of the folder, before anything is
 * written, or one that could not be written.
 */
export const writeBelow = (folder: string, changes: readonly FileChange[]): void => {
  for (const { path } of changes) requireInside(folder, path);
  for (const { path, after } of changes) {
    clearTarget(folder, join(folder, path));
    try {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), after);
    } catch (error) {
      throw usageFailure(`${path} could not be written (${reasonOf(error)}).`);
    }
  }
};

/** A file before and after the change; `paste`: the command must not change it, and shows the text to insert by hand. */
interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
  readonly action: 'create' | 'change' | 'paste' | 'unchanged';
}

/** The choices of a set-up: the CI system, the values, and whether to write rules for coding agents. */
interface SetUpChoices {
  readonly system: CiSystem | undefined;
  readonly values: SnippetValues;
  readonly agents: boolean;
}

const changeOf = (path: string, before: string | undefined, after: string): FileChange => ({
  path,
  before,
  after,
  action: before === undefined ? 'create' : before === after ? 'unchanged' : 'change',
});

const snippetChange = (system: CiSystem, before: string | undefined, values: SnippetValues): FileChange => {
  const change = changeOf(system.path, before, system.snippet(values));
  const foreign = before !== undefined && !(before.split('\n', 1)[0] ?? '').includes(FIRST_LINE);
  return foreign && change.action === 'change' ? { ...change, action: 'paste' } : change;
};

/** Every file that the set-up concerns, in the order shown. `read` returns undefined for a file that is not there. */
const planOf = (
  { system, values, agents }: SetUpChoices,
  read: (path: string) => string | undefined,
): readonly FileChange[] => {
  const settings = read(REPOSITORY_FILE);
  const plan = [changeOf(REPOSITORY_FILE, settings, withSettings(settings, values.apiUrl, values.app))];
  if (keyIn(settings) !== undefined) {
    const ignore = read('.gitignore');
    plan.push(changeOf('.gitignore', ignore, ignoringSettingsFile(ignore ?? '')));
  }
  if (system !== undefined) plan.push(snippetChange(system, read(system.path), values));
  if (agents) {
    const page = read(AGENTS_FILE);
    plan.push(changeOf(AGENTS_FILE, page, withAgentRules(page ?? '')));
  }
  return plan;
};

const membersOf = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  } catch {
    // The parser's message would quote the text, which may hold a key.
  }
  throw usageFailure(`${REPOSITORY_FILE} is not a JSON object.`, 'Correct the file or remove it.');
};

/** The settings file with address and project; every other member stays, and a key is never added. */
const withSettings = (before: string | undefined, apiUrl: string, app: string): string => {
  const members = before === undefined ? {} : membersOf(before);
  if (before !== undefined && members.api_url === apiUrl && members.app === app) return before;
  return `${JSON.stringify({ ...members, api_url: apiUrl, app }, null, 2)}\n`;
};

/** The API key in the text of a settings file, which must never be shown; undefined when there is none. */
const keyIn = (text: string | undefined): string | undefined => {
  const key = text === undefined ? undefined : membersOf(text).api_key;
  return typeof key === 'string' && key !== '' ? key : undefined;
};

/** The text of `.gitignore` with the settings file added. */
const ignoringSettingsFile = (ignore: string): string => {
  const named = ignore.split(/\r?\n/).some((line) => [REPOSITORY_FILE, `/${REPOSITORY_FILE}`].includes(line.trim()));
  if (named) return ignore;
  return `${ignore}${ignore === '' || ignore.endsWith('\n') ? '' : '\n'}${REPOSITORY_FILE}\n`;
};

/** The file that coding agents read in a repository. */
const AGENTS_FILE = 'AGENTS.md';

const BEGIN = '<!-- shipworthy:begin (written by "shipworthy init --agents"; changes between these lines are lost) -->';
const END = '<!-- shipworthy:end -->';
const BEGINS = '<!-- shipworthy:begin';

/**
 * The text with the rules between their marks: in the place of earlier rules, else at the end. All other text stays.
 * Failure (exit 2) for marks that do not pair.
 */
export const withAgentRules = (before: string): string => {
  const section = `${BEGIN}\n${AGENT_RULES}${END}`;
  const [from, to] = [before.indexOf(BEGINS), before.indexOf(END)];
  if (from === -1 && to === -1) return before.trim() === '' ? `${section}\n` : `${before.trimEnd()}\n\n${section}\n`;
  if (from === -1 || to < from || before.indexOf(BEGINS, from + 1) !== -1 || before.indexOf(END, to + 1) !== -1)
    throw usageFailure(
      `${AGENTS_FILE} holds marks of shipworthy that do not pair.`,
      'Remove them, with what is between.',
    );
  return before.slice(0, from) + section + before.slice(to + END.length);
};
