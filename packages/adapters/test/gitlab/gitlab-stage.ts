import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HookDelivery } from '@shipworthy/domain/ports';
import { gitlabHost } from '../../src/gitlab/gitlab-host.js';
import type { HookOptions, HookSubject, HostFault, HostStage } from '../contract/host/host-stage.js';
import type { Fault } from '../gitlab-server/faults.js';
import { gitlabServer } from '../gitlab-server/gitlab-server.js';
import { approve } from '../gitlab-server/oauth.js';
import { gitlabWorld, type Known } from './gitlab-world.js';
import { REDIRECT, SECRET_KEY } from './opened.js';

/** Another origin, which takes down whether it was shown a grant. */
const elsewhere = async () => {
  let shown = false;
  const server = createServer((request, response) => {
    shown ||= request.headers.authorization !== undefined;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    leaked: () => shown,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
};

const faultOf = (fault: HostFault, otherOrigin: string, now: number): Fault => {
  if (typeof fault === 'object') {
    const headers = { 'retry-after': String(Math.ceil((fault.limitedUntil - now) / 1000)) };
    return { kind: 'json', status: 429, body: { message: 'Retry later' }, headers };
  }
  switch (fault) {
    case 'slow':
      return { kind: 'slow', ms: 4000 };
    case 'silent':
    case 'cut':
      return { kind: fault };
    case 'server-error':
      return { kind: 'json', status: 500, body: { message: '500 Internal Server Error' } };
    case 'forbidden':
      return { kind: 'json', status: 403, body: { message: '403 Forbidden' } };
    case 'page':
      return { kind: 'page', status: 200 };
    case 'page-unauthorized':
      return { kind: 'page', status: 401 };
    case 'page-bad-gateway':
      return { kind: 'page', status: 502 };
    case 'elsewhere':
      return { kind: 'redirect', to: otherOrigin };
    case 'unreachable':
      return { kind: 'reset' };
  }
};

const EVENTS = {
  milestone: 'Milestone Hook',
  deployment: 'Deployment Hook',
  test_run: 'Pipeline Hook',
  issue: 'Issue Hook',
  issue_gone: 'Confidential Issue Hook',
  nothing: 'Note Hook',
} as const;

const deliveryOf = (
  known: Known,
  subject: HookSubject,
  { secret, deliveryId }: HookOptions,
): Omit<HookDelivery, 'projectId'> => {
  const row = 'issue' in subject ? known.issue(subject.issue).row : undefined;
  const attributes =
    row === undefined ? { status: 'success' } : { id: row.id, iid: row.iid, moved_to_id: row.moved_to_id };
  return {
    headers: {
      'content-type': 'application/json',
      'x-gitlab-event': EVENTS[subject.about],
      'x-gitlab-event-uuid': randomUUID(),
      'x-gitlab-token': secret,
      'idempotency-key': deliveryId ?? randomUUID(),
    },
    body: Buffer.from(
      JSON.stringify({ project: { id: Number(subject.repository.id) }, object_attributes: attributes }),
    ),
  };
};

/** A stage for the contract of repository hosts: the adapter, and a local GitLab that it talks to. */
export const openGitlabStage = async (): Promise<HostStage> => {
  const clock = Date.now;
  const server = await gitlabServer(clock);
  const other = await elsewhere();
  const { world } = server;
  const { clientId, clientSecret } = world;
  const { known, ...hostWorld } = gitlabWorld(server);
  return {
    host: gitlabHost({ clientId, clientSecret, url: server.url, secretKey: SECRET_KEY, clock }),
    clock,
    gives: {
      history: false,
      validators: { milestones: true, issues: true, deployments: true },
      types: true,
      lastingGrants: false,
      issuesGone: false,
    },
    world: hostWorld,
    redirectUrl: REDIRECT,
    accountName: 'ada',
    approve: async (url) => approve(world, url, 'ada'),
    makeToken: (power) => {
      const access = `glpat-${randomUUID()}`;
      const expiresAt = Number.POSITIVE_INFINITY;
      const scopes = power === 'writes' ? ['read_api', 'api'] : ['read_api', 'read_user'];
      const pair = { access, refresh: randomUUID(), account: 'ada', redirectUrl: '', expiresAt, ended: false };
      world.pairs.push({ ...pair, scopes });
      return access;
    },
    endGrantsSoon: () => undefined,
    expireGrants: () => {
      for (const pair of world.pairs) pair.expiresAt = clock();
    },
    revokeGrants: () => {
      for (const pair of world.pairs) pair.ended = true;
    },
    hasGrants: () => world.pairs.some(({ ended }) => !ended),
    fail: (fault, times = Number.POSITIVE_INFINITY) => server.fail(faultOf(fault, other.url, clock()), times),
    recover: () => server.recover(),
    leaked: other.leaked,
    requests: () =>
      server.seen.map(({ method, path, status, headers }) => ({
        method,
        path,
        status: status ?? 0,
        conditional: headers['if-none-match'] !== undefined,
      })),
    delivery: (subject, options) => deliveryOf(known, subject, options),
    close: async () => {
      await Promise.all([server.close(), other.close()]);
    },
  };
};
