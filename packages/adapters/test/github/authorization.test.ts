import { createHash } from 'node:crypto';
import { expect } from 'chai';
import nock from 'nock';
import { conformsToInterface, publishedExample } from './published-interface.js';
import { API, failureOf, hostAt, NOW, OWNER_ID, sealedTokens, TOKEN, tokensOf, WEB, withoutNetwork } from './scene.js';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const REDIRECT = 'https://ship.test/api/settings/github/callback';
const APP = { client_id: 'client-1', client_secret: 'client-secret-1' };

describe('authorization at GitHub', () => {
  withoutNetwork();
  const { authorization } = hostAt({ clock: () => NOW });
  const deadline = NOW + 5_000;
  const begun = () => authorization.begin({ ownerId: OWNER_ID, redirectUrl: REDIRECT });
  const redeem = async (sealedVerifier?: string, ownerId = OWNER_ID) => {
    const verifier = sealedVerifier ?? (await begun()).sealedVerifier;
    return authorization.redeem({ ownerId, redirectUrl: REDIRECT, code: 'code-1', sealedVerifier: verifier, deadline });
  };
  const accessWith = (tokens: Partial<Parameters<typeof sealedTokens>[0]> = {}) => ({
    ownerId: OWNER_ID,
    grant: sealedTokens({ access: TOKEN, refresh: 'ghr_canary-old', expiresAt: null, ...tokens }),
    deadline,
  });
  const exchanged = (status: number, body: unknown, headers: Record<string, string> = JSON_TYPE) =>
    nock(WEB).post('/login/oauth/access_token').reply(status, JSON.stringify(body), headers);

  it('begins with GitHub’s page, and a state and a verifier that cannot be guessed', async () => {
    const { url, state } = await begun();
    const page = new URL(url);
    expect(page.origin + page.pathname).to.equal(`${WEB}/login/oauth/authorize`);
    const { code_challenge, ...others } = Object.fromEntries(page.searchParams);
    expect(others).to.deep.equal({
      client_id: 'client-1',
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'repo',
      state,
      code_challenge_method: 'S256',
      prompt: 'select_account',
    });
    expect(code_challenge).to.match(/^[\w-]{43}$/);
    expect(state).to.match(/^[\w-]{43}$/);
    expect((await begun()).state).not.to.equal(state);
  });

  it('says by the scopes of a grant, or by what its account may do, whether it could write', async () => {
    const { reader } = hostAt({ clock: () => NOW });
    const powerWith = async (scopes: string | null, permissions: readonly object[] = []) => {
      const told = scopes === null ? {} : { 'x-oauth-scopes': scopes };
      nock(API)
        .get('/user')
        .reply(200, { id: 1, login: 'octo' }, { ...JSON_TYPE, ...told });
      if (scopes === null)
        nock(API)
          .get('/user/repos')
          .query(true)
          .reply(200, JSON.stringify(permissions.map((each) => ({ permissions: each }))), JSON_TYPE);
      return reader.mayWrite(accessWith());
    };
    for (const wide of ['repo', 'read:org, public_repo', 'workflow', 'repo:status', 'a_scope_of_later'])
      expect(await powerWith(wide), wide).to.equal(true);
    for (const narrow of ['', 'read:org', 'read:user, user:email']) expect(await powerWith(narrow)).to.equal(false);
    const readOnly = { admin: false, maintain: false, push: false, triage: false, pull: true };
    expect(await powerWith(null, [readOnly, readOnly]), 'an account that only reads').to.equal(false);
    expect(await powerWith(null, [readOnly, { ...readOnly, push: true }]), 'its account may write').to.equal(null);
    expect(await powerWith(null, [{}]), 'nothing is told').to.equal(null);
  });

  it('takes an empty token for no token, and for no refusal', async () => {
    exchanged(200, { access_token: '', scope: 'repo', token_type: 'bearer' });
    expect(await failureOf(redeem())).to.include({ code: 'host-unavailable', cause: 'not_json' });
    exchanged(200, { access_token: 'ghu_new', expires_in: 60, refresh_token: '' });
    const { sealed } = await authorization.refresh(accessWith());
    expect(tokensOf(sealed)).to.include({ access: 'ghu_new', refresh: null });
  });

  it('exchanges the code with its verifier for a sealed grant, and asks whose it is', async () => {
    const { url, sealedVerifier } = await begun();
    let form: Record<string, string> = {};
    nock(WEB, { reqheaders: { accept: 'application/json' } })
      .post('/login/oauth/access_token', (body: Record<string, string>) => {
        form = body;
        return true;
      })
      .reply(200, { access_token: TOKEN, scope: 'repo', token_type: 'bearer' }, JSON_TYPE);
    const user = publishedExample('GET', '/user');
    conformsToInterface({ method: 'GET', path: '/user', status: 200, body: user });
    nock(API, { reqheaders: { authorization: `Bearer ${TOKEN}` } })
      .get('/user')
      .reply(200, JSON.stringify(user), JSON_TYPE);

    const { grant, account } = await redeem(sealedVerifier);
    expect(account).to.deep.equal({ id: '1', name: 'octocat' });
    expect(grant.expiresAt).to.equal(null);
    expect(tokensOf(grant.sealed)).to.deep.include({ access: TOKEN, refresh: null });
    expect(grant.sealed).not.to.include('canary');
    const { code_verifier = '', ...others } = form;
    expect(others).to.deep.equal({
      ...APP,
      grant_type: 'authorization_code',
      code: 'code-1',
      redirect_uri: REDIRECT,
    });
    const challenge = createHash('sha256').update(code_verifier).digest('base64url');
    expect(new URL(url).searchParams.get('code_challenge')).to.equal(challenge);
  });

  it('keeps when the grant ends and what renews it', async () => {
    exchanged(200, { access_token: TOKEN, expires_in: 28800, refresh_token: 'ghr_canary', token_type: 'bearer' });
    nock(API)
      .get('/user')
      .reply(200, JSON.stringify(publishedExample('GET', '/user')), JSON_TYPE);
    const { grant } = await redeem();
    expect(grant.expiresAt).to.equal(NOW + 28_800_000);
    expect(tokensOf(grant.sealed)).to.deep.include({ access: TOKEN, refresh: 'ghr_canary' });
  });

  it('is rejected only when the code or the refresh token itself was refused', async () => {
    for (const status of [200, 400, 401]) {
      exchanged(status, { error: 'bad_verification_code', error_description: 'The code is incorrect or expired.' });
      expect(await failureOf(redeem()), String(status)).to.include({ code: 'host-rejected' });
      exchanged(status, { error: 'bad_refresh_token', error_description: 'ghr_canary is incorrect.' });
      expect(await failureOf(authorization.refresh(accessWith())), String(status)).to.include({
        code: 'host-rejected',
      });
    }
  });

  it('says what is wrong with the server’s own set-up', async () => {
    for (const error of ['incorrect_client_credentials', 'redirect_uri_mismatch', 'application_suspended']) {
      exchanged(200, { error, error_description: `About ${error}.` });
      const failure = await failureOf(redeem());
      expect(failure).to.include({ code: 'host-unavailable', cause: 'forbidden' });
      expect(failure.message).to.include('set-up').and.include(`About ${error}.`);
    }
    exchanged(404, { error: 'Not Found' });
    expect(await failureOf(redeem())).to.include({ code: 'host-unavailable', cause: 'forbidden' });
    exchanged(401, { message: 'Bad credentials' });
    expect(await failureOf(redeem())).to.include({ code: 'host-unavailable', cause: 'forbidden' });
  });

  it('never spends a code or a refresh token twice', async () => {
    // A second request would find no interceptor and be unreachable instead.
    exchanged(502, 'Unicorn', { 'content-type': 'text/html' });
    expect(await failureOf(redeem())).to.include({ code: 'host-unavailable', cause: 'server_error' });
    exchanged(500, { error: 'bad_refresh_token' });
    expect(await failureOf(authorization.refresh(accessWith()))).to.include({
      code: 'host-unavailable',
      cause: 'server_error',
    });
    exchanged(200, '<html>', { 'content-type': 'text/html' });
    expect(await failureOf(redeem())).to.include({ code: 'host-unavailable', cause: 'not_json' });
    exchanged(429, {}, { ...JSON_TYPE, 'retry-after': '7' });
    expect(await failureOf(redeem())).to.include({ cause: 'rate_limited', retryAt: NOW + 7_000 });
    exchanged(200, { token_type: 'bearer' });
    expect(await failureOf(redeem())).to.include({ code: 'host-unavailable', cause: 'not_json' });
  });

  it('is ended only by the person who began it', async () => {
    expect(await failureOf(redeem((await begun()).sealedVerifier, 'user-2'))).to.include({ code: 'approval-unusable' });
    expect(await failureOf(redeem('k.nonsense'))).to.include({ code: 'approval-unusable' });
  });

  it('renews a grant with its refresh token, and cannot without one', async () => {
    nock(WEB)
      .post('/login/oauth/access_token', { ...APP, grant_type: 'refresh_token', refresh_token: 'ghr_canary-old' })
      .reply(200, { access_token: 'ghu_new', expires_in: '60', refresh_token: 'ghr_new' }, JSON_TYPE);
    const grant = await authorization.refresh(accessWith());
    expect(grant.expiresAt).to.equal(NOW + 60_000);
    expect(tokensOf(grant.sealed)).to.deep.include({ access: 'ghu_new', refresh: 'ghr_new' });
    expect(await failureOf(authorization.refresh(accessWith({ refresh: null })))).to.include({ code: 'host-rejected' });
  });

  describe('ending a grant', () => {
    const path = '/applications/client-1/token';
    const ended = (token: string, status: number, body?: unknown) => {
      const requestBody = { access_token: token };
      if (status === 204) conformsToInterface({ method: 'DELETE', path, requestBody, status });
      return nock(API)
        .delete(path, requestBody)
        .basicAuth({ user: 'client-1', pass: 'client-secret-1' })
        .reply(status, body === undefined ? undefined : JSON.stringify(body), JSON_TYPE);
    };

    it('ends its token at GitHub, or finds that it has ended', async () => {
      for (const status of [204, 404, 422]) {
        ended(TOKEN, status, status === 204 ? undefined : { message: 'Not Found' });
        await authorization.revoke(accessWith());
      }
    });

    it('renews an expired one first, since its refresh token would live on', async () => {
      const access = accessWith({ expiresAt: NOW });
      exchanged(200, { access_token: 'ghu_canary-new', expires_in: 60, refresh_token: 'ghr_new' });
      ended('ghu_canary-new', 204);
      await authorization.revoke(access);
      exchanged(200, { error: 'bad_refresh_token' });
      await authorization.revoke(access);
      await authorization.revoke(accessWith({ expiresAt: NOW, refresh: null }));
    });

    it('fails when GitHub fails, and never blames the grant', async () => {
      ended(TOKEN, 500, { message: 'x' });
      expect(await failureOf(authorization.revoke(accessWith()))).to.include({ cause: 'server_error' });
      ended(TOKEN, 401, { message: 'Bad credentials' });
      expect(await failureOf(authorization.revoke(accessWith()))).to.include({
        code: 'host-unavailable',
        cause: 'forbidden',
      });
      exchanged(503, {});
      expect(await failureOf(authorization.revoke(accessWith({ expiresAt: NOW })))).to.include({
        cause: 'server_error',
      });
    });
  });
});
