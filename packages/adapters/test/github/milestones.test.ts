import { expect } from 'chai';
import { publishedExample } from './published-interface.js';
import {
  ALL,
  accessOf,
  answersGet,
  answersOddly,
  BUDGET,
  BUDGET_HEADERS,
  failureOf,
  hostAt,
  identified,
  REPOSITORY,
  withoutNetwork,
} from './scene.js';

const PATH = '/repos/acme/shop/milestones';
const query = (page: number) => ({
  state: 'all',
  sort: 'due_on',
  direction: 'asc',
  per_page: '100',
  page: String(page),
});
const [EXAMPLE] = publishedExample('GET', PATH) as [Record<string, unknown>];
const milestone = (number: number, more: Record<string, unknown> = {}) => ({ ...EXAMPLE, number, ...more });

describe('milestones at GitHub', () => {
  withoutNetwork();
  const { repositories } = hostAt();

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
    answersGet({ path: PATH, query: query(1), status: 200, body, headers: { etag: 'W/"m1"', ...BUDGET_HEADERS } });
    identified();
    expect(await repositories.milestones(accessOf(), REPOSITORY, ALL)).to.deep.equal({
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
    answersGet({ path: PATH, query: query(1), status: 304, validator: 'W/"m1"', headers: BUDGET_HEADERS });
    const request = { ...ALL, validator: 'W/"m1"' };
    expect(await repositories.milestones(accessOf(), REPOSITORY, request)).to.deep.equal({
      unchanged: true,
      budget: BUDGET,
    });
  });

  it('come page by page, without a validator since the first page does not speak for the others', async () => {
    const full = Array.from({ length: 100 }, (_, index) => milestone(index + 1));
    const link = `<https://api.github.com${PATH}?page=2>; rel="next", <https://api.github.com${PATH}?page=2>; rel="last"`;
    answersGet({ path: PATH, query: query(1), status: 200, body: full, headers: { etag: '"1"', link } });
    identified();
    const first = await repositories.milestones(accessOf(), REPOSITORY, ALL);
    if (first.unchanged) throw new Error('it is not unchanged');
    expect(first.rows).to.have.lengthOf(100);
    expect(first.validator).to.equal(null);

    answersGet({ path: PATH, query: query(2), status: 200, body: [milestone(101)], headers: { etag: '"2"' } });
    const last = await repositories.milestones(accessOf(), REPOSITORY, { ...ALL, page: first.next });
    expect(last).to.deep.include({ next: null, validator: null, unchanged: false });
  });

  it('of a repository that cannot be read are not found, and a path that cannot exist is never asked for', async () => {
    const body = { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' };
    answersGet({ path: PATH, query: query(1), status: 404, body });
    expect(await failureOf(repositories.milestones(accessOf(), REPOSITORY, ALL))).to.include({ code: 'not-found' });
    for (const path of ['acme', 'acme/..', 'acme/shop/more', '../../user', 'acme/a b', 'ac%2fme/shop', '/shop', '']) {
      const asked = repositories.milestones(accessOf(), { ...REPOSITORY, path }, ALL);
      expect(await failureOf(asked), path).to.include({ code: 'not-found' });
    }
  });

  it('are not half read when a row is not what GitHub promises', async () => {
    for (const row of [{}, 7, milestone(1, { due_on: 'soon' }), milestone(1, { title: null }), milestone(0.5)]) {
      answersOddly(PATH, 200, JSON.stringify([row]));
      identified();
      const asked = repositories.milestones(accessOf(), REPOSITORY, ALL);
      expect(await failureOf(asked)).to.include({ code: 'host-unavailable', cause: 'not_json' });
    }
    answersOddly(PATH, 200, '{}');
    identified();
    expect(await failureOf(repositories.milestones(accessOf(), REPOSITORY, ALL))).to.include({ cause: 'not_json' });
  });

  it('are not those of another repository that has taken the path', async () => {
    answersGet({ path: PATH, query: query(1), status: 200, body: [milestone(1)] });
    identified(5);
    expect(await failureOf(repositories.milestones(accessOf(), REPOSITORY, ALL))).to.include({ code: 'not-found' });
  });

  it('has none where issues are switched off', async () => {
    identified();
    answersOddly(PATH, 410, '{"message":"Issues are disabled for this repo"}');
    expect(await repositories.milestones(accessOf(), REPOSITORY, ALL)).to.deep.include({ rows: [], next: null });
  });

  it('go on only where a reading of its own stopped', async () => {
    for (const page of ['', 'x', '7', '{}', '{"number":0}', '{"number":"2"}']) {
      const asked = repositories.milestones(accessOf(), REPOSITORY, { ...ALL, page });
      expect(await failureOf(asked), page).to.include({ code: 'invalid' });
    }
  });
});
