import { expect } from 'chai';
import { prepare } from '../src/request.js';
import { settle } from '../src/settings.js';

const settings = settle({ baseUrl: 'https://acme.dev/x', apiKey: 'swk_k', userAgent: 'tool/1' });
const headersOf = (init: RequestInit) => new Headers(init.headers);

describe('prepare', () => {
  it('fills and escapes path and query, leaving out what is undefined', () => {
    const { url, init } = prepare(
      ['GET', '/api/teams/{team_id}/x/{id}'],
      {
        path: { team_id: 'a/b?c', id: '7' },
        query: { limit: 5, suite: 'a&b c', cursor: undefined },
      },
      settings,
    );
    expect(url).to.equal('https://acme.dev/x/api/teams/a%2Fb%3Fc/x/7?limit=5&suite=a%26b+c');
    expect(init)
      .to.include({ method: 'GET', redirect: 'manual', credentials: 'omit' })
      .and.not.to.have.property('body');
  });

  it('refuses a missing parameter and one that would reach another address', () => {
    for (const path of [undefined, {}, { id: '' }, { id: '.' }, { id: '..' }]) {
      expect(() => prepare(['GET', '/api/{id}'], path === undefined ? {} : { path }, settings)).to.throw(
        TypeError,
        'path.id',
      );
    }
  });

  it('puts the name of the repository host where it belongs', () => {
    const urlAt = (path: string) =>
      prepare(['GET', path], {}, settle({ baseUrl: 'https://acme.dev', repositoryHost: 'gitlab' })).url;
    expect(urlAt('/api/settings/github/check')).to.equal('https://acme.dev/api/settings/gitlab/check');
    expect(urlAt('/api/hooks/github')).to.equal('https://acme.dev/api/hooks/gitlab');
    for (const path of ['/api/settings/githubs', '/api/settings/api-keys', '/x/api/hooks/github'])
      expect(urlAt(path)).to.equal(`https://acme.dev${path}`);
    for (const repositoryHost of ['', 'GitLab', 'a/b', '../api-keys'])
      expect(() => settle({ baseUrl: 'https://acme.dev', repositoryHost })).to.throw(TypeError, 'repository host');
  });

  it('sends key, agent, versions and further headers, its own last', () => {
    const { init } = prepare(
      ['PUT', '/api/x'],
      { body: { a: 1 }, ifMatch: 3, ifNoneMatch: '"e"', headers: { traceparent: 't', authorization: 'Bearer other' } },
      settings,
    );
    const headers = headersOf(init);
    expect(Object.fromEntries(headers)).to.deep.equal({
      accept: 'application/json',
      authorization: 'Bearer swk_k',
      'content-type': 'application/json',
      'if-match': '"3"',
      'if-none-match': '"e"',
      traceparent: 't',
      'user-agent': 'tool/1',
    });
    expect(init.body).to.equal('{"a":1}');
  });

  it('leaves credentials to the platform without a key', () => {
    expect(prepare(['GET', '/api/x'], {}, settle({ baseUrl: 'https://acme.dev' })).init).not.to.have.property(
      'credentials',
    );
  });

  it('makes a fresh idempotency key for each keyed call, or takes the given one', () => {
    const key = (input = {}) => prepare(['POST', '/api/x', 'keyed'], input, settings).idempotencyKey ?? '';
    expect(key())
      .to.match(/^[0-9a-f]{32}$/)
      .and.not.to.equal(key());
    expect(key({ idempotencyKey: 'mine' })).to.equal('mine');
    const unkeyed = prepare(['POST', '/api/x'], {}, settings);
    expect(unkeyed.idempotencyKey).to.equal(null);
    expect(headersOf(unkeyed.init).has('idempotency-key')).to.equal(false);
  });
});
