import { expect } from 'chai';
import nock from 'nock';
import { settledBy, tightestBudget } from '../../src/github/requests.js';
import { turnedMachine } from '../clock/turned-machine.js';
import {
  API,
  accessOf,
  answersGet,
  answersOddly,
  BUDGET_HEADERS,
  failureOf,
  hostAt,
  NOW,
  TOKEN,
  withoutNetwork,
} from './scene.js';

const PATH = '/repos/acme/shop';
const JSON_TYPE = { 'content-type': 'application/json' };
const REFUSED = JSON.stringify({ message: 'Bad credentials', documentation_url: 'https://docs.github.com/rest' });
const PAGE = { 'content-type': 'text/html' };

describe('requests to GitHub', () => {
  withoutNetwork();
  const { reader } = hostAt({ clock: () => NOW });
  const read = (within = 5_000) => reader.repository(accessOf({ now: NOW, within }), 'acme/shop');
  const found = { id: 7, full_name: 'acme/shop', html_url: 'https://x.test', private: false, default_branch: 'main' };

  it('say that the grant was refused only when GitHub itself said so', async () => {
    answersOddly(PATH, 401, REFUSED);
    expect(await failureOf(read())).to.include({ code: 'host-rejected' });
    answersOddly(PATH, 401, '<html>Sign in to the proxy</html>', PAGE);
    expect(await failureOf(read())).to.include({ code: 'host-unavailable', cause: 'not_json' });
  });

  it('take no refusal of something in between for one of GitHub', async () => {
    for (const body of ['[]', 'null', '{}', '"no"', '{"error":"Sign in to the proxy"}', '{"message":7}']) {
      answersOddly(PATH, 401, body);
      expect(await failureOf(read()), body).to.include({ code: 'host-unavailable', cause: 'not_json' });
    }
  });

  it('take nothing for unchanged that was not read before', async () => {
    answersOddly(PATH, 304, '', {});
    expect(await failureOf(read())).to.include({ code: 'host-unavailable', cause: 'not_json' });
  });

  it('tell limits by their headers, and by their words where there are none', async () => {
    const limits: [number, Record<string, string>, string, number][] = [
      [403, { ...BUDGET_HEADERS, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 90) }, 'x', 90],
      [429, { ...BUDGET_HEADERS, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 80) }, 'x', 80],
      [403, { 'retry-after': '70' }, 'You have exceeded a secondary rate limit', 70],
      [429, { 'retry-after': '30' }, 'x', 30],
      [403, BUDGET_HEADERS, 'You have exceeded a secondary rate limit. Please wait.', 60],
      [429, {}, 'Slow down', 60],
      [429, { 'retry-after': '999999999999' }, 'x', 86_400],
    ];
    for (const [status, headers, message, seconds] of limits) {
      answersOddly(PATH, status, JSON.stringify({ message }), { ...JSON_TYPE, ...headers });
      expect(await failureOf(read()), `${status} ${message}`).to.include({
        code: 'host-unavailable',
        cause: 'rate_limited',
        retryAt: NOW + seconds * 1000,
      });
    }
  });

  it('pass on what GitHub says about rights, but no token that it may repeat', async () => {
    const message = `Resource protected by organization SAML enforcement.\n${TOKEN} is not allowed`;
    answersOddly(PATH, 403, JSON.stringify({ message }), { ...JSON_TYPE, ...BUDGET_HEADERS });
    const failure = await failureOf(read());
    expect(failure).to.include({ code: 'host-unavailable', cause: 'forbidden' });
    expect(failure.message).to.include('SAML enforcement. [token] is not allowed');
  });

  it('are made twice, not more, when the host fails', async () => {
    answersOddly(PATH, 500, '{"message":"Server Error"}');
    answersOddly(PATH, 200, JSON.stringify(found));
    expect((await read()).id).to.equal('7');

    answersOddly(PATH, 502, '<html>Unicorn!</html>', PAGE);
    answersOddly(PATH, 502, '<html>Unicorn!</html>', PAGE);
    expect(await failureOf(read())).to.include({ code: 'host-unavailable', cause: 'server_error' });
  });

  it('are not repeated against the word of the host', async () => {
    answersOddly(PATH, 503, '{"message":"Later"}', { ...JSON_TYPE, 'retry-after': '120' });
    expect(await failureOf(read())).to.include({ cause: 'server_error', retryAt: NOW + 120_000 });
    answersOddly(PATH, 503, '{"message":"Later"}', { ...JSON_TYPE, 'retry-after': '999999999999' });
    expect(await failureOf(read())).to.include({ cause: 'server_error', retryAt: NOW + 86_400_000 });
  });

  it('take no page for an answer, nor half an answer', async () => {
    answersOddly(PATH, 200, '<html>Maintenance</html>', PAGE);
    expect(await failureOf(read())).to.include({ code: 'host-unavailable', cause: 'not_json' });
    answersOddly(PATH, 200, '{"id":7,"full_na');
    expect(await failureOf(read())).to.include({ code: 'host-unavailable', cause: 'cut' });
    answersOddly(PATH, 200, JSON.stringify({ ...found, filler: 'x'.repeat(21 * 1024 * 1024) })).persist();
    expect(await failureOf(read())).to.include({ code: 'host-unavailable', cause: 'cut' });
    nock.cleanAll();
  });

  it('end by the deadline, for any behaviour of the host', async () => {
    nock(API).get(PATH).delay(600_000).reply(200, found, JSON_TYPE);
    expect(await failureOf(read(100))).to.include({ code: 'host-unavailable', cause: 'timeout' });
    nock.abortPendingRequests();
    expect(await failureOf(read(0))).to.include({ code: 'host-unavailable', cause: 'timeout' });
  });

  it('say that the host cannot be reached', async () => {
    nock(API).get(PATH).twice().replyWithError('connect ECONNREFUSED');
    expect(await failureOf(read())).to.include({ code: 'host-unavailable', cause: 'unreachable' });
  });

  it('follow a repository to its new address once, with the grant', async () => {
    const location = `${API}/repositories/7`;
    const body = { message: 'Moved Permanently', url: location, documentation_url: 'https://docs.github.com/rest' };
    answersGet({ path: PATH, status: 301, body, headers: { location } });
    nock(API, { reqheaders: { authorization: `Bearer ${TOKEN}` } })
      .get('/repositories/7')
      .reply(200, found, JSON_TYPE);
    expect((await read()).id).to.equal('7');

    nock(API).get(PATH).reply(301, body, { location });
    nock(API).get('/repositories/7').reply(301, body, { location });
    expect(await failureOf(read())).to.include({ code: 'host-unavailable', cause: 'redirected' });
  });

  it('never follow to another origin', async () => {
    const elsewhere = nock('https://evil.test').get('/').reply(200, found, JSON_TYPE);
    nock(API).get(PATH).reply(302, '', { location: 'https://evil.test/' });
    expect(await failureOf(read())).to.include({ code: 'host-unavailable', cause: 'redirected' });
    expect(elsewhere.isDone()).to.equal(false);
    nock.cleanAll();
  });

  it('go to the address of an Enterprise Server', async () => {
    const enterprise = hostAt({ apiUrl: new URL('https://git.acme.test/api/v3/'), clock: () => NOW });
    nock('https://git.acme.test').get('/api/v3/repos/acme/shop').reply(200, found, JSON_TYPE);
    await enterprise.reader.repository(accessOf({ now: NOW }), 'acme/shop');
    nock('https://git.acme.test')
      .post('/api/graphql')
      .reply(200, { data: { nodes: [null] } }, JSON_TYPE);
    const repository = { id: '7', path: 'acme/shop', defaultBranch: 'main' };
    const none = await enterprise.reader.issuesById(accessOf({ now: NOW }), repository, ['x']);
    expect(none).to.deep.equal({ rows: [], budget: null });
  });

  it('blame the address when there is no interface at all', async () => {
    nock(API).get('/user').reply(404, { message: 'Not Found' }, JSON_TYPE);
    const failure = await failureOf(reader.account(accessOf({ now: NOW })));
    expect(failure).to.include({ code: 'host-unavailable', cause: 'server_error' });
    expect(failure.message).to.include('address');
  });

  it('are never made with another person’s grant', async () => {
    const access = { ...accessOf({ now: NOW }), ownerId: 'user-2' };
    expect(await failureOf(reader.account(access))).to.include({ code: 'host-unavailable' });
  });
});

