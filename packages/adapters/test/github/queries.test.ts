import { expect } from 'chai';
import nock from 'nock';
import { begun, issue, whole } from './issue-fixtures.js';
import {
  API,
  accessOf,
  answersQuery,
  answersQueryWith,
  BUDGET_HEADERS,
  failureOf,
  hostAt,
  NOW,
  REPOSITORY,
  withoutNetwork,
} from './scene.js';

describe('queries to GitHub', () => {
  withoutNetwork();
  const { reader } = hostAt({ clock: () => NOW });
  const read = (within = 5_000) => reader.issuesById(accessOf({ now: NOW, within }), REPOSITORY, ['I_1']);
  const cursor = JSON.stringify({ after: 'c1' });
  const page = () => reader.issues(accessOf({ now: NOW }), REPOSITORY, { since: null, page: cursor, validator: null });

  it('tell a limit that comes with status 200', async () => {
    for (const type of ['RATE_LIMITED', 'RATE_LIMIT']) {
      const headers = { ...BUDGET_HEADERS, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 40) };
      answersQueryWith({ errors: [{ type, message: 'API rate limit exceeded' }] }, 200, headers);
      expect(await failureOf(read()), type).to.include({ cause: 'rate_limited', retryAt: NOW + 40_000 });
    }
  });

  it('tell missing rights from what is missing', async () => {
    for (const type of ['FORBIDDEN', 'INSUFFICIENT_SCOPES']) {
      answersQueryWith({
        data: { nodes: [null] },
        errors: [{ type, path: ['nodes', 0], message: 'SAML gho_canary1' }],
      });
      const failure = await failureOf(read());
      expect(failure).to.include({ code: 'host-unavailable', cause: 'forbidden' });
      expect(failure.message).to.include('SAML [token]');
    }
    answersQueryWith({
      data: { repository: null },
      errors: [{ type: 'NOT_FOUND', path: ['repository'], message: 'x' }],
    });
    expect(await failureOf(page())).to.include({ code: 'not-found' });
    answersQueryWith({ data: { repository: null } });
    expect(await failureOf(page())).to.include({ code: 'not-found' });
  });

  it('do not take a part for the whole', async () => {
    const errors = [
      { type: 'NOT_FOUND', path: ['nodes', 0], message: 'gone' },
      { message: 'Something went wrong while executing your query.' },
    ];
    answersQueryWith({ data: { nodes: [null] }, errors });
    answersQueryWith({ data: { nodes: [null] }, errors });
    expect(await failureOf(read())).to.include({ code: 'host-unavailable', cause: 'server_error' });
  });

  it('are asked once more when the host fails, for less at once', async () => {
    nock(API).post('/graphql').reply(502, '<html>Unicorn</html>', { 'content-type': 'text/html' });
    const root = {
      repository: { databaseId: 1296269, issues: { nodes: [issue(1)], pageInfo: { hasNextPage: false } } },
    };
    const asked = answersQuery(root);
    const reading = await page();
    expect(reading.unchanged).to.equal(false);
    expect(asked[0]?.variables).to.deep.include({ first: 25, after: 'c1' });
  });

  it('are refused with the grant only by GitHub itself', async () => {
    answersQueryWith({ message: 'Bad credentials' }, 401);
    expect(await failureOf(read())).to.include({ code: 'host-rejected' });
    nock(API).post('/graphql').reply(401, '<html>proxy</html>', { 'content-type': 'text/html' });
    expect(await failureOf(read())).to.include({ code: 'host-unavailable', cause: 'not_json' });
  });

  it('are not answered by something that is no answer to a query', async () => {
    for (const body of [
      {},
      { data: null },
      { data: [] },
      { data: {} },
      { data: { nodes: [] } },
      { data: { nodes: [7] } },
      { data: { nodes: [{ __typename: 'Issue' }] } },
    ]) {
      answersQueryWith(body);
      expect(await failureOf(read()), JSON.stringify(body)).to.include({ code: 'host-unavailable', cause: 'not_json' });
    }
    for (const text of ['null', '{"errors":{}}', '{"errors":7}']) {
      nock(API).post('/graphql').reply(200, text, { 'content-type': 'application/json' });
      expect(await failureOf(read()), text).to.include({ code: 'host-unavailable', cause: 'not_json' });
    }
  });

  it('follow no list without end, and take no list that is longer than it was asked for', async () => {
    const endless = begun([], 'c2');
    answersQueryWith({ data: { nodes: [issue(1, { labels: endless })] } });
    let pages = 1;
    nock(API)
      .persist()
      .post('/graphql')
      .reply(
        200,
        () => {
          pages += 1;
          return { data: { nodes: [{ labels: endless }] } };
        },
        { 'content-type': 'application/json' },
      );
    expect(await failureOf(read(60_000))).to.include({ code: 'host-unavailable', cause: 'not_json' });
    expect(pages).to.equal(50);
    nock.cleanAll();
    answersQueryWith({ data: { nodes: [issue(1, { labels: whole(Array(1001).fill({ name: 'bug' })) })] } });
    expect(await failureOf(read())).to.include({ code: 'host-unavailable', cause: 'not_json' });
  });

  it('end by the deadline', async () => {
    nock(API).post('/graphql').delay(600_000).reply(200, { data: {} }, { 'content-type': 'application/json' });
    expect(await failureOf(read(100))).to.include({ code: 'host-unavailable', cause: 'timeout' });
    nock.abortPendingRequests();
  });

  it('ask for a hundred at most', async () => {
    const ids = Array.from({ length: 101 }, (_, index) => `I_${index}`);
    for (const asked of [
      reader.issuesById(accessOf({ now: NOW }), REPOSITORY, ids),
      reader.deploymentsById(accessOf({ now: NOW }), REPOSITORY, ids),
    ]) {
      const error = await asked.catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(RangeError);
    }
  });
});
