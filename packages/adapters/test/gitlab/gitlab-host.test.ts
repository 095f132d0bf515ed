import { expect } from 'chai';
import { gitlabHost } from '../../src/gitlab/gitlab-host.js';
import type { Fault } from '../gitlab-server/faults.js';
import { addProject } from '../gitlab-server/inhabitants.js';
import { refusalIn } from '../host-http/odd-server.js';
import { FROM_START, nameOf, openedForEach } from './opened.js';

describe('GitLab as repository host', () => {
  const opened = openedForEach();
  /** The same fault for each of two tries. */
  const refused = (fault: Fault, ms = 60_000) => {
    const { server, host, access } = opened();
    server.faults.push(fault, fault);
    return refusalIn(host.reader.account(access(ms)));
  };

  it('says what it is and gives', () => {
    const { name, title, gives } = opened().host;
    expect({ name, title, gives }).to.deep.equal({
      name: 'gitlab',
      title: 'GitLab',
      gives: { deployments: true, testRuns: ['checks', 'workflows'] },
    });
  });

  it('refuses a secret key that is too short', () => {
    const url = new URL('https://gitlab.example');
    expect(() => gitlabHost({ clientId: 'a', clientSecret: 'b', url, secretKey: new Uint8Array(8) })).to.throw(
      RangeError,
    );
  });

  it("rejects a grant only for GitLab's own word", async () => {
    const { server, host, access } = opened();
    const ended = access();
    for (const pair of server.world.pairs) pair.ended = true;
    expect((await refusalIn(host.reader.account(ended))).code).to.equal('host-rejected');
  });

  it('knows its word in each of its interfaces', async () => {
    for (const body of [
      { message: '401 Unauthorized' },
      { error: 'invalid_token', error_description: 'Token was revoked. You have to re-authorize from the user.' },
      { errors: [{ message: 'Invalid token' }] },
    ]) {
      const error = await refused({ kind: 'json', status: 401, body });
      expect(error.code, JSON.stringify(body)).to.equal('host-rejected');
    }
  });

  it('never rejects a grant for what else may come back', async () => {
    const causes: [Fault, string][] = [
      [{ kind: 'page', status: 200 }, 'not_json'],
      [{ kind: 'page', status: 401 }, 'not_json'],
      [{ kind: 'page', status: 502 }, 'server_error'],
      [{ kind: 'json', status: 401, body: { message: 'Unauthorized' } }, 'not_json'],
      [{ kind: 'json', status: 401, body: { error: 'proxy_authentication_required' } }, 'not_json'],
      [{ kind: 'json', status: 401, body: { errors: [{ message: 'No session' }] } }, 'not_json'],
      [{ kind: 'json', status: 401, body: [] }, 'not_json'],
      [{ kind: 'json', status: 403, body: { error: 'insufficient_scope' } }, 'forbidden'],
      [{ kind: 'json', status: 404, body: { error: '404 Not Found' } }, 'server_error'],
      [{ kind: 'json', status: 200, body: { id: 'seven' } }, 'not_json'],
      [{ kind: 'json', status: 200, body: [] }, 'not_json'],
      [{ kind: 'json', status: 200, body: null }, 'not_json'],
      [{ kind: 'cut' }, 'cut'],
      [{ kind: 'half-json' }, 'cut'],
      [{ kind: 'huge' }, 'cut'],
      [{ kind: 'reset' }, 'unreachable'],
      [{ kind: 'redirect', to: 'http://127.0.0.1:1/' }, 'redirected'],
    ];
    for (const [fault, cause] of causes) {
      opened().server.faults.length = 0;
      const error = await refused(fault);
      expect([error.code, error.details.cause], JSON.stringify(fault)).to.deep.equal(['host-unavailable', cause]);
    }
  });

  it('answers by the deadline when nothing comes, or too slowly', async () => {
    for (const kind of ['silent', 'stalled'] as const) {
      opened().server.faults.length = 0;
      expect((await refused({ kind }, 300)).details.cause).to.equal('timeout');
    }
  });

  it('says until when GitLab asks to wait', async () => {
    const limited = { kind: 'json', status: 429, body: {} } as const;
    const before = Date.now();
    const error = await refused({ ...limited, headers: { 'retry-after': '30' } });
    expect(error.details.cause).to.equal('rate_limited');
    expect(error.details.retryAt).to.be.within(before + 30_000, Date.now() + 30_000);
    const spent = { 'ratelimit-limit': '600', 'ratelimit-remaining': '0', 'ratelimit-reset': '1900000000' };
    opened().server.faults.length = 0;
    expect((await refused({ ...limited, headers: spent })).details.retryAt).to.equal(1_900_000_000_000);
  });

  it('gets over one bad answer', async () => {
    const { server, host, access } = opened();
    server.faults.push({ kind: 'json', status: 500, body: {} });
    expect((await host.reader.account(access())).name).to.equal('ada');
    server.faults.push({ kind: 'cut' });
    expect((await host.reader.account(access())).name).to.equal('ada');
  });

  it('tells the budget with its readings, changed or not', async () => {
    const { server, host, access } = opened();
    const project = addProject(server.world, 'acme/shop');
    const budget = { limit: 600, remaining: 597, resetAt: 1_900_000_000_000 };
    server.world.limits = budget;
    const read = (validator: string | null) =>
      host.reader.milestones(access(), nameOf(project), { ...FROM_START, validator });
    const first = await read(null);
    expect(first.budget).to.deep.equal(budget);
    expect(await read(first.unchanged ? null : first.validator)).to.deep.equal({ unchanged: true, budget });
  });

  it('calls a repository missing that GitLab does not show', async () => {
    const { host, access } = opened();
    const name = { id: '999', path: 'no/such', defaultBranch: 'main' };
    for (const part of ['milestones', 'issues', 'deployments'] as const) {
      const error = await refusalIn(host.reader[part](access(), name, FROM_START));
      expect(error.code, part).to.equal('not-found');
    }
  });

  it('asks with nothing but GET and the grant in its header', async () => {
    const { server, host, access } = opened();
    const project = addProject(server.world, 'acme/shop');
    for (const part of ['milestones', 'issues', 'deployments'] as const) {
      await host.reader[part](access(), nameOf(project), FROM_START);
    }
    expect(server.seen.map(({ method }) => method)).to.deep.equal(['GET', 'GET', 'GET']);
    for (const { headers, path, query } of server.seen) {
      expect(headers.authorization).to.match(/^Bearer [0-9a-f]{64}$/);
      expect(`${path}?${query}`).not.to.include(headers.authorization?.slice(7));
    }
  });
});
