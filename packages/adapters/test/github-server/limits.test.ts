import { expect } from 'chai';
import { asking } from './asking.js';
import { type GitHubServer, startGitHubServer } from './index.js';

describe('limits of the local host', () => {
  let server: GitHubServer;
  let now = Date.UTC(2026, 0, 1);
  beforeEach(async () => {
    server = await startGitHubServer({ clock: () => now });
  });
  afterEach(() => server.close());

  it('are told with every answer, per token, for both interfaces apart', async () => {
    const [one, other] = [asking(server), asking(server)];
    server.limits.allow(10, 60_000);
    const first = await one.get('/user');
    expect(first.headers.get('x-ratelimit-limit')).to.equal('10');
    expect(first.headers.get('x-ratelimit-remaining')).to.equal('9');
    expect(first.headers.get('x-ratelimit-reset')).to.equal(String(now / 1000 + 60));
    expect((await one.get('/repos/acme/none')).headers.get('x-ratelimit-remaining')).to.equal('8');
    expect((await one.query('{ viewer { login } }')).headers.get('x-ratelimit-remaining')).to.equal('9');
    expect((await other.get('/user')).headers.get('x-ratelimit-remaining')).to.equal('9');
  });

  it('end reading until the window is over', async () => {
    const { get, query } = asking(server);
    server.limits.allow(2, 60_000);
    await get('/user');
    await query('{ viewer { login } }');
    server.limits.leave(0);
    expect([(await get('/user')).status, (await get('/user')).headers.get('x-ratelimit-remaining')]).to.deep.equal([
      403,
      '0',
    ]);
    const limited = await query('{ viewer { login } }');
    expect([limited.status, limited.body.errors?.[0]]).to.deep.equal([
      200,
      { type: 'RATE_LIMITED', message: `API rate limit exceeded for user ID ${server.data.account('octo').id}.` },
    ]);
    now += 61_000;
    expect((await get('/user')).status).to.equal(200);
  });
});
