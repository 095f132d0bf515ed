import type { HostAccess, HostReading, HostReadRequest, Instant } from '@shipworthy/domain';
import type { FullReply, GitlabApi, Reading } from './api.js';
import { type Fields, moment, rowsOf, wholeNumber } from './fields.js';

/** A list of GitLab's that can be ordered and filtered by `updated_at`. */
export interface ChangedList<Row> {
  readonly reading: Reading;
  rowsOf(page: readonly Fields[]): Promise<readonly Row[]>;
}

/** Where a reading goes on. */
interface Place {
  /** On GitLab's clock, inclusive. */
  readonly after: Instant;
  /** Of what changed at or after that moment. */
  readonly page: number;
  /** Ids of rows that were handed out and lie at that very moment. */
  readonly seen: readonly number[];
}

const PER_PAGE = 100;
const rfc3339 = (at: Instant): string => new Date(at).toISOString();

const ordered = (reading: Reading, sort: 'asc' | 'desc', after: Instant, perPage: number, page: number): Reading => ({
  ...reading,
  query: {
    ...reading.query,
    order_by: 'updated_at',
    sort,
    updated_after: rfc3339(after),
    per_page: perPage,
    page,
  },
});

const placeAfter = (place: Place, rows: readonly Fields[]): Place => {
  const last = rows.at(-1);
  const reached = last === undefined ? place.after : moment(last, 'updated_at');
  const seen = rows.filter((row) => moment(row, 'updated_at') === reached).map((row) => wholeNumber(row, 'id'));
  // Without progress in time (100 rows of one moment) only the page number leads on.
  if (reached <= place.after) return { after: place.after, page: place.page + 1, seen: [...place.seen, ...seen] };
  return { after: reached, page: 1, seen };
};

/**
 * Reads what changed, least recently changed first. Page numbers alone would lose rows: one that changes during the reading
 * moves to the end and pulls the others forward. So each page begins at the moment the last one reached (`updated_after`
 * includes its moment, and GitLab allows it only together with that order); what was handed out already is left out.
 * Whether anything changed at all is asked first, by the newest row with its ETag.
 */
export const changedRows = async <Row>(
  api: GitlabApi,
  access: HostAccess,
  list: ChangedList<Row>,
  request: HostReadRequest,
): Promise<HostReading<Row>> => {
  const begin: Place = { after: request.since ?? 0, page: 1, seen: [] };
  const place = request.page === null ? begin : (JSON.parse(request.page) as Place);
  let validator: string | null = null;
  if (request.page === null) {
    const newest = await api.get(access, { ...ordered(list.reading, 'desc', 0, 1, 1), validator: request.validator });
    if (newest.unchanged) return newest;
    validator = newest.validator;
    const [row] = rowsOf(newest.body);
    if (row === undefined || moment(row, 'updated_at') < begin.after) {
      return { unchanged: false, rows: [], next: null, validator, budget: newest.budget };
    }
  }
  const reply: FullReply = await api.getFull(access, ordered(list.reading, 'asc', place.after, PER_PAGE, place.page));
  const rows = rowsOf(reply.body);
  const fresh = rows.filter(
    (row) => moment(row, 'updated_at') !== place.after || !place.seen.includes(wholeNumber(row, 'id')),
  );
  return {
    unchanged: false,
    rows: await list.rowsOf(fresh),
    next: reply.nextPage === null ? null : JSON.stringify(placeAfter(place, rows)),
    validator,
    budget: reply.budget,
  };
};
