import {
  type CiSystem,
  type Claims,
  composed,
  deployLines,
  type Env,
  FIRST_LINE,
  named,
  quoted,
  withoutRefs,
} from './ci-system.js';

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

export const azureSystem: CiSystem = {
  name: 'azure',
  title: 'Azure Pipelines',
  path: 'azure-pipelines-shipworthy.yml',
  traces: ['azure-pipelines.yml', 'azure-pipelines-shipworthy.yml'],
  steps: [
    'Store the key as the secret variable SHIPWORTHY_API_KEY of the pipeline.',
    'Make a pipeline from the file: Pipelines, New pipeline, Existing Azure Pipelines YAML file.',
  ],
  snippet: (values) => {
    const { apiUrl, app, branch, test, shipworthy } = values;
    return `# ${FIRST_LINE}
trigger:
  - ${quoted(branch)}
pr: none
pool:
  vmImage: ubuntu-latest
variables:
  SHIPWORTHY_API_URL: ${quoted(apiUrl)}
  SHIPWORTHY_APP: ${quoted(app)}
steps:
  - task: UseNode@1
    inputs:
      version: 22.x
  # A secret variable reaches a step only where it is named.
  - script: npx --yes ${shipworthy} tests run --report 'reports/*.xml' -- ${test}
    displayName: Run the tests and record them
    env:
      SHIPWORTHY_API_KEY: $(SHIPWORTHY_API_KEY)
  # To begin with, gate --shadow says the verdict and lets everything pass.
  - script: npx --yes ${shipworthy} gate
    displayName: Ask the ship gate
    env:
      SHIPWORTHY_API_KEY: $(SHIPWORTHY_API_KEY)
  # Without the registry it deploys all the same; the gate before it does not.
  - script: |
      ${deployLines(values, 6)}
    displayName: Deploy and record it
    env:
      SHIPWORTHY_API_KEY: $(SHIPWORTHY_API_KEY)
`;
  },
};
