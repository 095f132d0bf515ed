export const HEAD = '9fceb02d0ae598e95dc970b74767f19372d61af8';
/** What a merged results pipeline has checked out. */
export const MERGE = '0123456789abcdef0123456789abcdef01234567';

const ALWAYS = {
  CI: 'true',
  GITLAB_CI: 'true',
  CI_API_V4_URL: 'https://gitlab.example/api/v4',
  CI_DEFAULT_BRANCH: 'main',
  CI_JOB_ID: '5',
  CI_JOB_NAME: 'shipworthy-gate',
  CI_JOB_STAGE: 'deploy',
  CI_JOB_URL: 'https://gitlab.example/acme/checkout/-/jobs/5',
  CI_PIPELINE_ID: '9',
  CI_PIPELINE_IID: '3',
  CI_PIPELINE_URL: 'https://gitlab.example/acme/checkout/-/pipelines/9',
  CI_PROJECT_ID: '4',
  CI_PROJECT_NAME: 'checkout',
  CI_PROJECT_NAMESPACE: 'acme',
  CI_PROJECT_PATH: 'acme/checkout',
  CI_PROJECT_URL: 'https://gitlab.example/acme/checkout',
  CI_RUNNER_ID: '8',
  CI_SERVER: 'yes',
  CI_SERVER_URL: 'https://gitlab.example',
  CI_SERVER_VERSION: '18.5.0',
  GITLAB_USER_EMAIL: 'ada@example.org',
  GITLAB_USER_ID: '1',
  GITLAB_USER_LOGIN: 'ada',
  GITLAB_USER_NAME: 'Ada',
};

const ON_MERGE_REQUEST = {
  CI_PIPELINE_SOURCE: 'merge_request_event',
  CI_COMMIT_REF_NAME: 'faster',
  CI_MERGE_REQUEST_ID: '55',
  CI_MERGE_REQUEST_IID: '5',
  CI_MERGE_REQUEST_PROJECT_ID: '4',
  CI_MERGE_REQUEST_PROJECT_PATH: 'acme/checkout',
  CI_MERGE_REQUEST_REF_PATH: 'refs/merge-requests/5/head',
  CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'faster',
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
  CI_MERGE_REQUEST_TITLE: 'Pay faster',
};

/** What GitLab sets for a job of each kind of pipeline, as its documentation lists it. */
export const PIPELINES = {
  branch: {
    ...ALWAYS,
    CI_PIPELINE_SOURCE: 'push',
    CI_COMMIT_BRANCH: 'main',
    CI_COMMIT_REF_NAME: 'main',
    CI_COMMIT_REF_PROTECTED: 'true',
    CI_COMMIT_SHA: HEAD,
    CI_COMMIT_SHORT_SHA: HEAD.slice(0, 8),
  },
  mergeRequest: {
    ...ALWAYS,
    ...ON_MERGE_REQUEST,
    CI_COMMIT_SHA: MERGE,
    CI_COMMIT_SHORT_SHA: MERGE.slice(0, 8),
    CI_MERGE_REQUEST_EVENT_TYPE: 'merged_result',
    CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: HEAD,
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '4',
    CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'acme/checkout',
  },
  fork: {
    ...ALWAYS,
    ...ON_MERGE_REQUEST,
    CI_COMMIT_SHA: HEAD,
    CI_COMMIT_SHORT_SHA: HEAD.slice(0, 8),
    CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
    CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '',
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '17',
    CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'mallory/checkout',
    CI_PROJECT_ID: '17',
    CI_PROJECT_NAMESPACE: 'mallory',
    CI_PROJECT_PATH: 'mallory/checkout',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;
export type PipelineName = keyof typeof PIPELINES;
