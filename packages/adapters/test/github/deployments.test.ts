import { expect } from 'chai';
import { DEPLOYMENTS_BY_ID_QUERY, DEPLOYMENTS_QUERY, STATUSES_QUERY } from '../../src/github/deployments.js';
import { begun, repositoryWith, whole } from './issue-fixtures.js';
import { publishedExample } from './published-interface.js';
import { faultsOf } from './published-schema.js';
import {
  ALL,
  accessOf,
  answersGet,
  answersQuery,
  BUDGET,
  BUDGET_HEADERS,
  failureOf,
  hostAt,
  REPOSITORY,
  withoutNetwork,
} from './scene.js';

const PATH = '/repos/acme/shop/deployments';
const query = { per_page: '1' };
const deployment = (name: string, parts: Readonly<Record<string, unknown>> = {}) => ({
  __typename: 'Deployment',
  id: `DE_${name}`,
  environment: 'production',
  commitOid: 'c0ffee',
  createdAt: '2026-02-01T09:00:00Z',
  ref: { name: 'main' },
  creator: { __typename: 'User', login: 'octocat' },
  repository: { databaseId: 1296269 },
  statuses: whole([]),
  ...parts,
});
const status = (state: string, minute: number, logUrl: string | null = null) => ({
  state,
  createdAt: `2026-02-01T09:0${minute}:00Z`,
  logUrl,
});
const minute = (value: number) => Date.parse(`2026-02-01T09:0${value}:00Z`);

describe('deployments at GitHub', () => {
  withoutNetwork();
  const { reader } = hostAt();
  const read = (request = ALL) => reader.deployments(accessOf(), REPOSITORY, request);
  const probed = () =>
    answersGet({
      path: PATH,
      query,
      status: 200,
      body: publishedExample('GET', PATH),
      headers: { etag: '"d1"', 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '100', 'x-ratelimit-reset': '9' },
    });

  it('are asked for in the words of the published schema', () => {
    for (const text of [DEPLOYMENTS_QUERY, DEPLOYMENTS_BY_ID_QUERY, STATUSES_QUERY]) {
      expect(faultsOf(text)).to.deep.equal([]);
    }
  });

  it('are unchanged when the newest one is', async () => {
    answersGet({ path: PATH, query, status: 304, validator: '"d1"', headers: BUDGET_HEADERS });
    expect(await read({ ...ALL, validator: '"d1"' })).to.deep.equal({ unchanged: true, budget: BUDGET });
  });

  it('come with every state and its moment, oldest first, and with the tighter of two budgets', async () => {
    probed();
    const statuses = [
      status('INACTIVE', 8),
      status('SUCCESS', 7, 'https://ci.test/9'),
      status('ERROR', 6, 'javascript:alert(1)'),
      status('FAILURE', 5),
      status('IN_PROGRESS', 4),
      status('WAITING', 3),
      status('PENDING', 2),
      status('QUEUED', 1),
    ];
    const asked = answersQuery(
      repositoryWith({ deployments: whole([deployment('1', { statuses: whole(statuses) })]) }),
    );
    expect(await read()).to.deep.equal({
      unchanged: false,
      rows: [
        {
          id: 'DE_1',
          environment: 'production',
          commitSha: 'c0ffee',
          ref: 'main',
          deployedBy: 'octocat',
          url: 'https://ci.test/9',
          createdAt: minute(0),
          states: [
            { state: 'queued', at: minute(1) },
            { state: 'queued', at: minute(2) },
            { state: 'queued', at: minute(3) },
            { state: 'started', at: minute(4) },
            { state: 'failure', at: minute(5) },
            { state: 'failure', at: minute(6) },
            { state: 'success', at: minute(7) },
            { state: 'other', at: minute(8) },
          ],
        },
      ],
      next: null,
      validator: '"d1"',
      budget: { limit: 5000, remaining: 100, resetAt: 9000 },
    });
    expect(asked[0]?.variables).to.deep.equal({ owner: 'acme', repo: 'shop', first: 100, after: null });
  });

  it('keep the order of states within a second, and do without what GitHub leaves out', async () => {
    probed();
    const statuses = whole([status('SUCCESS', 1), status('IN_PROGRESS', 1)]);
    const bare = deployment('1', { statuses, environment: null, ref: null });
    answersQuery(repositoryWith({ deployments: whole([bare]) }));
    const reading = await read();
    if (reading.unchanged) throw new Error('it is not unchanged');
    const [row] = reading.rows;
    expect(row?.states.map(({ state }) => state)).to.deep.equal(['started', 'success']);
    expect(row).to.deep.include({ environment: 'production', ref: null, url: null });
  });

  it('end with the first one that is older than asked for', async () => {
    const older = deployment('2', { createdAt: '2026-01-01T09:00:00Z' });
    probed();
    answersQuery(repositoryWith({ deployments: begun([deployment('1'), older], 'c1') }));
    const reading = await read({ ...ALL, since: minute(0) });
    if (reading.unchanged) throw new Error('it is not unchanged');
    expect(reading.rows.map(({ id }) => id)).to.deep.equal(['DE_1']);
    expect(reading.next).to.equal(null);
  });

  it('go on page after page otherwise', async () => {
    probed();
    answersQuery(repositoryWith({ deployments: begun([deployment('1')], 'c1') }));
    const first = await read();
    if (first.unchanged) throw new Error('it is not unchanged');
    const second = answersQuery(repositoryWith({ deployments: whole([deployment('2')]) }));
    expect(await read({ ...ALL, page: first.next })).to.deep.include({ next: null, validator: null });
    expect(second[0]?.variables).to.deep.include({ after: 'c1' });
  });

  it('are completed when their statuses do not fit a page', async () => {
    const long = deployment('1', { statuses: begun([status('SUCCESS', 3)], 's1') });
    answersQuery({ nodes: [long] });
    const rest = answersQuery({ nodes: [deployment('1', { statuses: whole([status('IN_PROGRESS', 1)]) })] });
    const { rows } = await reader.deploymentsById(accessOf(), REPOSITORY, ['DE_1']);
    expect(rows[0]?.states.map(({ state }) => state)).to.deep.equal(['started', 'success']);
    expect(rest[0]?.variables).to.deep.equal({ ids: ['DE_1'], after: 's1' });
  });

  it('are found by id where they still are', async () => {
    answersQuery({ nodes: [deployment('1'), deployment('2', { repository: { databaseId: 5 } }), null] });
    const { rows } = await reader.deploymentsById(accessOf(), REPOSITORY, ['DE_1', 'DE_2', 'DE_3']);
    expect(rows.map(({ id }) => id)).to.deep.equal(['DE_1']);
    const none = await reader.deploymentsById(accessOf(), REPOSITORY, []);
    expect(none).to.deep.equal({ rows: [], budget: null });
  });

  it('are not those of another repository that has taken the path', async () => {
    probed();
    answersQuery(repositoryWith({ deployments: whole([]) }, 5));
    expect(await failureOf(read())).to.include({ code: 'not-found' });
  });
});
