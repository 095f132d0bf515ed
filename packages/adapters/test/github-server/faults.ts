/** What happens instead of an answer, or to it. */
export type Fault =
  /** Answers, so much later. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Breaks off half-way through the body. */
  | { readonly kind: 'cut' }
  /** Half of the JSON as if it were whole. */
  | { readonly kind: 'half-json' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'hang' }
  /** A page for people. */
  | { readonly kind: 'page'; readonly status: number }
  /** The host's own failure, in JSON. */
  | { readonly kind: 'error'; readonly status: number }
  /** The given text as the answer. */
  | { readonly kind: 'answer'; readonly status: number; readonly type: string; readonly body: string }
  /** An answer of spaces that never ends. */
  | { readonly kind: 'endless' }
  /** The answer byte by byte, this long between two. */
  | { readonly kind: 'drip'; readonly ms: number }
  /** To the same address with one parameter more, once. */
  | { readonly kind: 'redirect-inside' }
  /** To another origin, which keeps what it is shown. */
  | { readonly kind: 'redirect-outside' }
  /** 403, with a budget that is used up until then. */
  | { readonly kind: 'primary-limit'; readonly resetAt: number }
  /** 429 with `Retry-After`; 403 where `status` says so, as the host may. */
  | { readonly kind: 'secondary-limit'; readonly retryAfterSeconds: number; readonly status?: 403 | 429 };

export interface FaultScope {
  /** How often; always unless given. */
  readonly times?: number;
  /** Only of paths that begin so, or match. */
  readonly path?: string | RegExp;
}

/** Faults that wait for requests. */
export interface Faults {
  /** From the next request on; the first fault whose scope fits is taken. */
  inject(fault: Fault, scope?: FaultScope): void;
  clear(): void;
  /** Takes the fault that befalls a request; undefined: none. */
  befall(path: string): Fault | undefined;
}

export const faults = (): Faults => {
  let waiting: { readonly fault: Fault; readonly path: FaultScope['path']; left: number }[] = [];
  const fits = (path: string, wanted: FaultScope['path']): boolean =>
    wanted === undefined || (typeof wanted === 'string' ? path.startsWith(wanted) : wanted.test(path));
  return {
    inject: (fault, { times = Number.POSITIVE_INFINITY, path } = {}) => {
      waiting.push({ fault, path, left: times });
    },
    clear: () => {
      waiting = [];
    },
    befall: (path) => {
      const found = waiting.find((one) => fits(path, one.path));
      if (found === undefined) return undefined;
      found.left -= 1;
      waiting = waiting.filter(({ left }) => left > 0);
      return found.fault;
    },
  };
};
