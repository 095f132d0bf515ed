import type { World } from '../world.js';

/** The values of a snippet; each is one line of harmless characters. */
export interface SnippetValues {
  readonly apiUrl: string;
  readonly app: string;
  readonly environment: string;
  /** The branch whose pushes are released; systems that know it by themselves are not told. */
  readonly branch: string;
  /** The command that runs the tests; taken from the files of the repository. */
  readonly test: string;
  /** The package that npx installs, with its version. */
  readonly shipworthy: string;
}

/** A system that runs pipelines. */
export interface CiSystem {
  readonly name: string;
  readonly title: string;
  /** The file the snippet is written to, from the repository's root. */
  readonly path: string;
  /** Any of these in a repository's root says that the system is used. */
  readonly traces: readonly string[];
  /** The further steps in the CI system; the first always says where the key goes. */
  readonly steps: readonly string[];
  readonly snippet: (values: SnippetValues) => string;
}

/** The first line of every file that `init` writes for a CI system. */
export const FIRST_LINE = 'Written by "shipworthy init"; change the commands as you need them.';

/** Any text as a YAML string. */
export const quoted = (text: string): string => JSON.stringify(text);

/**
 * Shell lines that deploy and record the deployment; each after the first is indented by `indent` spaces. Where npx
 * cannot start the command, as when the registry is away, they deploy without it and without the key, and say so. That
 * is tried before anything is deployed, so that no exit code makes a deployment run twice.
 */
export const deployLines = ({ shipworthy, environment }: SnippetValues, indent: number): string =>
  [
    `if npx --yes ${shipworthy} --version > /dev/null; then`,
    `  npx --yes ${shipworthy} deploy run --env ${quoted(environment)} -- ./deploy.sh`,
    'else',
    '  echo "warning: npx could not start shipworthy; nothing is recorded of this deployment." >&2',
    '  env -u SHIPWORTHY_API_KEY ./deploy.sh',
    'fi',
  ].join(`\n${' '.repeat(indent)}`);

export type Env = World['env'];

/** The value of a variable, unchecked. */
export interface Claim {
  /** Where a person finds it: the variable, or the place in a file. */
  readonly name: string;
  readonly value: string;
}

/** The values a CI system gives about the run, unchecked; of each list the first well-formed one is used. */
export interface Claims {
  readonly system: string;
  readonly commit: readonly Claim[];
  readonly branch: readonly Claim[];
  readonly url: readonly Claim[];
  /** Counted from 1. */
  readonly attempt: readonly Claim[];
  readonly actor: readonly Claim[];
  /** Notes on how these values were chosen. */
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
