import { type CiSystem, type Claims, composed, deployLines, type Env, FIRST_LINE, named, quoted } from './ci-system.js';

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
        // The variable counts repetitions, from 0.
        attempt: composed(env, ['BUILDKITE_RETRY_COUNT'], (count) => String(Number(count) + 1)),
        actor: named(env, 'BUILDKITE_UNBLOCKER', 'BUILDKITE_BUILD_CREATOR'),
        notes: [],
      }
    : undefined;

// When the agent uploads the file, it fills in variables after one dollar sign; two of them leave that to the step.
const KEY = 'export SHIPWORTHY_API_KEY="$$(buildkite-agent secret get SHIPWORTHY_API_KEY)"';

export const buildkiteSystem: CiSystem = {
  name: 'buildkite',
  title: 'Buildkite',
  path: '.buildkite/shipworthy.yml',
  traces: ['.buildkite'],
  steps: [
    'Store the key as the secret SHIPWORTHY_API_KEY of the cluster.',
    'Upload the file from your pipeline: buildkite-agent pipeline upload .buildkite/shipworthy.yml',
  ],
  snippet: (values) => {
    const { apiUrl, app, test, shipworthy } = values;
    return `# ${FIRST_LINE}
env:
  SHIPWORTHY_API_URL: ${quoted(apiUrl)}
  SHIPWORTHY_APP: ${quoted(app)}
steps:
  - label: Run the tests and record them
    key: shipworthy-tests
    if: build.branch == pipeline.default_branch && build.pull_request.id == null
    command: |
      ${KEY}
      npx --yes ${shipworthy} tests run --report 'reports/*.xml' -- ${test}
  - label: Ask the ship gate, deploy and record it
    depends_on: shipworthy-tests
    if: build.branch == pipeline.default_branch && build.pull_request.id == null
    # To begin with, gate --shadow says the verdict and lets everything pass.
    command: |
      set -e
      ${KEY}
      npx --yes ${shipworthy} gate
      # Without the registry it deploys all the same; the gate before it does not.
      ${deployLines(values, 6)}
`;
  },
};
