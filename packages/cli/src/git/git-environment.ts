import type { World } from '../world.js';

// `git rev-parse --local-env-vars` and what makes git tell more than is asked, secrets included.
const TAKEN_OUT =
  /^GIT_(ALTERNATE_OBJECT_DIRECTORIES|CONFIG|CONFIG_PARAMETERS|OBJECT_DIRECTORY|DIR|WORK_TREE|IMPLICIT_WORK_TREE|GRAFT_FILE|INDEX_FILE|NO_REPLACE_OBJECTS|REPLACE_REF_BASE|PREFIX|SHALLOW_FILE|COMMON_DIR|INTERNAL_SUPER_PREFIX|NAMESPACE|LITERAL_PATHSPECS|EXTERNAL_DIFF|EDITOR|PAGER|CURL_VERBOSE|TRACE.*|REDIRECT_.*)$/;

/** Settings for one command only; git knows the variables since 2.31. */
const settingsIn = (
  env: World['env'],
  settings: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  const first = Number(env.GIT_CONFIG_COUNT ?? 0) || 0;
  const names = Object.keys(settings);
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(first + names.length)],
    ...names.flatMap((name, index) => [
      [`GIT_CONFIG_KEY_${first + index}`, name],
      [`GIT_CONFIG_VALUE_${first + index}`, settings[name] ?? ''],
    ]),
  ]);
};

/**
 * The environment git is run in: the user's own, without what points at another repository or makes git talkative, in one
 * language, and with every way of asking a person closed.
 */
export const gitEnvironment = (
  env: World['env'],
  settings: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string | undefined>> => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !TAKEN_OUT.test(name))),
  LC_ALL: 'C',
  LANGUAGE: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_ALLOW_PROTOCOL: 'http:https:ssh',
  ...settingsIn(env, settings),
});
