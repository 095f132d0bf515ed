import type { World } from '../world.js';

/**
 * The variables of git that are handed on: how it reaches a host, where the user's own settings are, and where its programs
 * are. All others lead it to another repository, index or worktree, start programs, or make it tell secrets.
 */
const HANDED_ON =
  /^GIT_(SSL_.*|HTTP_.*|PROXY_SSL_.*|SSH|SSH_COMMAND|SSH_VARIANT|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM|CONFIG_(COUNT|(KEY|VALUE)_\d+)|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|EXEC_PATH)$/;

/** A setting of git: its name and its value. A name may come more than once. */
export type GitSetting = readonly [name: string, value: string];

/** Settings for one command only; git knows the variables since 2.31. */
const settingsIn = (env: World['env'], settings: readonly GitSetting[]): Readonly<Record<string, string>> => {
  const first = Number(env.GIT_CONFIG_COUNT ?? 0) || 0;
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(first + settings.length)],
    ...settings.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${first + index}`, name],
      [`GIT_CONFIG_VALUE_${first + index}`, value],
    ]),
  ]);
};

/**
 * The environment git is run in: the user's own, of git's variables only those above, in one language, with every way of asking a person closed, and reaching no host unless
 * `hosts`.
 */
export const gitEnvironment = (
  env: World['env'],
  settings: readonly GitSetting[] = [],
  hosts = false,
): Readonly<Record<string, string | undefined>> => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !/^GIT_/i.test(name) || HANDED_ON.test(name))),
  LC_ALL: 'C',
  LANGUAGE: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
  GIT_OPTIONAL_LOCKS: '0',
  // Without, git fetches by itself what a partial clone lacks, by programs that the repository names.
  GIT_ALLOW_PROTOCOL: hosts ? 'http:https:ssh' : 'none',
  ...settingsIn(env, settings),
});
