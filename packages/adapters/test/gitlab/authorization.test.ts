import { expect } from 'chai';
import { gitlabOauth } from '../../src/gitlab/authorization.js';
import { timedFetch } from '../../src/host-http/timed-fetch.js';
import type { Fault } from '../gitlab-server/faults.js';
import { approve } from '../gitlab-server/oauth.js';
import { refusalIn } from '../host-http/odd-server.js';
import { openedForEach, REDIRECT } from './opened.js';

const OWNER = 'user-1';

describe('approving at GitLab', () => {
  const opened = openedForEach();
  const begin = () => opened().host.authorization.begin({ ownerId: OWNER, redirectUrl: REDIRECT });
  const soon = () => Date.now() + 60_000;
  const redeemed = async (
    more: { ownerId?: string; redirectUrl?: string; code?: string; sealedVerifier?: string } = {},
  ) => {
    const { host, server } = opened();
    const { url, sealedVerifier } = await begin();
    const code = approve(server.world, url, 'ada').searchParams.get('code') ?? '';
    const request = { ownerId: OWNER, redirectUrl: REDIRECT, code, sealedVerifier, deadline: soon(), ...more };
    return host.authorization.redeem(request);
  };

  it('begins on the page of GitLab, for reading only, with a challenge', async () => {
    const { url, state, sealedVerifier } = await begin();
    const page = new URL(url);
    expect(page.origin + page.pathname).to.equal(`${opened().server.url.origin}/oauth/authorize`);
    const { code_challenge: challenge, ...asked } = Object.fromEntries(page.searchParams);
    expect(asked).to.deep.equal({
      client_id: 'application-1',
      redirect_uri: REDIRECT,
      response_type: 'code',
      state,
      scope: 'read_api',
      code_challenge_method: 'S256',
    });
    expect(challenge).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect((await begin()).state).not.to.equal(state);
    expect(sealedVerifier).not.to.include(challenge);
  });

  it('yields a grant that reads, names its account and ends after two hours', async () => {
    // GitLab counts in whole seconds.
    const before = Date.now() - 1000;
    const { grant, account } = await redeemed();
    expect(account).to.deep.equal({ id: '7', name: 'ada' });
    expect(grant.expiresAt).to.be.within(before + 7_200_000, Date.now() + 7_200_000);
    const access = { ownerId: OWNER, grant, deadline: soon() };
    expect(await opened().host.reader.account(access)).to.deep.equal(account);
  });

  it('takes the verifier of that very approval', async () => {
    const { sealedVerifier } = await begin();
    expect((await refusalIn(redeemed({ sealedVerifier }))).code).to.equal('host-rejected');
  });

  it('is rejected with a code that is wrong, used or of another address', async () => {
    const attempts = [{ code: 'wrong' }, { redirectUrl: `${REDIRECT}/other` }];
    for (const attempt of attempts) expect((await refusalIn(redeemed(attempt))).code).to.equal('host-rejected');
  });

  it('is of no use to anybody but who began it', async () => {
    expect((await refusalIn(redeemed({ ownerId: 'user-2' }))).code).to.equal('approval-unusable');
  });

  it('is renewed once: the pair before is spent', async () => {
    const { host, server } = opened();
    const { grant } = await redeemed();
    const renewed = await host.authorization.refresh({ ownerId: OWNER, grant, deadline: soon() });
    expect(renewed.sealed).not.to.equal(grant.sealed);
    const read = (of: typeof grant) => host.reader.account({ ownerId: OWNER, grant: of, deadline: soon() });
    expect((await read(renewed)).name).to.equal('ada');
    expect((await refusalIn(read(grant))).code).to.equal('host-rejected');
    const again = host.authorization.refresh({ ownerId: OWNER, grant, deadline: soon() });
    expect((await refusalIn(again)).code).to.equal('host-rejected');
    const third = await host.authorization.refresh({ ownerId: OWNER, grant: renewed, deadline: soon() });
    expect((await read(third)).name).to.equal('ada');
    expect(server.world.pairs.filter(({ ended }) => !ended)).to.have.length(1);
  });

  it('ends at GitLab when revoked, even after the access token ran out, and again without harm', async () => {
    const { host, server } = opened();
    const { grant } = await redeemed();
    server.world.now = () => Date.now() + 8_000_000;
    const access = { ownerId: OWNER, grant, deadline: soon() };
    await host.authorization.revoke(access);
    expect(server.world.pairs.every(({ ended }) => ended)).to.equal(true);
    await host.authorization.revoke(access);
  });
});

