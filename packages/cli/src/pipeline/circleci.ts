import { type CiSystem, type Claims, deployLines, type Env, FIRST_LINE, named, quoted } from './ci-system.js';

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

export const circleciSystem: CiSystem = {
  name: 'circleci',
  title: 'CircleCI',
  path: '.circleci/config.yml',
  traces: ['.circleci'],
  steps: ['Store the key as SHIPWORTHY_API_KEY in the context "shipworthy" under Organization Settings, Contexts.'],
  snippet: (values) => {
    const { apiUrl, app, branch, test, shipworthy } = values;
    return `# ${FIRST_LINE}
version: 2.1
jobs:
  ship:
    docker:
      - image: cimg/node:lts
        environment:
          SHIPWORTHY_API_URL: ${quoted(apiUrl)}
          SHIPWORTHY_APP: ${quoted(app)}
    steps:
      - checkout
      - run:
          name: Run the tests and record them
          command: npx --yes ${shipworthy} tests run --report 'reports/*.xml' -- ${test}
      # To begin with, gate --shadow says the verdict and lets everything pass.
      - run:
          name: Ask the ship gate
          command: npx --yes ${shipworthy} gate
      # Without the registry it deploys all the same; the gate before it does not.
      - run:
          name: Deploy and record it
          command: |
            ${deployLines(values, 12)}
workflows:
  shipworthy:
    jobs:
      - ship:
          context: shipworthy
          filters:
            branches:
              only: ${quoted(branch)}
`;
  },
};
