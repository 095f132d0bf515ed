import type { PipelineRun } from '../../src/pipeline/read-pipeline.js';

export const HEAD = '9fceb02d0ae598e95dc970b74767f19372d61af8';
export const MERGE = '0123456789abcdef0123456789abcdef01234567';

type Row = readonly [name: string, env: Readonly<Record<string, string>>, run: Readonly<Omit<PipelineRun, 'assumed'>>];

export const GITHUB = {
  GITHUB_ACTIONS: 'true',
  GITHUB_EVENT_NAME: 'push',
  GITHUB_SHA: HEAD,
  GITHUB_REF_NAME: 'main',
  GITHUB_REF_TYPE: 'branch',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'acme/checkout',
  GITHUB_RUN_ID: '4711',
  GITHUB_RUN_ATTEMPT: '2',
  GITHUB_ACTOR: 'ada',
  GITHUB_TRIGGERING_ACTOR: 'grace',
};
const AZURE = {
  TF_BUILD: 'True',
  BUILD_SOURCEVERSION: HEAD,
  BUILD_SOURCEBRANCH: 'refs/heads/feature/a',
  SYSTEM_COLLECTIONURI: 'https://dev.azure.com/acme/',
  SYSTEM_TEAMPROJECT: 'Web Shop',
  BUILD_BUILDID: '77',
  SYSTEM_JOBATTEMPT: '1',
  BUILD_REQUESTEDFOR: 'Ada Lovelace',
};
const GITLAB = {
  GITLAB_CI: 'true',
  CI_COMMIT_SHA: HEAD,
  CI_COMMIT_BRANCH: 'main',
  CI_JOB_URL: 'https://gitlab.example/acme/checkout/-/jobs/5',
  GITLAB_USER_LOGIN: 'ada',
};
export const JENKINS = {
  JENKINS_URL: 'https://jenkins.example/',
  GIT_COMMIT: HEAD,
  BRANCH_NAME: 'main',
  BUILD_URL: 'https://jenkins.example/job/checkout/12/',
};
const gitlabRun = { system: 'gitlab', commit: HEAD, branch: 'main', url: GITLAB.CI_JOB_URL, actor: 'ada' };
const azureRun = {
  system: 'azure',
  commit: HEAD,
  branch: 'feature/a',
  url: 'https://dev.azure.com/acme/Web%20Shop/_build/results?buildId=77',
  attempt: 1,
  actor: 'Ada Lovelace',
};

/** What each system sets, and what is read of it. */
export const ROWS: readonly Row[] = [
  [
    'GitHub Actions',
    GITHUB,
    {
      system: 'github',
      commit: HEAD,
      branch: 'main',
      url: 'https://github.com/acme/checkout/actions/runs/4711/attempts/2',
      attempt: 2,
      actor: 'grace',
    },
  ],
  ['GitLab CI', GITLAB, gitlabRun],
  [
    'GitLab CI, merged results',
    {
      ...GITLAB,
      CI_COMMIT_SHA: MERGE,
      CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: HEAD,
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'main',
    },
    gitlabRun,
  ],
  ['GitLab CI, merge request pipeline', { ...GITLAB, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '' }, gitlabRun],
  [
    'Buildkite',
    {
      BUILDKITE: 'true',
      BUILDKITE_COMMIT: HEAD,
      BUILDKITE_BRANCH: 'main',
      BUILDKITE_BUILD_URL: 'https://buildkite.com/acme/checkout/builds/9',
      BUILDKITE_JOB_ID: '0193-a',
      BUILDKITE_RETRY_COUNT: '1',
      BUILDKITE_BUILD_CREATOR: 'Ada',
    },
    {
      system: 'buildkite',
      commit: HEAD,
      branch: 'main',
      url: 'https://buildkite.com/acme/checkout/builds/9#0193-a',
      attempt: 2,
      actor: 'Ada',
    },
  ],
  [
    'CircleCI',
    {
      CIRCLECI: 'true',
      CIRCLE_SHA1: HEAD,
      CIRCLE_BRANCH: 'main',
      CIRCLE_BUILD_URL: 'https://circleci.com/gh/acme/checkout/3',
      CIRCLE_USERNAME: 'ada',
    },
    {
      system: 'circleci',
      commit: HEAD,
      branch: 'main',
      url: 'https://circleci.com/gh/acme/checkout/3',
      actor: 'ada',
    },
  ],
  ['Jenkins', JENKINS, { system: 'jenkins', commit: HEAD, branch: 'main', url: JENKINS.BUILD_URL }],
  [
    'Jenkins, pull request',
    { ...JENKINS, GIT_COMMIT: MERGE, CHANGE_ID: '5', CHANGE_BRANCH: 'fix', GITHUB_PR_HEAD_SHA: HEAD },
    { system: 'jenkins', commit: HEAD, branch: 'fix', url: JENKINS.BUILD_URL },
  ],
  ['Azure Pipelines', AZURE, azureRun],
  [
    'Azure Pipelines, pull request',
    {
      ...AZURE,
      BUILD_SOURCEVERSION: MERGE,
      BUILD_SOURCEBRANCH: 'refs/pull/5/merge',
      SYSTEM_PULLREQUEST_SOURCECOMMITID: HEAD,
      SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/feature/a',
    },
    azureRun,
  ],
  [
    'Bitbucket Pipelines',
    {
      BITBUCKET_BUILD_NUMBER: '8',
      BITBUCKET_PIPELINE_UUID: '{a}',
      BITBUCKET_COMMIT: HEAD,
      BITBUCKET_BRANCH: 'main',
      BITBUCKET_REPO_FULL_NAME: 'acme/checkout',
      BITBUCKET_STEP_RUN_NUMBER: '1',
    },
    {
      system: 'bitbucket',
      commit: HEAD,
      branch: 'main',
      url: 'https://bitbucket.org/acme/checkout/pipelines/results/8',
      attempt: 1,
    },
  ],
];
