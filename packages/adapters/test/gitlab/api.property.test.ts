import type { HostAccess, HostReading } from '@shipworthy/domain/ports';
import fc from 'fast-check';
import { changedRows, type FullReply, type GitlabApi, type GitlabRequest } from '../../src/gitlab/api.js';
import { byChange, paged } from '../gitlab-server/paging.js';
import { written } from '../gitlab-server/world.js';
import { FROM_START } from './opened.js';

interface Row {
  readonly id: number;
  updated_at: string;
}

const access: HostAccess = { ownerId: 'a', grant: { sealed: '', expiresAt: null }, deadline: 0 };

/** GitLab's lists over rows that a test changes. */
const listing = (rows: readonly Row[]): GitlabApi => {
  const getFull = async (_access: HostAccess, { query = {} }: GitlabRequest): Promise<FullReply> => {
    const asked = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const { body, headers } = paged(byChange(rows, asked), asked);
    const nextPage = Number(headers?.['x-next-page'] ?? '') || null;
    // The answer keeps its state when the row changes later.
    return { unchanged: false, body: structuredClone(body), validator: null, nextPage, budget: null };
  };
  return { get: getFull, getFull, query: async () => ({}) };
};

/** Seconds at which rows last changed (many share one), and after each page which rows change next. */
const story = fc.record({
  seconds: fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 90, maxLength: 450 }),
  changes: fc.array(fc.array(fc.nat(), { maxLength: 40 }), { maxLength: 6 }),
});

describe('reading what changed at GitLab, with any changes during the read', () => {
  it('sees every row in the end, each in its last state', async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ seconds, changes }) => {
        const rows: Row[] = seconds.map((second, id) => ({ id, updated_at: written(second * 1000) }));
        // More than a page of one moment goes by page numbers, which a change among them can shift.
        fc.pre(seconds.every((second) => seconds.filter((other) => other === second).length <= 90));
        const list = { reading: { path: [], what: 'rows' }, rowsOf: async (page: readonly object[]) => page as Row[] };
        const latest = new Map<number, string>();
        let now = 100_000;
        const pending = [...changes];
        for (let page: string | null = null, first = true; first || page !== null; first = false) {
          const reading: HostReading<Row> = await changedRows(listing(rows), access, list, { ...FROM_START, page });
          if (reading.unchanged) return false;
          for (const { id, updated_at } of reading.rows) latest.set(id, updated_at);
          page = reading.next;
          if (page === null) break;
          for (const pick of pending.shift() ?? []) {
            const row = rows[pick % rows.length];
            now += 1;
            if (row !== undefined) row.updated_at = written(now);
          }
        }
        return rows.every(({ id, updated_at }) => latest.get(id) === updated_at);
      }),
      { numRuns: 200 },
    );
  });
});
