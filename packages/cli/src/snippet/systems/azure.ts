import { type CiSystem, deployLines, FIRST_LINE, quoted } from '../ci-system.js';

export const azure: CiSystem = {
  name: 'azure',
  title: 'Azure Pipelines',
  path: 'azure-pipelines-shipworthy.yml',
  single: false,
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
