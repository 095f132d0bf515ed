import { type CiSystem, type Claims, composed, deployLines, type Env, FIRST_LINE, named, quoted } from './ci-system.js';

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
        // Bitbucket names people by ids that say nothing to a reader.
        actor: [],
        notes: [],
      }
    : undefined;

export const bitbucketSystem: CiSystem = {
  name: 'bitbucket',
  title: 'Bitbucket Pipelines',
  path: 'bitbucket-pipelines.yml',
  traces: ['bitbucket-pipelines.yml'],
  steps: ['Store the key as the secured variable SHIPWORTHY_API_KEY under Repository settings, Repository variables.'],
  snippet: (values) => {
    const { apiUrl, app, branch, test, shipworthy } = values;
    return `# ${FIRST_LINE}
image: node:22
pipelines:
  branches:
    ${quoted(branch)}:
      - step:
          name: Run the tests and record them
          script:
            - export SHIPWORTHY_API_URL=${quoted(apiUrl)} SHIPWORTHY_APP=${quoted(app)}
            - npx --yes ${shipworthy} tests run --report 'reports/*.xml' -- ${test}
      - step:
          name: Ask the ship gate, deploy and record it
          deployment: production
          script:
            - export SHIPWORTHY_API_URL=${quoted(apiUrl)} SHIPWORTHY_APP=${quoted(app)}
            # To begin with, gate --shadow says the verdict and lets everything pass.
            - npx --yes ${shipworthy} gate
            # Without the registry it deploys all the same; the gate before it does not.
            - |
              ${deployLines(values, 14)}
`;
  },
};
