import type { World } from '../world.js';

export type Env = World['env'];

/** What a variable says, unchecked. */
export interface Claim {
  /** As a person would look for it: the variable, or the place in a file. */
  readonly name: string;
  readonly value: string;
}

/** What a pipeline's system says of the run, unchecked; of each list the first one that is well-formed is taken. */
export interface Claims {
  readonly system: string;
  readonly commit: readonly Claim[];
  readonly branch: readonly Claim[];
  readonly url: readonly Claim[];
  /** Counted from 1. */
  readonly attempt: readonly Claim[];
  readonly actor: readonly Claim[];
  /** What a person should know about how these were chosen. */
  readonly notes: readonly string[];
}

/** The variables of these names that are set, in this order. */
export const named = (env: Env, ...names: readonly string[]): readonly Claim[] =>
  names.flatMap((name) => {
    const value = env[name]?.trim();
    return value ? [{ name, value }] : [];
  });

/** A claim put together from variables; none unless all of them are set. */
export const composed = (
  env: Env,
  names: readonly string[],
  compose: (...values: string[]) => string,
): readonly Claim[] => {
  const parts = named(env, ...names);
  return parts.length === names.length
    ? [{ name: names.join(' and '), value: compose(...parts.map(({ value }) => value)) }]
    : [];
};

/** A branch without the prefix that git stores it under. */
export const withoutRefs = (claims: readonly Claim[]): readonly Claim[] =>
  claims.map(({ name, value }) => ({ name, value: value.replace(/^refs\/heads\//, '') }));
