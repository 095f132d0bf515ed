import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const HEAD = '9fceb02d0ae598e95dc970b74767f19372d61af8';
/** What a pull request's run has checked out: a merge that no branch holds. */
export const MERGE = '0123456789abcdef0123456789abcdef01234567';

const repository = (owner: string) => ({
  id: owner.length,
  name: 'checkout',
  full_name: `${owner}/checkout`,
  private: false,
  fork: owner !== 'acme',
  owner: { login: owner, type: 'Organization' },
  default_branch: 'main',
  html_url: `https://github.com/${owner}/checkout`,
});

const SENDER = { login: 'ada', id: 1, type: 'User', site_admin: false };

const pullRequest = (headOwner: string | null) => ({
  action: 'synchronize',
  number: 5,
  pull_request: {
    number: 5,
    state: 'open',
    title: 'Pay faster',
    draft: false,
    user: SENDER,
    head: {
      label: `${headOwner ?? 'unknown'}:faster`,
      ref: 'faster',
      sha: HEAD,
      repo: headOwner === null ? null : repository(headOwner),
    },
    base: { label: 'acme:main', ref: 'main', sha: MERGE, repo: repository('acme') },
    merge_commit_sha: MERGE,
  },
  repository: repository('acme'),
  sender: SENDER,
});

/** The events that a run may begin with, as GITHUB_EVENT_PATH holds them. */
export const EVENTS = {
  push: {
    ref: 'refs/heads/main',
    before: MERGE,
    after: HEAD,
    forced: false,
    repository: repository('acme'),
    pusher: { name: 'ada', email: 'ada@example.org' },
    sender: SENDER,
    head_commit: { id: HEAD, message: 'Pay faster', author: { name: 'Ada', email: 'ada@example.org' } },
    commits: [],
  },
  pullRequest: pullRequest('acme'),
  fork: pullRequest('mallory'),
  deletedFork: pullRequest(null),
  /** `pull_request_target`: the same payload, in a run of the base that gets its secrets. */
  forkTarget: pullRequest('mallory'),
} as const;
export type EventName = keyof typeof EVENTS;

const OF_MAIN = { GITHUB_REF: 'refs/heads/main', GITHUB_REF_NAME: 'main', GITHUB_REF_PROTECTED: 'true' };

const refOf = (event: EventName): Readonly<Record<string, string>> => {
  if (event === 'push')
    return { ...OF_MAIN, GITHUB_EVENT_NAME: 'push', GITHUB_SHA: HEAD, GITHUB_HEAD_REF: '', GITHUB_BASE_REF: '' };
  const branches = { GITHUB_SHA: MERGE, GITHUB_HEAD_REF: 'faster', GITHUB_BASE_REF: 'main' };
  return event === 'forkTarget'
    ? { ...OF_MAIN, ...branches, GITHUB_EVENT_NAME: 'pull_request_target' }
    : {
        ...branches,
        GITHUB_EVENT_NAME: 'pull_request',
        GITHUB_REF: 'refs/pull/5/merge',
        GITHUB_REF_NAME: '5/merge',
        GITHUB_REF_PROTECTED: 'false',
      };
};

/** What the runner sets for every step of a job, as its documentation lists it. */
export const runnerEnv = async (folder: string, event: EventName, actor = 'ada'): Promise<Record<string, string>> => {
  const eventPath = join(folder, 'event.json');
  await writeFile(eventPath, JSON.stringify(EVENTS[event]));
  return {
    PATH: process.env.PATH ?? '',
    HOME: join(folder, 'home'),
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION: '__acme_shipworthy',
    GITHUB_ACTION_REF: 'v0.1.0',
    GITHUB_ACTION_REPOSITORY: 'acme/shipworthy',
    GITHUB_ACTOR: actor,
    GITHUB_ACTOR_ID: '1',
    GITHUB_API_URL: 'https://api.github.com',
    GITHUB_EVENT_PATH: eventPath,
    GITHUB_GRAPHQL_URL: 'https://api.github.com/graphql',
    GITHUB_JOB: 'ship',
    GITHUB_PATH: join(folder, 'path'),
    GITHUB_REF_TYPE: 'branch',
    GITHUB_REPOSITORY: 'acme/checkout',
    GITHUB_REPOSITORY_ID: '4',
    GITHUB_REPOSITORY_OWNER: 'acme',
    GITHUB_REPOSITORY_OWNER_ID: '3',
    GITHUB_RETENTION_DAYS: '90',
    GITHUB_RUN_ATTEMPT: '2',
    GITHUB_RUN_ID: '4711',
    GITHUB_RUN_NUMBER: '12',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    GITHUB_TRIGGERING_ACTOR: actor,
    GITHUB_WORKFLOW: 'ship',
    GITHUB_WORKFLOW_REF: 'acme/checkout/.github/workflows/ship.yml@refs/heads/main',
    GITHUB_WORKFLOW_SHA: HEAD,
    GITHUB_WORKSPACE: join(folder, 'work'),
    RUNNER_ARCH: 'X64',
    RUNNER_DEBUG: '',
    RUNNER_ENVIRONMENT: 'github-hosted',
    RUNNER_NAME: 'Hosted Agent',
    RUNNER_OS: 'Linux',
    RUNNER_TEMP: join(folder, 'temp'),
    RUNNER_TOOL_CACHE: join(folder, 'tools'),
    ...refOf(event),
  };
};
