import { readFile } from 'node:fs/promises';
import { FORMATS } from '@shipworthy/client/contract';
import { noFilters, readGitOutput } from '../git/run-git.js';
import { harmless } from '../output/safe-text.js';
import type { World } from '../world.js';
import { azureClaims } from './azure.js';
import { bitbucketClaims } from './bitbucket.js';
import { buildkiteClaims } from './buildkite.js';
import type { Claim, Claims } from './ci-system.js';
import { circleciClaims } from './circleci.js';
import { githubClaims, isPullRequest } from './github.js';
import { gitlabClaims } from './gitlab.js';
import { jenkinsClaims } from './jenkins.js';

/** The run this command is a part of, as far as its surroundings say. */
export interface PipelineRun {
  /** `github`, `gitlab`, `buildkite`, `circleci`, `jenkins`, `azure`, `bitbucket`, `git` or `none`. */
  readonly system: string;
  /** 7-64 hexadecimal characters; the head commit on a pull request. */
  readonly commit?: string;
  readonly branch?: string;
  /** Page of the run, http or https. */
  readonly url?: string;
  /** Counted from 1. */
  readonly attempt?: number;
  readonly actor?: string;
  /** The assumptions and the ignored values, a sentence each, harmless to show. */
  readonly assumed: readonly string[];
}

const isAttempt = (value: string): boolean => /^[1-9]\d{0,5}$/.test(value);

const unless = (given: string | undefined, claims: readonly Claim[]): readonly Claim[] =>
  given === undefined ? claims : [];

/** The values of the command line, which nothing overrides. */
export interface Given {
  readonly commit?: string | undefined;
  readonly url?: string | undefined;
  readonly actor?: string | undefined;
}

/** Takes the first well-formed claim of each kind; says what it took for the commit and what it left aside. */
const runFromClaims = (claims: Claims, given: Given): PipelineRun => {
  const assumed: string[] = [];
  const first = (candidates: readonly Claim[], isGood: (value: string) => boolean, what: string) => {
    for (const { name, value } of candidates) {
      if (isGood(value)) return { name, value };
      assumed.push(`${name} is left aside: "${harmless(value.slice(0, 60))}" is no ${what}.`);
    }
    return undefined;
  };
  const commit = first(unless(given.commit, claims.commit), isCommit, 'commit hash');
  const branch = first(claims.branch, isLabel, 'branch');
  const url = first(unless(given.url, claims.url), isPage, 'web address');
  const attempt = first(claims.attempt, isAttempt, 'number of an attempt');
  const actor = first(unless(given.actor, claims.actor), isLabel, 'name');
  if (commit !== undefined) assumed.push(`Commit ${commit.value.slice(0, 12)} from ${commit.name}.`);
  const settled = {
    commit: given.commit ?? commit?.value,
    url: given.url ?? url?.value,
    actor: given.actor ?? actor?.value,
  };
  return {
    system: claims.system,
    ...(settled.commit && { commit: settled.commit }),
    ...(branch && { branch: branch.value }),
    ...(settled.url && { url: settled.url }),
    ...(attempt && { attempt: Number(attempt.value) }),
    ...(settled.actor && { actor: settled.actor }),
    // The notes are about how the commit was chosen.
    assumed: given.commit === undefined ? [...assumed, ...claims.notes] : assumed,
  };
};

const eventOf = async ({ env }: World): Promise<unknown> => {
  if (!env.GITHUB_EVENT_PATH || !isPullRequest(env)) return undefined;
  try {
    return JSON.parse(await readFile(env.GITHUB_EVENT_PATH, 'utf8'));
  } catch {
    // `githubClaims` notes that the event is missing.
    return undefined;
  }
};

const NOTHING: Claims = { system: 'none', commit: [], branch: [], url: [], attempt: [], actor: [], notes: [] };

/**
 * Reads the run from the pipeline's own variables, the commit else from git. Never fails: what is not known is left out. What is
 * `given` is taken as it is, and nothing is assumed in its place.
 */
export const readPipeline = async (world: World, given: Given = {}): Promise<PipelineRun> => {
  const { env } = world;
  const claims =
    githubClaims(env, await eventOf(world)) ??
    [gitlabClaims, buildkiteClaims, circleciClaims, azureClaims, bitbucketClaims, jenkinsClaims]
      .map((read) => read(env))
      .find(Boolean);
  const run = runFromClaims(claims ?? NOTHING, given);
  if (run.commit !== undefined) return run;
  const git = await plainGit(world);
  if (git === undefined) return run;
  const plain = runFromClaims(git, given);
  // The system knows the run; git helps out with the commit.
  return { ...plain, ...run, system: claims?.system ?? 'git', assumed: [...run.assumed, ...plain.assumed] };
};

const TIME_LIMIT_MS = 5_000;

/** The values git gives about the folder; undefined outside of a repository and before its first commit. */
const plainGit = async (world: World): Promise<Claims | undefined> => {
  const ask = (...words: readonly string[]) => readGitOutput(world, words, { limitMs: TIME_LIMIT_MS });
  const commit = await ask('rev-parse', '--verify', 'HEAD');
  if (commit === undefined) return undefined;
  // Filters could run programs of the repository, and submodules have own settings; a change is seen without either.
  const settings = await noFilters(world, world.folder);
  const look = ['status', '--porcelain', '--untracked-files=no', '--ignore-submodules=dirty'];
  const [branch, changes] = await Promise.all([
    ask('symbolic-ref', '--quiet', '--short', 'HEAD'),
    readGitOutput(world, look, { limitMs: TIME_LIMIT_MS, settings }),
  ]);
  return {
    system: 'git',
    commit: [{ name: 'git rev-parse HEAD', value: commit }],
    branch: branch ? [{ name: 'git symbolic-ref HEAD', value: branch }] : [],
    url: [],
    attempt: [],
    actor: [],
    notes: changes ? ['The work tree has changes that are in no commit.'] : [],
  };
};

// A name that the server would refuse is left out, so that it does not cost the whole report: authors of commits may call
// themselves anything.

/** One line of 1-200 characters that cannot steer a terminal, and of which something can be seen. */
export const isLabel = (text: string): boolean =>
  text.length > 0 && text.length <= 200 && harmless(text) === text && FORMATS.text(text);

/** A commit hash as git writes it. */
export const isCommit = (text: string): boolean => /^[0-9a-f]{7,64}$/i.test(text);

/** An http or https address without user or password, of at most 2,048 characters. */
export const isPage = (text: string): boolean => text.length <= 2_048 && FORMATS['http-url'](text);
