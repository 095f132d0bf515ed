import type { HostReading } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { issuesByIdQuery, issuesQuery, LABELS_QUERY, TIMELINE_QUERY } from '../../src/github/issues.js';
import { begun, issue, repositoryWith, whole } from './issue-fixtures.js';
import { publishedExample } from './published-interface.js';
import { faultsOf } from './published-schema.js';
import {
  ALL,
  accessOf,
  answersGet,
  answersOddly,
  answersQuery,
  answersQueryWith,
  BUDGET,
  BUDGET_HEADERS,
  failureOf,
  hostAt,
  identified,
  REPOSITORY,
  withoutNetwork,
} from './scene.js';

const PATH = '/repos/acme/shop/issues';
const query = { state: 'all', sort: 'updated', direction: 'desc', per_page: '1' };
const probed = (etag = 'W/"i1"') =>
  answersGet({
    path: PATH,
    query,
    status: 200,
    body: publishedExample('GET', PATH),
    headers: { etag, ...BUDGET_HEADERS },
  });

const rowsOf = <Row>(reading: HostReading<Row>) => {
  if (reading.unchanged) throw new Error('it is not unchanged');
  return reading.rows;
};

describe('issues at GitHub', () => {
  withoutNetwork();
  const read = (request = ALL, host = hostAt()) => host.reader.issues(accessOf(), REPOSITORY, request);

  it('are asked for in the words of the published schema, types of issues aside, which it does not know yet', () => {
    for (const text of [issuesQuery(false), issuesByIdQuery(false), TIMELINE_QUERY, LABELS_QUERY]) {
      expect(faultsOf(text)).to.deep.equal([]);
    }
    for (const text of [issuesQuery(true), issuesByIdQuery(true)]) {
      expect(faultsOf(text)).to.deep.equal(['Cannot query field "issueType" on type "Issue".']);
    }
  });

  it('are unchanged when the newest one is', async () => {
    answersGet({ path: PATH, query, status: 304, validator: 'W/"i1"', headers: BUDGET_HEADERS });
    expect(await read({ ...ALL, validator: 'W/"i1"' })).to.deep.equal({ unchanged: true, budget: BUDGET });
  });

  it('come with all that is known of them', async () => {
    probed();
    const nodes = [
      issue(1, {
        state: 'CLOSED',
        stateReason: 'NOT_PLANNED',
        closedAt: '2026-02-05T10:00:00Z',
        issueType: { name: 'Bug' },
        milestone: { number: 4 },
        labels: whole([{ name: 'severity: major' }, { name: 'api' }]),
        timelineItems: whole([
          { __typename: 'MilestonedEvent', createdAt: '2026-02-02T10:00:00Z', milestoneTitle: 'v1' },
          { __typename: 'DemilestonedEvent', createdAt: '2026-02-03T10:00:00Z', milestoneTitle: 'v1' },
          { __typename: 'ClosedEvent', createdAt: '2026-02-03T11:00:00Z', stateReason: null },
          { __typename: 'ReopenedEvent', createdAt: '2026-02-04T10:00:00Z' },
          { __typename: 'ClosedEvent', createdAt: '2026-02-05T10:00:00Z', stateReason: 'DUPLICATE' },
        ]),
      }),
    ];
    const asked = answersQuery(repositoryWith({ issues: whole(nodes) }));
    const reading = await read();
    expect(reading).to.deep.equal({
      unchanged: false,
      rows: [
        {
          id: 'I_1',
          number: 1,
          title: 'Issue 1',
          url: 'https://github.com/acme/shop/issues/1',
          state: 'closed',
          closedAs: 'not_planned',
          type: 'Bug',
          labels: ['severity: major', 'api'],
          milestoneId: '1296269/4',
          createdAt: Date.parse('2026-02-01T09:00:00Z'),
          updatedAt: Date.parse('2026-02-01T09:00:00Z'),
          closedAt: Date.parse('2026-02-05T10:00:00Z'),
          history: [
            { at: Date.parse('2026-02-02T10:00:00Z'), kind: 'milestoned', milestone: 'v1' },
            { at: Date.parse('2026-02-03T10:00:00Z'), kind: 'demilestoned', milestone: 'v1' },
            { at: Date.parse('2026-02-03T11:00:00Z'), kind: 'closed', as: 'completed' },
            { at: Date.parse('2026-02-04T10:00:00Z'), kind: 'reopened' },
            { at: Date.parse('2026-02-05T10:00:00Z'), kind: 'closed', as: 'not_planned' },
          ],
        },
      ],
      next: null,
      validator: 'W/"i1"',
      budget: BUDGET,
    });
    expect(asked[0]?.variables).to.deep.equal({ owner: 'acme', repo: 'shop', first: 100, after: null });
  });

  it('are closed in the way GitHub says, and open ones in none', async () => {
    const ways: [string, string | null, string | null][] = [
      ['CLOSED', 'COMPLETED', 'completed'],
      ['CLOSED', null, 'completed'],
      ['CLOSED', 'NOT_PLANNED', 'not_planned'],
      ['CLOSED', 'DUPLICATE', 'not_planned'],
      ['OPEN', 'REOPENED', null],
      ['OPEN', null, null],
    ];
    probed();
    answersQuery(
      repositoryWith({ issues: whole(ways.map(([state, stateReason], i) => issue(i, { state, stateReason }))) }),
    );
    expect(rowsOf(await read()).map(({ closedAs }) => closedAs)).to.deep.equal(ways.map(([, , closedAs]) => closedAs));
  });

  it('that changed since a moment go on page after page, and only the first one is preceded by a probe', async () => {
    const since = Date.parse('2026-02-01T00:00:00.500Z');
    probed();
    const first = answersQuery(repositoryWith({ issues: begun([issue(1)], 'cursor-1') }));
    const reading = await read({ ...ALL, since });
    expect(first[0]?.variables).to.deep.include({ filter: { since: '2026-02-01T00:00:00.500Z' }, after: null });
    if (reading.unchanged) throw new Error('it is not unchanged');

    const second = answersQuery(repositoryWith({ issues: whole([issue(2)]) }));
    const last = await read({ ...ALL, since, page: reading.next });
    expect(second[0]?.variables).to.deep.include({ filter: { since: '2026-02-01T00:00:00.500Z' }, after: 'cursor-1' });
    expect(last).to.deep.include({ next: null, validator: null });
    expect(rowsOf(last).map(({ number }) => number)).to.deep.equal([2]);
  });

  it('are completed when their labels or their timeline do not fit a page', async () => {
    probed();
    const event = (minute: number) => ({ __typename: 'ReopenedEvent', createdAt: `2026-02-02T10:0${minute}:00Z` });
    const long = issue(1, { labels: begun([{ name: 'a' }], 'l1'), timelineItems: begun([event(1)], 't1') });
    answersQuery(repositoryWith({ issues: whole([long]) }));
    const labels = answersQuery({ nodes: [issue(1, { labels: whole([{ name: 'b' }]) })] });
    const second = answersQuery({ nodes: [issue(1, { timelineItems: begun([event(2)], 't2') })] });
    answersQuery({ nodes: [issue(1, { timelineItems: whole([event(3)]) })] });
    const [row] = rowsOf(await read());
    expect(row?.labels).to.deep.equal(['a', 'b']);
    expect(row?.history).to.have.lengthOf(3);
    expect(labels[0]?.variables).to.deep.equal({ ids: ['I_1'], after: 'l1' });
    expect(second[0]?.variables).to.deep.equal({ ids: ['I_1'], after: 't1' });
  });

  it('have no types on older servers, which are asked for them once only', async () => {
    const host = hostAt();
    probed();
    answersQuery(repositoryWith({ issues: whole([issue(1)]) }), { typed: false });
    const again = answersQuery(repositoryWith({ issues: whole([issue(1)]) }), { typed: false });
    expect(rowsOf(await read(ALL, host))[0]?.type).to.equal(null);
    expect(again[0]?.query).not.to.include('issueType');

    probed();
    const later = answersQuery(repositoryWith({ issues: whole([issue(1)]) }), { typed: false });
    await read(ALL, host);
    expect(later[0]?.query).not.to.include('issueType');
  });

  it('are none where they are switched off', async () => {
    answersOddly(PATH, 410, '{"message":"Issues are disabled for this repo"}');
    answersQuery(repositoryWith({ issues: whole([]) }));
    expect(await read()).to.deep.include({ rows: [], next: null, validator: null });
  });

  it('are not those of another repository that has taken the path', async () => {
    probed();
    answersQuery(repositoryWith({ issues: whole([issue(1)]) }, 999));
    expect(await failureOf(read())).to.include({ code: 'not-found' });
  });

  it('are found by id where they still are, under the id that was asked for', async () => {
    const nodes = [
      issue(1, { id: 'I_other_spelling' }),
      issue(2, { repository: { databaseId: 5 } }),
      null,
      { __typename: 'User' },
    ];
    const asked = answersQuery({ nodes });
    const read = await hostAt().reader.issuesById(accessOf(), REPOSITORY, ['I_1', 'I_2', 'I_3', 'U_4']);
    expect(read.rows.map(({ id, number }) => [id, number])).to.deep.equal([['I_1', 1]]);
    expect(read.budget).to.deep.equal(BUDGET);
    expect(asked[0]?.variables).to.deep.equal({ ids: ['I_1', 'I_2', 'I_3', 'U_4'] });
  });

  it('that GitHub does not know any more are no failure', async () => {
    answersQueryWith({
      data: { nodes: [null] },
      errors: [
        { type: 'NOT_FOUND', path: ['nodes', 0], message: "Could not resolve to a node with the global id of 'I_1'" },
      ],
    });
    const none = { rows: [], budget: null };
    expect(await hostAt().reader.issuesById(accessOf(), REPOSITORY, ['I_1'])).to.deep.equal(none);
    expect(await hostAt().reader.issuesById(accessOf(), REPOSITORY, [])).to.deep.equal(none);
  });
});

