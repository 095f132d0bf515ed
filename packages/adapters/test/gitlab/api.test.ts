import { expect } from 'chai';
import nock from 'nock';
import { gitlabHost } from '../../src/gitlab/index.js';
import { grantSeals } from '../../src/host-http/sealed-grant.js';
import { SECRET_KEY } from './opened.js';

// Importing nock puts it into force; other suites of the same process want the real network.
nock.restore();

const grant = grantSeals(SECRET_KEY, 'gitlab', 'GitLab').sealTokens('ann', {
  access: 'token-1',
  refresh: null,
  expiresAt: null,
});
/** Made when it is used: other files of the same process may run for minutes before. */
const access = () => ({ ownerId: 'ann', grant, deadline: Date.now() + 60_000 });
const hostAt = (url: string) =>
  gitlabHost({ clientId: 'a', clientSecret: 'b', url: new URL(url), secretKey: SECRET_KEY });
const ada = { id: 7, username: 'ada' };

describe("GitLab's interface", () => {
  before(() => {
    nock.activate();
    nock.disableNetConnect();
  });
  afterEach(() => nock.cleanAll());
  after(() => {
    nock.enableNetConnect();
    nock.restore();
  });

  it('is found below the address of the installation, with or without a path', async () => {
    for (const [url, origin, path] of [
      ['https://gitlab.com', 'https://gitlab.com', '/api/v4/user'],
      ['https://git.example:8443/', 'https://git.example:8443', '/api/v4/user'],
      ['https://example.org/gitlab/', 'https://example.org', '/gitlab/api/v4/user'],
      ['https://example.org/gitlab?a#b', 'https://example.org', '/gitlab/api/v4/user'],
    ] as const) {
      const scope = nock(origin).get(path).reply(200, ada);
      expect(await hostAt(url).repositories.account(access()), url).to.deep.equal({ id: '7', name: 'ada' });
      scope.done();
    }
  });

  it('is asked for JSON with a bearer token', async () => {
    const scope = nock('https://gitlab.com', {
      reqheaders: { accept: 'application/json', authorization: 'Bearer token-1' },
    });
    scope.get('/api/v4/user').reply(200, ada);
    await hostAt('https://gitlab.com').repositories.account(access());
    scope.done();
  });

  it('is asked for rows as its documentation says', async () => {
    const scope = nock('https://gitlab.com')
      .get('/api/v4/projects/5/issues')
      .query({ scope: 'all', state: 'all', 'iids[]': ['1', '2'], per_page: '100' })
      .reply(200, []);
    const name = { id: '5', path: 'a/b', defaultBranch: 'main' };
    expect(await hostAt('https://gitlab.com').repositories.issuesById(access(), name, ['5-1', '5-2'])).to.deep.equal(
      [],
    );
    scope.done();
  });
});
