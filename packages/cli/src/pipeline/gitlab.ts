import { type CiSystem, type Claims, deployLines, type Env, FIRST_LINE, named, quoted } from './ci-system.js';

/** GitLab CI. In a merged results pipeline CI_COMMIT_SHA is the merge commit; the source branch's own variable is set only there. */
export const gitlabClaims = (env: Env): Claims | undefined =>
  env.GITLAB_CI
    ? {
        system: 'gitlab',
        commit: named(
          env,
          'CI_MERGE_REQUEST_SOURCE_BRANCH_SHA',
          'CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_SHA',
          'CI_COMMIT_SHA',
        ),
        branch: named(
          env,
          'CI_MERGE_REQUEST_SOURCE_BRANCH_NAME',
          'CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_NAME',
          'CI_COMMIT_BRANCH',
        ),
        url: named(env, 'CI_JOB_URL', 'CI_PIPELINE_URL'),
        attempt: [],
        actor: named(env, 'GITLAB_USER_LOGIN'),
        notes: [],
      }
    : undefined;

export const gitlabSystem: CiSystem = {
  name: 'gitlab',
  title: 'GitLab CI/CD',
  path: '.gitlab/shipworthy.yml',
  traces: ['.gitlab-ci.yml', '.gitlab'],
  steps: [
    'Store the key as the masked and protected variable SHIPWORTHY_API_KEY under Settings, CI/CD, Variables.',
    'Include the file in .gitlab-ci.yml: include: [{ local: .gitlab/shipworthy.yml }]',
  ],
  snippet: (values) => {
    const { apiUrl, app, test, shipworthy } = values;
    return `# ${FIRST_LINE}
.shipworthy:
  image: node:22
  rules:
    - if: $CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  variables:
    SHIPWORTHY_API_URL: ${quoted(apiUrl)}
    SHIPWORTHY_APP: ${quoted(app)}

shipworthy-tests:
  extends: .shipworthy
  stage: test
  script:
    - npx --yes ${shipworthy} tests run --report 'reports/*.xml' -- ${test}

shipworthy-deploy:
  extends: .shipworthy
  stage: deploy
  script:
    # To begin with, gate --shadow says the verdict and lets everything pass.
    - npx --yes ${shipworthy} gate
    # Without the registry it deploys all the same; the gate before it does not.
    - |
      ${deployLines(values, 6)}
`;
  },
};
