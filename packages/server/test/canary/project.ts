import type { GitHubServer } from '@shipworthy/adapters/test-host';
import { isEvent, listen } from '../harness/listen.js';
import { FINISHED, RUN } from '../harness/reports.js';
import type { Receiving } from './outside.js';
import type { Teller } from './teller.js';

const post = (body: unknown) => ({ method: 'POST', body });
const put = (body: unknown) => ({ method: 'PUT', body });

export const connectHost = async (teller: Teller, github: GitHubServer, project: string): Promise<void> => {
  const issue = github.approvals.issue;
  github.approvals.issue = (account) => {
    const issued = issue(account);
    teller.found('the token of the host', issued.token, []);
    return issued;
  };
  const { url } = await teller.data('connecting', '/api/settings/github/connect', { method: 'POST' });
  const sentBack = await fetch(String(url), { redirect: 'manual' });
  const { pathname, search, searchParams } = new URL(sentBack.headers.get('location') ?? '');
  teller.found('the code of the host', searchParams.get('code'), []);
  teller.found('the state of the approval', searchParams.get('state'), ['the answer of connecting']);
  const approved = await teller.ask('approval', `${pathname}${search}`);
  if (approved.status !== 200) throw new Error(approved.text);
  await teller.ask('approval again', `${pathname}${search}`);
  await teller.ask('the connection', '/api/settings/github');
  await teller.ask('the check', '/api/settings/github/check');
  await teller.ask('repositories', '/api/settings/github/repositories');
  await teller.data('linking', `${project}/repository`, put({ repository: 'acme/shop' }));
  // The values people enter at the host are in the answer that gives them.
  const { secret } = await teller.data("the host's webhook", `${project}/repository/webhook`);
  teller.found("the secret of the host's webhook", secret, ["the answer of the host's webhook"]);
  await teller.ask('import', `${project}/issues/import`, { method: 'POST' });
  github.faults.inject({ kind: 'error', status: 500 }, { times: 3 });
  await teller.ask('the check of a failing host', '/api/settings/github/check');
  github.faults.clear();
  await teller.ask('disconnecting', '/api/settings/github', { method: 'DELETE' });
  await connectByToken(teller, github);
};

/** Connects by a token of the person's own, by one that the host refuses, and while the host fails. */
const connectByToken = async (teller: Teller, github: GitHubServer): Promise<void> => {
  const connect = (name: string, token: string) => teller.ask(name, '/api/settings/github/token', post({ token }));
  const invented = teller.plant('an invented token of the host');
  const refused = await connect('a refused token', invented);
  if (refused.status < 400) throw new Error(`The host took an invented token: ${refused.text}`);
  await connect('a broken token', `${invented} with a blank`);
  const token = teller.found('a token of the person', github.tokenFor('octo'), []);
  github.faults.inject({ kind: 'error', status: 500 }, { times: 1 });
  await connect('a token while the host fails', token);
  github.faults.clear();
  const connected = await connect('a token', token);
  if (connected.status !== 200) throw new Error(connected.text);
  for (const path of ['/api/settings/github', '/api/settings/github/check', '/api/settings/github/repositories'])
    await teller.ask(`${path} by a token`, path);
  await connect('the same token', token);
};

/** Makes webhooks, gives them other secrets, has something sent and sees what came of it. */
export const sendEvents = async (teller: Teller, receiving: Receiving, project: string): Promise<void> => {
  const types = ['release.shipped', 'gate.changed'];
  const password = teller.plant('the password in an address');
  const withUser = { url: `https://ada:${password}@hooks.acme.dev/`, types };
  await teller.ask('a webhook with a user', `${project}/webhooks`, post(withUser));
  const made = await teller.data('a webhook', `${project}/webhooks`, post({ url: receiving.url, types }));
  teller.found("the webhook's secret", made.secret, ['the answer of a webhook']);
  const webhook = `${project}/webhooks/${made.id}`;
  const rotated = await teller.data('another secret', `${webhook}/rotate-secret`, { method: 'POST' });
  teller.found("the webhook's other secret", rotated.secret, ['the answer of another secret']);
  await teller.ask('a changed webhook', webhook, { method: 'PATCH', body: { url: withUser.url } });
  await teller.ask('a test', `${webhook}/test`, { method: 'POST' });
  await receiving.until(1);
  for (const path of [webhook, `${webhook}/deliveries`, `${project}/webhooks`]) await teller.ask(path, path);
};

/** Reports, ships and reads everything that can be read of a project. */
export const reportAndRead = async (teller: Teller, url: string, key: string, team: string): Promise<void> => {
  const { id } = await teller.data('a project', `${team}/projects`, post({ name: 'checkout' }));
  const project = `${team}/projects/${id}`;
  const release = await teller.data('a release', `${project}/releases`, post({ name: '2.4' }));
  const at = `${project}/releases/${release.id}`;
  await teller.data('activating', `${at}/activate`, { method: 'POST' });
  const authorization = `Bearer ${key}`;
  const stream = await listen(`${url}/api/events`, { authorization });
  const headers = { authorization, 'idempotency-key': 'once' };
  for (const name of ['a deployment', 'the same deployment'])
    await teller.data(name, '/api/deployments', { ...post(FINISHED), headers });
  await teller.data('a test run', `${project}/test-runs`, { ...post(RUN), headers });
  const badge = await teller.data('a badge', `${project}/badge`, { method: 'PUT' });
  const token = teller.found('the token of the badge', badge.token, ['the answer of a badge']);
  await teller.ask('the badge', `${project}/badge.json?token=${token}`);
  await teller.ask('the image of the badge', `${project}/badge.svg?token=${token}`);
  await teller.data('shipping', `${at}/ship`, { method: 'POST' });
  await stream.frame(isEvent('release.shipped'));
  stream.leave();
  teller.places.push({ name: 'the stream', bytes: Buffer.from(JSON.stringify(stream.frames)) });
  for (const path of [
    `${at}/readiness`,
    `${at}/gate?signed=true`,
    `${at}/analysis`,
    `${at}/analysis.csv`,
    `${team}/audit`,
  ])
    await teller.ask(path, path);
};

/** Asks for what is not there or not understood, with secrets in every part of the request. */
export const askOddly = async (teller: Teller, metricsToken: string): Promise<void> => {
  const odd = teller.plant('what stood in an odd request');
  for (const path of ['/?token=', '/api/teams?key=', '/api/nowhere?a=', '/api/docs/problems/invalid?'])
    await teller.ask(`an odd address ${path}`, `${path}${odd}`);
  const accept = { accept: 'text/html', cookie: `shipworthy_session=${odd}`, referer: `https://a.example/${odd}` };
  await teller.ask('a page', '/api/settings/github/callback', { headers: { ...accept, 'x-api-key': odd } });
  const broken = { ...post(`{"a":"${odd}`), headers: { ...teller.browser(), 'content-type': 'application/json' } };
  await teller.ask('a broken body', '/api/teams', broken);
  const type = { ...teller.browser(), 'content-type': `text/${odd}` };
  await teller.ask('another type', '/api/teams', { ...post('{}'), headers: type });
  for (const path of [
    '/api/openapi.json',
    '/api/docs',
    '/api/about',
    '/livez',
    '/readyz',
    '/metrics',
    '/api/portfolio',
    '/api/portfolio.csv',
  ])
    await teller.ask(path, path);
  await teller.ask('the metrics', '/metrics', { headers: { authorization: `Bearer ${metricsToken}` } });
  await teller.ask('metrics with a wrong token', '/metrics', { headers: { authorization: `Bearer ${odd}` } });
};
