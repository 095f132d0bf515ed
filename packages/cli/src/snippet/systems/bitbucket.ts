import { type CiSystem, deployLines, FIRST_LINE, quoted } from '../ci-system.js';

export const bitbucket: CiSystem = {
  name: 'bitbucket',
  title: 'Bitbucket Pipelines',
  path: 'bitbucket-pipelines.yml',
  single: true,
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
