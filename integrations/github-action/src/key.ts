import { readFile } from 'node:fs/promises';
import { getInput, setSecret } from '@actions/core';
import type { World } from '@shipworthy/cli';

type Env = World['env'];

/** How the runner names the input; no child is to see it. */
const INPUT = 'INPUT_API-KEY';
/**
 * What the runner gives to an action and to no step with `run`: access to the caches and artifacts of the repository, and the file by
 * which the post step is told what to end. What deploys gets as much as in a step of its own. Identity tokens are such a step's, too.
 */
const OF_ACTIONS = /^(ACTIONS_(RUNTIME_TOKEN|RUNTIME_URL|RESULTS_URL|CACHE_URL|CACHE_SERVICE_V2)|GITHUB_STATE)$/;

/**
 * The key of the input, else of the environment; empty without one. It is masked here, before anything else can print: the
 * runner masks what comes from its secrets, and a key may come from elsewhere.
 */
export const takeKey = (env: Env): string => {
  const key = getInput('api-key') || (env.SHIPWORTHY_API_KEY ?? '').trim();
  if (key !== '') setSecret(key);
  return key;
};

/** The environment as the command reads it and what it starts gets: key and address where it looks for them, and nowhere else. */
export const withSettings = (env: Env, key: string, apiUrl: string): Env => {
  const rest = Object.entries(env).filter(([name]) => name !== INPUT && !OF_ACTIONS.test(name));
  return {
    ...Object.fromEntries(rest),
    ...(key !== '' && { SHIPWORTHY_API_KEY: key }),
    ...(apiUrl !== '' && { SHIPWORTHY_API_URL: apiUrl }),
  };
};

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
 * Dependabot. No other event is an outsider's: what follows a push may deploy, so a gate without its key fails there. So it does
 * on `pull_request_target`: the payload is that of a pull request, but the run is the base's own and gets its secrets.
 */
export const isOutsider = async (env: World['env']): Promise<boolean> => {
  if (env.GITHUB_EVENT_NAME === 'pull_request_target') return false;
  const event = await readEvent(env.GITHUB_EVENT_PATH);
  const base = member(event, 'pull_request', 'base', 'repo', 'full_name');
  if (typeof base !== 'string') return false;
  return env.GITHUB_ACTOR === 'dependabot[bot]' || member(event, 'pull_request', 'head', 'repo', 'full_name') !== base;
};
