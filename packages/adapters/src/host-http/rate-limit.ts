import type { HostBudget, Instant } from '@shipworthy/domain';

/** What the headers of one host call its limits: `x-ratelimit` or `ratelimit`, followed by `-limit`, `-remaining`, `-reset`. */
export type LimitPrefix = 'x-ratelimit' | 'ratelimit';

const wholeNumber = (text: string | null): number | undefined =>
  text !== null && /^\d{1,12}$/.test(text.trim()) ? Number(text) : undefined;

/** What the host still allows; `-reset` is in seconds since 1970. null: the answer does not say it whole. */
export const budgetOf = (headers: Headers, prefix: LimitPrefix): HostBudget | null => {
  const limit = wholeNumber(headers.get(`${prefix}-limit`));
  const remaining = wholeNumber(headers.get(`${prefix}-remaining`));
  const reset = wholeNumber(headers.get(`${prefix}-reset`));
  if (limit === undefined || remaining === undefined || reset === undefined) return null;
  return { limit, remaining, resetAt: reset * 1000 };
};

/** `Retry-After` (RFC 9110, 10.2.3): seconds from now, or a date. */
const retryAfter = (headers: Headers, now: Instant): Instant | undefined => {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const seconds = wholeNumber(text);
  if (seconds !== undefined) return now + seconds * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
};

/** When the host may be asked again; undefined: it did not say. */
export const retryAtOf = (headers: Headers, prefix: LimitPrefix, now: Instant): Instant | undefined => {
  const after = retryAfter(headers, now);
  if (after !== undefined) return after;
  const budget = budgetOf(headers, prefix);
  return budget !== null && budget.remaining === 0 ? budget.resetAt : undefined;
};
