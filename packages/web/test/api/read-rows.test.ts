import { expect } from 'chai';
import { readPages, type WantedPage } from '../../src/api/read-rows.js';

/** A list of that many numbers, from 1, whose cursor is the last number of a page. */
const listOf = (length: number) => {
  const asked: WantedPage[] = [];
  const readPage = async (query: WantedPage) => {
    asked.push(query);
    const after = Number(query.cursor ?? 0);
    const data = Array.from({ length: Math.min(query.limit, length - after) }, (_, index) => after + index + 1);
    const last = after + data.length;
    return { data, next_cursor: last < length ? String(last) : null };
  };
  return { asked, readPage };
};
const { signal } = new AbortController();

describe('rows of a paged list', () => {
  it('are read in one page as long as one holds them', async () => {
    const { asked, readPage } = listOf(300);
    const { rows, next } = await readPages(readPage, 50, signal);
    expect([rows.length, next]).to.deep.equal([50, '50']);
    expect(asked).to.deep.equal([{ limit: 50 }]);
  });

  it('are read in several pages when more were shown, each row once', async () => {
    const { asked, readPage } = listOf(600);
    const { rows, next } = await readPages(readPage, 450, signal);
    expect(rows).to.deep.equal(Array.from({ length: 450 }, (_, index) => index + 1));
    expect(next).to.equal('450');
    expect(asked).to.deep.equal([{ limit: 200 }, { limit: 200, cursor: '200' }, { limit: 50, cursor: '400' }]);
  });

  it('tell since when none was removed for its age', async () => {
    const readPage = async () => ({ data: [1], next_cursor: null, kept_since: '2026-03-12T00:00:00.000Z' });
    expect(await readPages(readPage, 50, signal)).to.include({ keptSince: '2026-03-12T00:00:00.000Z' });
  });

  it('end where the list does', async () => {
    const { readPage } = listOf(120);
    expect(await readPages(readPage, 150, signal)).to.deep.include({ next: null });
    expect(await readPages(listOf(0).readPage, 50, signal)).to.deep.equal({
      rows: [],
      next: null,
      keptSince: null,
      page: { data: [], next_cursor: null },
    });
  });

  it('come with what the last page says beside them', async () => {
    const { readPage } = listOf(300);
    const readCounted = async (query: WantedPage) => ({ ...(await readPage(query)), total: 300 });
    const { page } = await readPages(readCounted, 250, signal);
    expect([page.total, page.data[0]]).to.deep.equal([300, 201]);
  });
});
