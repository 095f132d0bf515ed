import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { asking } from './asking.js';
import { type GitHubServer, startGitHubServer } from './index.js';

const BACK = 'http://localhost:7000/callback';
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

describe('approval at the local host', () => {
  let server: GitHubServer;
  beforeEach(async () => {
    server = await startGitHubServer({ app: { redirectUrls: [BACK] } });
  });
  afterEach(() => server.close());

  const goTo = (url: string) => fetch(url, { redirect: 'manual' });
  const pageOf = (verifier: string, changes: Readonly<Record<string, string>> = {}): string => {
    const challenge = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' };
    const query = { client_id: 'client', redirect_uri: BACK, state: 's 1', ...challenge, ...changes };
    return `${server.webUrl}/login/oauth/authorize?${new URLSearchParams(query)}`;
  };
  const backFrom = async (url: string) => new URL((await goTo(url)).headers.get('location') ?? 'none:');
  const exchanged = async (form: Readonly<Record<string, string>>, accept = 'application/json') => {
    const response = await fetch(`${server.webUrl}/login/oauth/access_token`, {
      method: 'POST',
      headers: { accept },
      body: new URLSearchParams({ client_id: 'client', client_secret: 'client-secret', ...form }),
    });
    expect(response.status).to.equal(200);
    return response;
  };
  const tokens = async (form: Readonly<Record<string, string>>) =>
    (await (await exchanged(form)).json()) as Record<string, string>;

  it('asks on a page, and sends back with code and state after the link to approve', async () => {
    const verifier = randomBytes(32).toString('base64url');
    const page = await (await goTo(pageOf(verifier))).text();
    const [, approve, cancel] = /href="([^"]+)">Approve.*href="([^"]+)">Cancel/.exec(page) ?? [];
    const back = await backFrom(`${server.webUrl}${approve}`);
    expect([back.origin + back.pathname, back.searchParams.get('state')]).to.deep.equal([BACK, 's 1']);
    expect((await goTo(`${server.webUrl}${approve}`)).status, 'a link is good for once').to.equal(404);
    const canceled = await backFrom(`${server.webUrl}${cancel}`);
    expect(Object.fromEntries(canceled.searchParams)).to.deep.equal({ error: 'access_denied', state: 's 1' });
    const code = back.searchParams.get('code') ?? '';
    const { access_token } = await tokens({ code, redirect_uri: BACK, code_verifier: verifier });
    const response = await asking(server).get('/user', { authorization: `token ${access_token}` });
    expect(response.body).to.include({ login: 'octo' });
  });

  it('sends no code to an unregistered address, and none without a challenge', async () => {
    server.approveAs('ada');
    const elsewhere = await backFrom(pageOf('v', { redirect_uri: `${BACK}/x` }));
    expect(elsewhere.origin + elsewhere.pathname).to.equal(BACK);
    expect([...elsewhere.searchParams.keys()]).to.deep.equal(['error', 'state']);
    expect((await goTo(pageOf('v', { code_challenge_method: 'plain' }))).status).to.equal(400);
    expect((await goTo(pageOf('v', { client_id: 'another' }))).status).to.equal(404);
  });

  it('exchanges a code once, with its verifier and for this app only', async () => {
    server.approveAs('ada');
    const codeFor = async (verifier: string) => (await backFrom(pageOf(verifier))).searchParams.get('code') ?? '';
    const wrong = { error: 'bad_verification_code' };
    expect(await tokens({ code: await codeFor('right'), code_verifier: 'wrong' })).to.include(wrong);
    const code = await codeFor('right');
    const secret = { code, code_verifier: 'right', client_secret: 'wrong' };
    expect(await tokens(secret)).to.include({ error: 'incorrect_client_credentials' });
    const given = new URLSearchParams(await (await exchanged({ code, code_verifier: 'right' }, '*/*')).text());
    expect(given.get('access_token')).to.match(/^gho_/);
    expect(given.has('refresh_token')).to.equal(false);
    expect(await tokens({ code, code_verifier: 'right' })).to.include(wrong);
  });

  it('gives tokens that end, and others for their refresh tokens, each once', async () => {
    server.approveAs('ada');
    server.approvals.tokensLast(60);
    const code = (await backFrom(pageOf('v'))).searchParams.get('code') ?? '';
    const first = await tokens({ code, code_verifier: 'v' });
    expect(first).to.include({ expires_in: 60 });
    server.expireTokens();
    const get = (token = '') => asking(server).get('/user', { authorization: `Bearer ${token}` });
    expect((await get(first.access_token)).status).to.equal(401);
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' };
    const second = await tokens(refresh);
    expect((await get(second.access_token)).body).to.include({ login: 'ada' });
    expect(await tokens(refresh)).to.include({ error: 'bad_refresh_token' });
    server.revokeTokens();
    expect((await get(second.access_token)).status).to.equal(401);
    expect(await tokens({ ...refresh, refresh_token: second.refresh_token ?? '' })).to.have.property('error');
  });

  it('ends one token, or all that an account granted, for the app alone', async () => {
    const { ask, get } = asking(server);
    const basic = (secret: string) => `Basic ${Buffer.from(`client:${secret}`).toString('base64')}`;
    const end = async (what: string, token: string, secret = 'client-secret') => {
      const body = JSON.stringify({ access_token: token });
      const headers = { authorization: basic(secret) };
      return (await ask(`${server.apiUrl}/applications/client/${what}`, { method: 'DELETE', headers, body })).status;
    };
    const statusOf = async (token: string) => (await get('/user', { authorization: `Bearer ${token}` })).status;
    const [one, two, three] = ['ada', 'ada', 'ada'].map((login) => server.tokenFor(login)) as [string, string, string];
    expect(await end('token', one, 'wrong')).to.equal(404);
    expect(await end('token', one)).to.equal(204);
    expect(await end('token', one)).to.equal(404);
    expect([await statusOf(one), await statusOf(two)]).to.deep.equal([401, 200]);
    expect(await end('grant', two)).to.equal(204);
    expect([await statusOf(two), await statusOf(three), (await get('/user')).status]).to.deep.equal([401, 401, 200]);
  });
});
