import { type CiSystem, deployLines, FIRST_LINE, quoted } from '../ci-system.js';

export const github: CiSystem = {
  name: 'github',
  title: 'GitHub Actions',
  path: '.github/workflows/shipworthy.yml',
  single: false,
  traces: ['.github/workflows'],
  steps: ['Store the key as the secret SHIPWORTHY_API_KEY under Settings, Secrets and variables, Actions.'],
  snippet: (values) => {
    const { apiUrl, app, branch, test, shipworthy } = values;
    return `# ${FIRST_LINE}
name: shipworthy
on:
  push:
    branches: [${quoted(branch)}]
permissions:
  contents: read
env:
  SHIPWORTHY_API_URL: ${quoted(apiUrl)}
  SHIPWORTHY_APP: ${quoted(app)}
jobs:
  ship:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 22
      - name: Run the tests and record them
        run: npx --yes ${shipworthy} tests run --report 'reports/*.xml' -- ${test}
        env:
          SHIPWORTHY_API_KEY: \${{ secrets.SHIPWORTHY_API_KEY }}
      # To begin with, gate --shadow says the verdict and lets everything pass.
      - name: Ask the ship gate
        run: npx --yes ${shipworthy} gate
        env:
          SHIPWORTHY_API_KEY: \${{ secrets.SHIPWORTHY_API_KEY }}
      # Without the registry it deploys all the same; the gate before it does not.
      - name: Deploy and record it
        run: |
          ${deployLines(values, 10)}
        env:
          SHIPWORTHY_API_KEY: \${{ secrets.SHIPWORTHY_API_KEY }}
`;
  },
};