const MILESTONES = '/repos/acme/shop/milestones';
const listQuery = (page: number) => ({
  state: 'all',
  sort: 'due_on',
  direction: 'asc',
  per_page: '100',
  page: String(page),
});
const [EXAMPLE] = publishedExample('GET', MILESTONES) as [Record<string, unknown>];
const milestone = (number: number, more: Record<string, unknown> = {}) => ({ ...EXAMPLE, number, ...more });

describe('milestones at GitHub', () => {
  withoutNetwork();
  const { reader } = hostAt();

  it('are read with their state and due date, under an id that no interface spells differently', async () => {
    const body = [
      milestone(1, {
        title: 'v1',
        due_on: '2026-04-01T07:00:00Z',
        html_url: 'https://github.com/acme/shop/milestone/1',
      }),
      milestone(2, {
        title: 'v2',
        state: 'closed',
        due_on: null,
        html_url: 'https://github.com/acme/shop/milestone/2',
      }),
    ];
    answersGet({
      path: MILESTONES,
      query: listQuery(1),
      status: 200,
      body,
      headers: { etag: 'W/"m1"', ...BUDGET_HEADERS },
    });
    identified();
    expect(await reader.milestones(accessOf(), REPOSITORY, ALL)).to.deep.equal({
      unchanged: false,
      rows: [
        {
          id: '1296269/1',
          number: 1,
          title: 'v1',
          state: 'open',
          dueAt: Date.parse('2026-04-01T07:00:00Z'),
          url: 'https://github.com/acme/shop/milestone/1',
        },
        {
          id: '1296269/2',
          number: 2,
          title: 'v2',
          state: 'closed',
          dueAt: null,
          url: 'https://github.com/acme/shop/milestone/2',
        },
      ],
      next: null,
      validator: 'W/"m1"',
      budget: BUDGET,
    });
  });

  it('are unchanged when GitHub says so', async () => {
    answersGet({ path: MILESTONES, query: listQuery(1), status: 304, validator: 'W/"m1"', headers: BUDGET_HEADERS });
    const request = { ...ALL, validator: 'W/"m1"' };
    expect(await reader.milestones(accessOf(), REPOSITORY, request)).to.deep.equal({
      unchanged: true,
      budget: BUDGET,
    });
  });

  it('come page by page, without a validator since the first page does not speak for the others', async () => {
    const full = Array.from({ length: 100 }, (_, index) => milestone(index + 1));
    const link = `<https://api.github.com${MILESTONES}?page=2>; rel="next", <https://api.github.com${MILESTONES}?page=2>; rel="last"`;
    answersGet({ path: MILESTONES, query: listQuery(1), status: 200, body: full, headers: { etag: '"1"', link } });
    identified();
    const first = await reader.milestones(accessOf(), REPOSITORY, ALL);
    if (first.unchanged) throw new Error('it is not unchanged');
    expect(first.rows).to.have.lengthOf(100);
    expect(first.validator).to.equal(null);

    answersGet({
      path: MILESTONES,
      query: listQuery(2),
      status: 200,
      body: [milestone(101)],
      headers: { etag: '"2"' },
    });
    const last = await reader.milestones(accessOf(), REPOSITORY, { ...ALL, page: first.next });
    expect(last).to.deep.include({ next: null, validator: null, unchanged: false });
  });

  it('of a repository that cannot be read are not found, and a path that cannot exist is never asked for', async () => {
    const body = { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' };
    answersGet({ path: MILESTONES, query: listQuery(1), status: 404, body });
    expect(await failureOf(reader.milestones(accessOf(), REPOSITORY, ALL))).to.include({ code: 'not-found' });
    for (const path of ['acme', 'acme/..', 'acme/shop/more', '../../user', 'acme/a b', 'ac%2fme/shop', '/shop', '']) {
      const asked = reader.milestones(accessOf(), { ...REPOSITORY, path }, ALL);
      expect(await failureOf(asked), path).to.include({ code: 'not-found' });
    }
  });

  it('are not half read when a row is not what GitHub promises', async () => {
    for (const row of [{}, 7, milestone(1, { due_on: 'soon' }), milestone(1, { title: null }), milestone(0.5)]) {
      answersOddly(MILESTONES, 200, JSON.stringify([row]));
      identified();
      const asked = reader.milestones(accessOf(), REPOSITORY, ALL);
      expect(await failureOf(asked)).to.include({ code: 'host-unavailable', cause: 'not_json' });
    }
    answersOddly(MILESTONES, 200, '{}');
    identified();
    expect(await failureOf(reader.milestones(accessOf(), REPOSITORY, ALL))).to.include({ cause: 'not_json' });
  });

  it('are not those of another repository that has taken the path', async () => {
    answersGet({ path: MILESTONES, query: listQuery(1), status: 200, body: [milestone(1)] });
    identified(5);
    expect(await failureOf(reader.milestones(accessOf(), REPOSITORY, ALL))).to.include({ code: 'not-found' });
  });

  it('has none where issues are switched off', async () => {
    identified();
    answersOddly(MILESTONES, 410, '{"message":"Issues are disabled for this repo"}');
    expect(await reader.milestones(accessOf(), REPOSITORY, ALL)).to.deep.include({ rows: [], next: null });
  });

  it('go on only where a reading of its own stopped', async () => {
    for (const page of ['', 'x', '7', '{}', '{"number":0}', '{"number":"2"}']) {
      const asked = reader.milestones(accessOf(), REPOSITORY, { ...ALL, page });
      expect(await failureOf(asked), page).to.include({ code: 'invalid' });
    }
  });
});