describe('the token endpoint of GitLab', () => {
  const opened = openedForEach();
  const requests = (clientSecret = 'application-secret-1') => {
    const ask = timedFetch({ title: 'GitLab', clock: Date.now });
    return gitlabOauth({ clientId: 'application-1', clientSecret, url: opened().server.url, ask, clock: Date.now });
  };
  const refused = async (fault: Fault | null, clientSecret?: string, ms = 60_000) => {
    if (fault !== null) opened().server.faults.push(fault);
    const { code, details, message } = await refusalIn(requests(clientSecret).renew('x', REDIRECT, Date.now() + ms));
    return { code, message, cause: details.cause, retryAt: details.retryAt };
  };

  it('rejects a grant by its own word only', async () => {
    expect((await refused(null)).code).to.equal('host-rejected');
  });

  it("tells the service's own wrong secret from a rejected grant", async () => {
    const { code, cause, message } = await refused(null, 'wrong');
    expect([code, cause]).to.deep.equal(['host-unavailable', 'forbidden']);
    expect(message).to.match(/client id or the secret/);
    expect((await refused({ kind: 'json', status: 403, body: { error: 'unauthorized_client' } })).message).to.equal(
      message,
    );
  });

  it('says what happened instead of an answer, and never repeats the request', async () => {
    const causes: [Fault, string][] = [
      [{ kind: 'page', status: 200 }, 'not_json'],
      [{ kind: 'page', status: 401 }, 'not_json'],
      [{ kind: 'page', status: 502 }, 'server_error'],
      [{ kind: 'json', status: 500, body: {} }, 'server_error'],
      [{ kind: 'json', status: 429, body: {} }, 'rate_limited'],
      [{ kind: 'json', status: 400, body: { error: 'invalid_request' } }, 'server_error'],
      [{ kind: 'json', status: 401, body: { message: '401' } }, 'server_error'],
      [{ kind: 'json', status: 200, body: { hello: 'world' } }, 'not_json'],
      [{ kind: 'json', status: 200, body: [] }, 'not_json'],
      [{ kind: 'cut' }, 'cut'],
      [{ kind: 'half-json' }, 'cut'],
      [{ kind: 'reset' }, 'unreachable'],
      [{ kind: 'redirect', to: '/oauth/token' }, 'redirected'],
    ];
    for (const [fault, cause] of causes) {
      const result = await refused(fault);
      expect([result.code, result.cause], JSON.stringify(fault)).to.deep.equal(['host-unavailable', cause]);
    }
    expect(opened().server.seen).to.have.length(causes.length);
    expect((await refused({ kind: 'silent' }, undefined, 200)).cause).to.equal('timeout');
  });

  it('does not repeat what a host wrote into its error', async () => {
    const { message } = await refused({ kind: 'json', status: 400, body: { error: '<script>secret</script>' } });
    expect(message).to.equal('GitLab answered 400, which was not expected.');
  });

  it('takes the time of the answer off the life of the tokens', async () => {
    const body = { access_token: 'a', refresh_token: 'r', expires_in: 60 };
    opened().server.faults.push({ kind: 'json', status: 200, body });
    const before = Date.now();
    const tokens = await requests().renew('x', REDIRECT, before + 2000);
    expect(tokens.expiresAt).to.be.within(before + 60_000, Date.now() + 60_000);
    opened().server.faults.push({ kind: 'json', status: 200, body: { access_token: 'a' } });
    const lasting = await requests().renew('x', REDIRECT, Date.now() + 60_000);
    expect(lasting).to.deep.equal({ access: 'a', refresh: null, expiresAt: null, redirectUrl: REDIRECT });
  });

  it('takes an empty token for no token', async () => {
    opened().server.faults.push({ kind: 'json', status: 200, body: { access_token: '', expires_in: 60 } });
    const error = await refusalIn(requests().renew('x', REDIRECT, Date.now() + 60_000));
    expect(error.code).to.equal('host-unavailable');
  });

  it('counts a page in place of an answer not as revoked', async () => {
    opened().server.faults.push({ kind: 'page', status: 200 });
    const revoking = requests().end('a', 'access_token', Date.now() + 60_000);
    expect((await refusalIn(revoking)).details.cause).to.equal('not_json');
  });
});
