import { DomainError } from '@shipworthy/domain';
import { expect } from 'chai';
import { type OauthSettings, oauthClient } from '../../src/host-http/oauth-client.js';
import type { HostRequest } from '../../src/host-http/timed-fetch.js';
import { refusalIn } from './odd-server.js';

const BACK = 'https://ship.test/back';
const NOW = 1_000_000;
const TOKEN = { access_token: 'a', token_type: 'bearer' };

/** A client whose requests are answered with these, one after the other, and the requests that it made. */
const clientWith = (
  ...answers: readonly { readonly status?: number; readonly type?: string; readonly body: unknown }[]
) => {
  const made: HostRequest[] = [];
  const settings: OauthSettings = {
    title: 'Host',
    clientId: 'client',
    clientSecret: 'secret & more',
    authorizeUrl: new URL('http://host.test/sub/authorize'),
    tokenUrl: new URL('http://host.test/sub/token'),
    revokeUrl: new URL('http://host.test/sub/revoke'),
    clock: () => NOW,
    ask: async (request) => {
      const { status = 200, type = 'application/json', body } = answers[made.length] ?? { body: null };
      made.push(request);
      return { status, headers: new Headers({ 'content-type': type }), text: JSON.stringify(body) };
    },
    failure: ({ status }) => new DomainError('host-unavailable', `failure ${status}`),
    refusal: ({ error, description, status }) =>
      new DomainError('host-rejected', `${error}, ${String(description)}, ${status}`),
  };
  return { oauth: oauthClient(settings), made };
};

const DEADLINE = NOW + 5000;
const redeem = ({ oauth }: ReturnType<typeof clientWith>) => oauth.redeem('code', BACK, 'verifier', DEADLINE);

describe('the OAuth client', () => {
  it('makes states and verifiers of 256 bits, each only once', async () => {
    const { oauth } = clientWith();
    const begun = await Promise.all(Array.from({ length: 50 }, () => oauth.begin(BACK, 'read')));
    const made = begun.flatMap(({ state, verifier }) => [state, verifier]);
    expect(new Set(made).size).to.equal(made.length);
    for (const text of made) expect(text).to.match(/^[A-Za-z0-9_-]{43}$/);
  });

  it('sends code, verifier and secret in the form of a single POST, with the deadline it was given', async () => {
    const client = clientWith({ body: { ...TOKEN, refresh_token: 'r', expires_in: 60 } });
    expect(await redeem(client)).to.deep.equal({
      access: 'a',
      refresh: 'r',
      expiresAt: NOW + 60_000,
      redirectUrl: BACK,
    });
    const [request, ...others] = client.made;
    expect(others).to.deep.equal([]);
    expect(request).to.include({ method: 'POST', deadline: DEADLINE });
    expect(request?.url.href).to.equal('http://host.test/sub/token');
    expect(request?.headers).to.include({ accept: 'application/json', 'user-agent': 'shipworthy' });
    expect(Object.fromEntries(new URLSearchParams(request?.body))).to.deep.equal({
      client_id: 'client',
      client_secret: 'secret & more',
      grant_type: 'authorization_code',
      code: 'code',
      redirect_uri: BACK,
      code_verifier: 'verifier',
    });
  });

  it('asks for a code before it asks the host', async () => {
    const client = clientWith();
    expect((await refusalIn(client.oauth.redeem('', BACK, 'verifier', DEADLINE))).code).to.equal('host-unavailable');
    expect(client.made).to.deep.equal([]);
  });

  it('takes null and empty for none', async () => {
    for (const none of [null, '', undefined]) {
      const body = { ...TOKEN, token_type: none, refresh_token: none, expires_in: none, error: none };
      expect(await redeem(clientWith({ body }))).to.include({ access: 'a', refresh: null, expiresAt: null });
    }
  });

  it('believes no identity that it did not ask for', async () => {
    const body = { ...TOKEN, id_token: 'not.a.token', scope: 7 };
    expect((await redeem(clientWith({ body }))).access).to.equal('a');
  });

  it('refuses tokens that it cannot use, and repeats nothing of what was answered', async () => {
    const bodies = [
      { ...TOKEN, access_token: null },
      { ...TOKEN, access_token: { canary: 1 } },
      { ...TOKEN, token_type: 'canary' },
      { ...TOKEN, token_type: 7 },
      { ...TOKEN, refresh_token: ['canary'] },
      { ...TOKEN, expires_in: 'canary' },
      { ...TOKEN, expires_in: -60 },
      { ...TOKEN, expires_in: 1e300 },
      ['canary'],
      'canary',
      null,
    ];
    for (const body of bodies) {
      const { code, details, message, stack } = await refusalIn(redeem(clientWith({ body })));
      expect([code, details.cause], JSON.stringify(body)).to.deep.equal(['host-unavailable', 'not_json']);
      expect(`${message}${stack}`).not.to.include('canary');
    }
  });

  it('tells an error of OAuth, with 200 as well, from any other answer', async () => {
    const messageOf = async (status: number, body: unknown, type?: string) =>
      (await refusalIn(redeem(clientWith({ status, body, ...(type === undefined ? {} : { type }) })))).message;
    const error = { error: 'invalid_grant', error_description: 'why' };
    for (const status of [200, 400]) expect(await messageOf(status, error)).to.equal('invalid_grant, why, 400');
    expect(await messageOf(401, { error: 'invalid_client' })).to.equal('invalid_client, null, 401');
    expect(await messageOf(400, { error: { code: 1 } })).to.equal('failure 400');
    expect(await messageOf(400, { ...TOKEN })).to.equal('failure 400');
    expect(await messageOf(401, error, 'text/html')).to.equal('failure 401');
    for (const status of [429, 500, 503]) expect(await messageOf(status, error)).to.equal(`failure ${status}`);
    expect(await messageOf(204, null)).to.equal('failure 204');
  });

  it('ends a token by its kind', async () => {
    const client = clientWith({ body: {} }, { status: 403, body: { error: 'unauthorized_client' } });
    await client.oauth.end('token', 'refresh_token', DEADLINE);
    const [request] = client.made;
    expect(request?.url.href).to.equal('http://host.test/sub/revoke');
    expect(Object.fromEntries(new URLSearchParams(request?.body))).to.include({
      token: 'token',
      token_type_hint: 'refresh_token',
    });
    const refused = await refusalIn(client.oauth.end('token', 'access_token', DEADLINE));
    expect(refused.message).to.equal('unauthorized_client, null, 403');
  });
});
