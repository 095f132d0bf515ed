import type { Instant } from '@shipworthy/domain';
import { wireMomentOrNull } from '../wire/moment.js';

/** One page of a list as its answer: rows in wire form and the cursor of the next page. */
export const pageReply = <Row>(data: readonly Row[], next: string | null) =>
  ({ status: 200, body: { data, next_cursor: next }, next }) as const;

/** The same of records that may be kept for a time only. */
export const recordPageReply = <Row>(data: readonly Row[], next: string | null, keptSince: Instant | null) => {
  const page = pageReply(data, next);
  return { ...page, body: { ...page.body, kept_since: wireMomentOrNull(keptSince) } } as const;
};
