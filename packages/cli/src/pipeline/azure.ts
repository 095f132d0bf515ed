import { type Claims, composed, type Env, named, withoutRefs } from './claim.js';

/** Azure Pipelines. In a pull request's build BUILD_SOURCEVERSION is the merge commit. */
export const azureClaims = (env: Env): Claims | undefined =>
  env.TF_BUILD
    ? {
        system: 'azure',
        commit: named(env, 'SYSTEM_PULLREQUEST_SOURCECOMMITID', 'BUILD_SOURCEVERSION'),
        branch: withoutRefs(named(env, 'SYSTEM_PULLREQUEST_SOURCEBRANCH', 'BUILD_SOURCEBRANCH')),
        url: ['SYSTEM_COLLECTIONURI', 'SYSTEM_TEAMFOUNDATIONCOLLECTIONURI'].flatMap((collection) =>
          composed(
            env,
            [collection, 'SYSTEM_TEAMPROJECT', 'BUILD_BUILDID'],
            (address = '', project = '', build = '') =>
              `${address.replace(/\/+$/, '')}/${encodeURIComponent(project)}/_build/results?buildId=${encodeURIComponent(build)}`,
          ),
        ),
        attempt: named(env, 'SYSTEM_JOBATTEMPT'),
        actor: named(env, 'BUILD_REQUESTEDFOR'),
        notes: [],
      }
    : undefined;
