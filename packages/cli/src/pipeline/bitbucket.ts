import { type Claims, composed, type Env, named } from './claim.js';

/** Bitbucket Pipelines. BITBUCKET_COMMIT is the commit that began the run, on a pull request its head. */
export const bitbucketClaims = (env: Env): Claims | undefined =>
  env.BITBUCKET_BUILD_NUMBER && env.BITBUCKET_PIPELINE_UUID
    ? {
        system: 'bitbucket',
        commit: named(env, 'BITBUCKET_COMMIT'),
        branch: named(env, 'BITBUCKET_BRANCH'),
        url: composed(
          env,
          ['BITBUCKET_REPO_FULL_NAME', 'BITBUCKET_BUILD_NUMBER'],
          (repository, build) => `https://bitbucket.org/${repository}/pipelines/results/${build}`,
        ),
        attempt: named(env, 'BITBUCKET_STEP_RUN_NUMBER'),
        // It names people by ids that say nothing to a reader.
        actor: [],
        notes: [],
      }
    : undefined;
