import { type Claims, type Env, named } from './claim.js';

// Set by the plugins that build pull requests, each in its own words.
const HEADS = [
  'GITHUB_PR_HEAD_SHA',
  'ghprbActualCommit',
  'gitlabMergeRequestLastCommit',
  'GITLAB_OA_LAST_COMMIT_ID',
  'BITBUCKET_PULL_REQUEST_LATEST_COMMIT_FROM_SOURCE_BRANCH',
];

/**
 * Jenkins. GIT_COMMIT is what was checked out, which for a change request may be a merge of it with its target; only some
 * plugins say the head.
 */
export const jenkinsClaims = (env: Env): Claims | undefined => {
  if (!env.JENKINS_URL) return undefined;
  const heads = named(env, ...HEADS);
  return {
    system: 'jenkins',
    commit: [...heads, ...named(env, 'GIT_COMMIT')],
    branch: [
      ...named(env, 'CHANGE_BRANCH', 'BRANCH_NAME'),
      ...named(env, 'GIT_LOCAL_BRANCH', 'GIT_BRANCH').map(({ name, value }) => ({
        name,
        value: value.replace(/^origin\//, ''),
      })),
    ],
    url: named(env, 'BUILD_URL'),
    attempt: [],
    actor: named(env, 'BUILD_USER_ID', 'CHANGE_AUTHOR'),
    notes:
      env.CHANGE_ID && heads.length === 0
        ? ['GIT_COMMIT of a change request may be its merge with the target; --commit names its head.']
        : [],
  };
};
