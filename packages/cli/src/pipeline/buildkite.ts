import { type Claims, composed, type Env, named } from './claim.js';

/** Buildkite. BUILDKITE_COMMIT is the head commit on a pull request too, and `HEAD` where a build was made by hand. */
export const buildkiteClaims = (env: Env): Claims | undefined =>
  env.BUILDKITE === 'true'
    ? {
        system: 'buildkite',
        commit: named(env, 'BUILDKITE_COMMIT'),
        branch: named(env, 'BUILDKITE_BRANCH'),
        url: [
          ...composed(env, ['BUILDKITE_BUILD_URL', 'BUILDKITE_JOB_ID'], (url, job) => `${url}#${job}`),
          ...named(env, 'BUILDKITE_BUILD_URL'),
        ],
        // It counts the repetitions, from 0.
        attempt: composed(env, ['BUILDKITE_RETRY_COUNT'], (count) => String(Number(count) + 1)),
        actor: named(env, 'BUILDKITE_UNBLOCKER', 'BUILDKITE_BUILD_CREATOR'),
        notes: [],
      }
    : undefined;
