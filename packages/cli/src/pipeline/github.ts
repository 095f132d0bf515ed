import {
  type CiSystem,
  type Claim,
  type Claims,
  composed,
  deployLines,
  type Env,
  FIRST_LINE,
  named,
  quoted,
} from './ci-system.js';

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

/** Whether GITHUB_SHA is not the commit that was pushed, so that the event has to be read. */
export const isPullRequest = (env: Env): boolean => (env.GITHUB_EVENT_NAME ?? '').startsWith('pull_request');

const headOf = (event: unknown): readonly Claim[] => {
  const sha = member(member(member(event, 'pull_request'), 'head'), 'sha');
  return typeof sha === 'string' ? [{ name: 'pull_request.head.sha of the event', value: sha }] : [];
};

const notesOn = (env: Env, head: readonly Claim[]): readonly string[] => {
  if (isPullRequest(env) && head.length === 0)
    return [
      'The event of the pull request could not be read: GITHUB_SHA is not the head commit; --commit says which it is.',
    ];
  if (env.GITHUB_EVENT_NAME === 'workflow_run')
    return ['After workflow_run GITHUB_SHA is the newest commit of the default branch; --commit names another one.'];
  return [];
};

/**
 * GitHub Actions. On a pull request GITHUB_SHA is a merge commit that exists nowhere else (or the base, for
 * `pull_request_target`), so the head is taken from the event that GITHUB_EVENT_PATH holds.
 */
export const githubClaims = (env: Env, event: unknown): Claims | undefined => {
  if (env.GITHUB_ACTIONS !== 'true') return undefined;
  const head = isPullRequest(env) ? headOf(event) : [];
  const run = ['GITHUB_SERVER_URL', 'GITHUB_REPOSITORY', 'GITHUB_RUN_ID'];
  const page = (server?: string, repository?: string, id?: string) => `${server}/${repository}/actions/runs/${id}`;
  return {
    system: 'github',
    commit: [...head, ...named(env, 'GITHUB_SHA')],
    branch: [...named(env, 'GITHUB_HEAD_REF'), ...(env.GITHUB_REF_TYPE === 'tag' ? [] : named(env, 'GITHUB_REF_NAME'))],
    url: [
      ...composed(env, [...run, 'GITHUB_RUN_ATTEMPT'], (...all) => `${page(...all)}/attempts/${all[3]}`),
      ...composed(env, run, page),
    ],
    attempt: named(env, 'GITHUB_RUN_ATTEMPT'),
    actor: named(env, 'GITHUB_TRIGGERING_ACTOR', 'GITHUB_ACTOR'),
    notes: notesOn(env, head),
  };
};

export const githubSystem: CiSystem = {
  name: 'github',
  title: 'GitHub Actions',
  path: '.github/workflows/shipworthy.yml',
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
