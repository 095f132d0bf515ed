import { type Claims, type Env, named } from './claim.js';

/** GitLab CI. In a merged results pipeline CI_COMMIT_SHA is the merge commit; the source branch's own variable is set only there. */
export const gitlabClaims = (env: Env): Claims | undefined =>
  env.GITLAB_CI
    ? {
        system: 'gitlab',
        commit: named(
          env,
          'CI_MERGE_REQUEST_SOURCE_BRANCH_SHA',
          'CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_SHA',
          'CI_COMMIT_SHA',
        ),
        branch: named(
          env,
          'CI_MERGE_REQUEST_SOURCE_BRANCH_NAME',
          'CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_NAME',
          'CI_COMMIT_BRANCH',
        ),
        url: named(env, 'CI_JOB_URL', 'CI_PIPELINE_URL'),
        attempt: [],
        actor: named(env, 'GITLAB_USER_LOGIN'),
        notes: [],
      }
    : undefined;
