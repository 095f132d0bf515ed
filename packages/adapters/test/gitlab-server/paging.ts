import type { Answer } from './answer.js';

const number = (text: string | null, fallback: number): number => {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : fallback;
};

/** A page by `page` and `per_page` (20, at most 100), with the next one's number in `X-Next-Page`. */
export const paged = (rows: readonly unknown[], query: URLSearchParams): Answer => {
  const page = number(query.get('page'), 1);
  const perPage = Math.min(100, number(query.get('per_page'), 20));
  const end = page * perPage;
  return {
    status: 200,
    body: rows.slice(end - perPage, end),
    headers: { 'x-page': String(page), 'x-next-page': end < rows.length ? String(page + 1) : '' },
  };
};

interface Changed {
  readonly id: number;
  readonly updated_at: string;
}

/** Rows changed at or after `updated_after`, ordered by change; of equal ones the newer id first, as GitLab does it. */
export const byChange = <Row extends Changed>(rows: readonly Row[], query: URLSearchParams): readonly Row[] => {
  const after = Date.parse(query.get('updated_after') ?? '1970-01-01T00:00:00Z');
  const direction = query.get('sort') === 'asc' ? 1 : -1;
  return rows
    .filter((row) => Date.parse(row.updated_at) >= after)
    .toSorted((one, other) => {
      const difference = Date.parse(one.updated_at) - Date.parse(other.updated_at);
      return difference === 0 ? other.id - one.id : direction * difference;
    });
};
