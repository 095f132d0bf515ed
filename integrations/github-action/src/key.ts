import { getInput, setSecret } from '@actions/core';
import type { World } from '@shipworthy/cli';

type Env = World['env'];

/** How the runner names the input; no child is to see it. */
const INPUT = 'INPUT_API-KEY';

/**
 * The key of the input, else of the environment; empty without one. It is masked here, before anything else can print: the
 * runner masks what comes from its secrets, and a key may come from elsewhere.
 */
export const takeKey = (env: Env): string => {
  const key = getInput('api-key') || (env.SHIPWORTHY_API_KEY ?? '').trim();
  if (key !== '') setSecret(key);
  return key;
};

/** The environment as the command reads it: key and address where it looks for them, and nowhere else. */
export const withSettings = (env: Env, key: string, apiUrl: string): Env => {
  const { [INPUT]: _, ...rest } = env;
  return {
    ...rest,
    ...(key !== '' && { SHIPWORTHY_API_KEY: key }),
    ...(apiUrl !== '' && { SHIPWORTHY_API_URL: apiUrl }),
  };
};
