import { type Claims, type Env, named } from './claim.js';

/** CircleCI. CIRCLE_SHA1 is the head commit on a pull request too. */
export const circleciClaims = (env: Env): Claims | undefined =>
  env.CIRCLECI === 'true'
    ? {
        system: 'circleci',
        commit: named(env, 'CIRCLE_SHA1'),
        branch: named(env, 'CIRCLE_BRANCH'),
        url: named(env, 'CIRCLE_BUILD_URL'),
        attempt: [],
        actor: named(env, 'CIRCLE_USERNAME'),
        notes: [],
      }
    : undefined;
