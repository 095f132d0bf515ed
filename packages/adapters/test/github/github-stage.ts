import type { HookDelivery } from '@shipworthy/domain/ports';
import { githubHost } from '../../src/github/github-host.js';
import type { HookOptions, HookSubject, HostFault, HostStage } from '../contract/host/host-stage.js';
import { type Fault, type HookEvent, type Repository, signedHook, startGitHubServer } from '../github-server/index.js';
import { githubWorld, type Known } from './github-world.js';

const ACCOUNT = 'octo';
const REDIRECT = 'http://localhost:7000/api/settings/github/callback';
const SECRET_KEY = new Uint8Array(32).fill(7);
const SLOW_MS = 4000;
const LASTING_SECONDS = 28_800;

const faultOf = (fault: HostFault): Fault => {
  if (typeof fault === 'object') return { kind: 'primary-limit', resetAt: fault.limitedUntil };
  switch (fault) {
    case 'slow':
      return { kind: 'delay', ms: SLOW_MS };
    case 'silent':
      return { kind: 'hang' };
    case 'server-error':
      return { kind: 'error', status: 500 };
    case 'forbidden':
      return { kind: 'error', status: 403 };
    case 'page':
      return { kind: 'page', status: 200 };
    case 'page-unauthorized':
      return { kind: 'page', status: 401 };
    case 'page-bad-gateway':
      return { kind: 'page', status: 502 };
    case 'cut':
      return { kind: 'cut' };
    case 'elsewhere':
      return { kind: 'redirect-outside' };
    case 'unreachable':
      return { kind: 'reset' };
  }
};

const eventOf = (known: Known, repository: Repository, subject: HookSubject): HookEvent => {
  const [milestone] = repository.milestones;
  const [deployment] = repository.deployments;
  const [run] = repository.workflowRuns;
  switch (subject.about) {
    case 'issue':
      return { name: 'issues', action: 'edited', repository, issue: known.issue(subject.issue) };
    case 'issue_gone':
      return { name: 'issues', action: 'deleted', repository, issue: known.issue(subject.issue) };
    case 'milestone':
      if (milestone === undefined) break;
      return { name: 'milestone', action: 'edited', repository, milestone };
    case 'deployment':
      if (deployment === undefined) break;
      return { name: 'deployment', action: 'created', repository, deployment };
    case 'test_run':
      if (run === undefined) break;
      return { name: 'workflow_run', action: 'completed', repository, run };
    case 'nothing':
      return { name: 'push', action: '', repository };
  }
  throw new Error(`this repository has no ${subject.about} to tell of`);
};

export interface GithubStageOptions {
  /** `/api/v3` makes it an Enterprise Server. */
  readonly apiPath?: '' | '/api/v3';
  readonly issueTypes?: boolean;
}

/** A stage for the contract of repository hosts: the adapter, and a local GitHub that it talks to. */
export const openGithubStage = async (options: GithubStageOptions = {}): Promise<HostStage> => {
  const clock = Date.now;
  const server = await startGitHubServer({ clock, ...options, app: { redirectUrls: [REDIRECT] } });
  server.approveAs(ACCOUNT);
  const { webUrl, apiUrl, app } = server;
  const { known, ...world } = githubWorld(server, ACCOUNT);
  const host = githubHost({
    clientId: app.clientId,
    clientSecret: app.clientSecret,
    apiUrl: new URL(apiUrl),
    webUrl: new URL(webUrl),
    secretKey: SECRET_KEY,
    clock,
  });
  const delivery = (subject: HookSubject, seal: HookOptions): Omit<HookDelivery, 'projectId'> =>
    signedHook(server, eventOf(known, known.repository(subject.repository), subject), seal);
  return {
    host,
    clock,
    gives: {
      history: true,
      validators: { milestones: true, issues: true, deployments: true },
      types: options.issueTypes ?? true,
      lastingGrants: true,
      issuesGone: true,
    },
    world,
    redirectUrl: REDIRECT,
    accountName: ACCOUNT,
    approve: async (url) => {
      const response = await fetch(url, { redirect: 'manual' });
      await response.arrayBuffer();
      return new URL(response.headers.get('location') ?? url);
    },
    makeToken: (power) => server.tokenFor(ACCOUNT, power === 'writes' ? 'repo, read:org' : 'read:org, user:email'),
    endGrantsSoon: () => server.approvals.tokensLast(LASTING_SECONDS),
    expireGrants: server.expireTokens,
    revokeGrants: server.revokeTokens,
    hasGrants: server.approvals.anyLeft,
    fail: (fault, times = Number.POSITIVE_INFINITY) => server.faults.inject(faultOf(fault), { times }),
    recover: server.faults.clear,
    leaked: server.leaked,
    requests: () => server.requests.all,
    delivery,
    close: server.close,
  };
};