describe('work with a deadline', () => {
  const deaf = () => new Promise<never>(() => {});

  it('is settled by then even when it listens to nothing', async () => {
    const machine = turnedMachine();
    let failure: unknown;
    void failureOf(settledBy(1_050, () => 1_000, deaf, machine.runTime)).then((found) => {
      failure = found;
    });
    await machine.run(25);
    await machine.holdUp(60_000);
    expect(failure, 'while the process was held up').to.equal(undefined);
    await machine.run(50);
    expect(failure).to.include({ code: 'host-unavailable', cause: 'timeout' });
  });

  it('is not begun when it is too late', async () => {
    let begun = false;
    const work = async () => {
      begun = true;
    };
    expect(await failureOf(settledBy(1_000, () => 1_000, work))).to.include({ cause: 'timeout' });
    expect(begun).to.equal(false);
  });

  it('gives what it gives, or throws what it throws, however far the deadline is', async () => {
    expect(
      await settledBy(
        Number.MAX_SAFE_INTEGER,
        () => 0,
        async () => 7,
      ),
    ).to.equal(7);
    const broken = async () => {
      throw new RangeError('broken');
    };
    expect(await settledBy(1_000, () => 0, broken).catch((error: unknown) => error)).to.be.instanceOf(RangeError);
  });
});

const budget = (remaining: number, limit: number) => ({ remaining, limit, resetAt: 1 });

describe('tightestBudget', () => {
  it('is the one of which the smallest share is left', () => {
    expect(tightestBudget(budget(50, 5000), budget(4, 30))).to.deep.equal(budget(50, 5000));
    expect(tightestBudget(budget(4, 30), budget(2000, 5000))).to.deep.equal(budget(4, 30));
    expect(tightestBudget(budget(10, 10), budget(0, 0))).to.deep.equal(budget(0, 0));
  });

  it('is the only one that is known', () => {
    expect(tightestBudget(null, budget(1, 2))).to.deep.equal(budget(1, 2));
    expect(tightestBudget(budget(1, 2), null)).to.deep.equal(budget(1, 2));
    expect(tightestBudget(null, null)).to.equal(null);
  });
});
