/** What is left of an hour's requests. */
export interface Budget {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds since 1970. */
  readonly resetAt: number;
}

/** REST and GraphQL are counted apart, as at the host. */
export type LimitedResource = 'core' | 'graphql';

/** The budgets of every token. */
export interface Limits {
  /** Requests of a window, for both resources of every token from now on. */
  allow(limit: number, windowMs?: number): void;
  of(token: string, resource: LimitedResource): Budget;
  /** Takes one request; false when none is left. */
  take(token: string, resource: LimitedResource): boolean;
  /** Leaves so many, for every token known. */
  leave(remaining: number): void;
}

const HOUR_MS = 3_600_000;
const USUAL_LIMIT = 5000;

export const limits = (clock: () => number): Limits => {
  let allowed = { limit: USUAL_LIMIT, windowMs: HOUR_MS };
  const used = new Map<string, { count: number; resetAt: number }>();
  const windowOf = (token: string, resource: LimitedResource) => {
    const key = `${resource} ${token}`;
    const known = used.get(key);
    if (known !== undefined && known.resetAt > clock()) return known;
    // The host tells the end in whole seconds.
    const fresh = { count: 0, resetAt: Math.ceil((clock() + allowed.windowMs) / 1000) * 1000 };
    used.set(key, fresh);
    return fresh;
  };
  return {
    allow: (limit, windowMs = HOUR_MS) => {
      allowed = { limit, windowMs };
      used.clear();
    },
    of: (token, resource) => {
      const { count, resetAt } = windowOf(token, resource);
      return { limit: allowed.limit, remaining: Math.max(0, allowed.limit - count), resetAt };
    },
    take: (token, resource) => {
      const window = windowOf(token, resource);
      if (window.count >= allowed.limit) return false;
      window.count += 1;
      return true;
    },
    leave: (remaining) => {
      for (const window of used.values()) window.count = allowed.limit - remaining;
    },
  };
};

/** The headers that every answer bears. */
export const limitHeaders = (budget: Budget, resource: LimitedResource): Readonly<Record<string, string>> => ({
  'x-ratelimit-limit': String(budget.limit),
  'x-ratelimit-remaining': String(budget.remaining),
  'x-ratelimit-used': String(budget.limit - budget.remaining),
  'x-ratelimit-reset': String(Math.floor(budget.resetAt / 1000)),
  'x-ratelimit-resource': resource,
});
