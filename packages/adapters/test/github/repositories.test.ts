import { expect } from 'chai';
import { publishedExample } from './published-interface.js';
import { accessOf, answersGet, failureOf, hostAt, withoutNetwork } from './scene.js';

const LIST = '/user/repos';
const query = (page: number) => ({ sort: 'full_name', direction: 'asc', per_page: '100', page: String(page) });
const NEXT = { link: `<https://api.github.com${LIST}?page=2>; rel="next"` };
const [LISTED] = publishedExample('GET', LIST) as [Record<string, unknown>];
const listed = (id: number, full_name: string, more: Record<string, unknown> = {}) => ({
  ...LISTED,
  id,
  full_name,
  ...more,
});
const NOT_FOUND = { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' };

describe('repositories at GitHub', () => {
  withoutNetwork();
  const { reader } = hostAt();
  const list = (text: string | null, limit: number, page: string | null = null) =>
    reader.repositories(accessOf(), { text, limit, page });

  /** The published example lacks what its own schema demands of it and of its source. */
  const shop = {
    ...(publishedExample('GET', '/repos/acme/shop') as object),
    language: null,
    source: undefined,
    parent: undefined,
  };

  it('tell whose grant it is', async () => {
    answersGet({ path: '/user', status: 200, body: publishedExample('GET', '/user') });
    expect(await reader.account(accessOf())).to.deep.equal({ id: '1', name: 'octocat' });
  });

  it('are found by their path', async () => {
    const body = {
      ...shop,
      id: 1296269,
      full_name: 'acme/shop',
      html_url: 'https://github.com/acme/shop',
      private: true,
      archived: true,
      default_branch: 'trunk',
    };
    answersGet({ path: '/repos/acme/shop', status: 200, body });
    expect(await reader.repository(accessOf(), 'acme/shop')).to.deep.equal({
      id: '1296269',
      path: 'acme/shop',
      url: 'https://github.com/acme/shop',
      private: true,
      archived: true,
      defaultBranch: 'trunk',
    });
    answersGet({ path: '/repos/acme/none', status: 404, body: NOT_FOUND });
    expect(await failureOf(reader.repository(accessOf(), 'acme/none'))).to.include({ code: 'not-found' });
  });

  it('have an address of the web, or the answer is not taken for one of GitHub', async () => {
    answersGet({ path: '/repos/acme/shop', status: 200, body: { ...shop, html_url: 'javascript:alert(1)' } });
    const refusal = await failureOf(reader.repository(accessOf(), 'acme/shop'));
    expect(refusal).to.include({ code: 'host-unavailable' });
  });

  it('are listed by path, as many as asked for, and the next page goes on after the last one', async () => {
    const body = [listed(1, 'acme/a'), listed(2, 'acme/b'), listed(3, 'acme/c')];
    answersGet({ path: LIST, query: query(1), status: 200, body });
    const first = await list(null, 2);
    expect(first.rows.map(({ path }) => path)).to.deep.equal(['acme/a', 'acme/b']);

    answersGet({ path: LIST, query: query(1), status: 200, body });
    const second = await list(null, 2, first.next);
    expect(second.rows.map(({ path }) => path)).to.deep.equal(['acme/c']);
    expect(second.next).to.equal(null);
  });

  it('are searched in any case, through as many pages as it takes', async () => {
    answersGet({ path: LIST, query: query(1), status: 200, body: [listed(1, 'acme/a')], headers: NEXT });
    answersGet({
      path: LIST,
      query: query(2),
      status: 200,
      body: [listed(2, 'acme/Shop'), listed(3, 'other/workshop')],
    });
    const { rows, next } = await list('sHOP', 100);
    expect(rows.map(({ id }) => id)).to.deep.equal(['2', '3']);
    expect(next).to.equal(null);
  });

  it('are not searched for ever: after ten pages the search is to be continued', async () => {
    for (let page = 1; page <= 10; page += 1) {
      answersGet({ path: LIST, query: query(page), status: 200, body: [listed(page, 'acme/a')], headers: NEXT });
    }
    const first = await list('shop', 10);
    expect(first.rows).to.deep.equal([]);
    answersGet({ path: LIST, query: query(11), status: 200, body: [listed(11, 'acme/shop')] });
    expect((await list('shop', 10, first.next)).rows.map(({ id }) => id)).to.deep.equal(['11']);
  });

  it('are a page that ends with the host’s page and begins with its next', async () => {
    answersGet({ path: LIST, query: query(1), status: 200, body: [listed(1, 'acme/a')], headers: NEXT });
    const first = await list(null, 1);
    answersGet({ path: LIST, query: query(2), status: 200, body: [listed(2, 'acme/b')] });
    expect((await list(null, 1, first.next)).rows.map(({ id }) => id)).to.deep.equal(['2']);
  });

  it('are none when there is none to read', async () => {
    answersGet({ path: LIST, query: query(1), status: 200, body: [] });
    expect(await list(null, 1)).to.deep.equal({ rows: [], next: null });
  });
});
