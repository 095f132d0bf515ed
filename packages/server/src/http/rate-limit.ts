import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { type Instant, networkOf } from '@shipworthy/domain';
import type { Clock } from '@shipworthy/domain/ports';
import { Problem } from './problem.js';

// draft-ietf-httpapi-ratelimit-headers-11. It is a draft: only this file depends on it.

/** `RateLimit-Policy`: at most `q` requests in a window of `w` seconds; with a burst beside it, of one second. */
const policyHeader = (name: string, { perMinute, burst }: Quota): string =>
  `"${name}";q=${perMinute};w=60, "${name}-burst";q=${burst};w=1`;

/** `RateLimit`: what remains of the burst now and after how many seconds it is whole again. */
const limitHeader = (name: string, bucket: Bucket, buckets: TokenBuckets): string =>
  `"${name}-burst";r=${Math.max(0, Math.floor(bucket.tokens))};t=${Math.ceil(buckets.untilFull(bucket))}`;

/**
 * A map whose values have a size of `limit` together at most, each 1 unless `sizeOf` says otherwise. Values are
 * removed in the order in which they were last set or read by `use`; `get` does not count.
 */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  #newest: Key | undefined;
  #taken = 0;

  constructor(
    readonly limit: number,
    readonly sizeOf: (value: Value) => number = () => 1,
  ) {}

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** Like `get`, and makes the value the last one to be removed. */
  use(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    // A key used several times in a row is at the end already.
    if (value !== undefined && key !== this.#newest) this.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#taken += this.sizeOf(value);
    this.#newest = key;
    if (this.#taken <= this.limit) return;
    for (const oldest of this.#entries.keys()) {
      this.delete(oldest);
      if (this.#taken <= this.limit) return;
    }
  }

  delete(key: Key): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#taken -= this.sizeOf(value);
  }
}

/** How many requests are allowed per minute, and how many at once. */
interface Quota {
  readonly perMinute: number;
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  at: Instant;
}

/** A limited number of token buckets, by name. The one opened first is forgotten first, used or not: it counts as full again. */
class TokenBuckets {
  readonly #buckets: BoundedMap<string, Bucket>;
  readonly #perMs: number;
  constructor(
    readonly quota: Quota,
    limit: number,
  ) {
    this.#buckets = new BoundedMap(limit);
    this.#perMs = quota.perMinute / 60_000;
  }

  /** The bucket, filled up to now; undefined when the name has none, or its bucket was forgotten. */
  known(name: string, now: Instant): Bucket | undefined {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) return undefined;
    // A clock that was set back must not empty a bucket.
    bucket.tokens = Math.min(this.quota.burst, bucket.tokens + Math.max(0, now - bucket.at) * this.#perMs);
    bucket.at = now;
    return bucket;
  }

  open(name: string, now: Instant): Bucket {
    const known = this.known(name, now);
    if (known !== undefined) return known;
    const bucket = { tokens: this.quota.burst, at: now };
    this.#buckets.set(name, bucket);
    return bucket;
  }

  /** Seconds until the bucket has a token again. */
  wait(bucket: Bucket): number {
    return Math.max(0, (1 - bucket.tokens) / this.#perMs / 1000);
  }

  /** Seconds until it is full. */
  untilFull(bucket: Bucket): number {
    return (this.quota.burst - bucket.tokens) / this.#perMs / 1000;
  }
}

/** The bucket in which a request was counted. */
export interface CountedRequest {
  readonly bucket: Bucket;
  readonly kind: Kind;
}
interface Kind {
  readonly name: string;
  readonly buckets: TokenBuckets;
  readonly policy: string;
}

export interface RateLimit {
  /**
   * Counts a request before anything is asked about it: on the caller who was let in with its credential before, else on the
   * account that its device has signed in to, so that other callers of the same network do not use up its requests, else on its
   * network.
   * Devices of one account share a count: signing in again makes a new device, and would make a new count. null: nothing is
   * limited. @throws Problem `too-many-requests`
   */
  count(credential: string | null, address: string, account?: string): CountedRequest | null;
  /**
   * Moves a request to the caller who made it, and remembers the credential as theirs; it is the caller's name unless given.
   * @throws Problem `too-many-requests`
   */
  recount(counted: CountedRequest, caller: string, credential?: string | null): CountedRequest;
  /**
   * Forgets a credential that turned out not to be valid: from then on the requests of all such credentials of a network count
   * together, apart from those that show one for the first time. This one counts like one without a credential, and is given back
   * to the caller it was counted on.
   */
  forget(credential: string, counted: CountedRequest, address: string): CountedRequest;
  /** The header `RateLimit` of an answer; `RateLimit-Policy` is `counted.kind.policy`. */
  remaining(counted: CountedRequest): string;
}

/** Requests without a valid credential, per network or account of known devices. */
const ANONYMOUS: Quota = { perMinute: 60, burst: 60 };
const CREDENTIALS_COUNTED = 50_000;
const ADDRESSES_COUNTED = 50_000;

/** The quota per key and session: a sixth of a minute's requests may come at once. */
export const quotaOf = (perMinute: number): Quota => ({ perMinute, burst: Math.max(1, Math.round(perMinute / 6)) });

const kindOf = (name: string, quota: Quota, limit: number): Kind => ({
  name,
  buckets: new TokenBuckets(quota, limit),
  policy: policyHeader(name, quota),
});

/** Counts requests in this process. `perMinute: null` limits nothing. */
export const createRateLimit = (perMinute: number | null, clock: Clock): RateLimit => {
  const caller = kindOf('caller', quotaOf(perMinute ?? 1), CREDENTIALS_COUNTED);
  const anonymous = kindOf('anonymous', ANONYMOUS, ADDRESSES_COUNTED);
  /** Who was let in last with a credential. */
  const callers = new BoundedMap<string, string>(CREDENTIALS_COUNTED);
  /** Credentials that were turned away. One that pipelines go on using must not take the room of those that are shown first. */
  const turnedAway = new BoundedMap<string, true>(CREDENTIALS_COUNTED);
  const take = (kind: Kind, bucket: Bucket): CountedRequest => {
    const counted = { bucket, kind };
    if (bucket.tokens < 1)
      throw new Problem('too-many-requests', 'Too many requests: wait as long as Retry-After says.', {
        retryAfter: kind.buckets.wait(bucket),
      });
    bucket.tokens -= 1;
    return counted;
  };
  return {
    count(credential, address, account) {
      if (perMinute === null) return null;
      const now = clock();
      const name = credential === null ? undefined : callers.get(credential);
      const known = name === undefined ? undefined : caller.buckets.known(name, now);
      if (known !== undefined) return take(caller, known);
      const isTurnedAway = credential !== null && turnedAway.get(credential) === true;
      const sender = account === undefined ? networkOf(address) : `account:${account}`;
      return take(anonymous, anonymous.buckets.open(isTurnedAway ? `turned away:${sender}` : sender, now));
    },
    recount(counted, name, credential = name) {
      const bucket = caller.buckets.open(name, clock());
      if (credential !== null && callers.get(credential) !== name) callers.set(credential, name);
      if (credential !== null) turnedAway.delete(credential);
      if (counted.bucket === bucket) return counted;
      counted.bucket.tokens += 1;
      return take(caller, bucket);
    },
    forget(credential, counted, address) {
      callers.delete(credential);
      turnedAway.set(credential, true);
      if (counted.kind === anonymous) return counted;
      counted.bucket.tokens += 1;
      const bucket = anonymous.buckets.open(networkOf(address), clock());
      // It is refused already, as unauthenticated.
      bucket.tokens = Math.max(0, bucket.tokens - 1);
      return { bucket, kind: anonymous };
    },
    remaining: ({ bucket, kind }) => limitHeader(kind.name, bucket, kind.buckets),
  };
};

/** Returns an IPv4 address written as IPv6, `::ffff:1.2.3.4`, as IPv4. In hexadecimal digits it stays as it is. */
const plain = (address: string): string => {
  const four = /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? '';
  return isIP(four) === 4 ? four : address;
};

/** Removes the port and brackets some proxies write into `X-Forwarded-For`: `1.2.3.4:5678`, `[2001:db8::1]:80`. */
const withoutPort = (entry: string): string => {
  const [, four, six] = /^(?:([\d.]{7,15}):\d{1,5}|\[([\da-f:.]{2,45})\](?::\d{1,5})?)$/i.exec(entry) ?? [];
  return four ?? six ?? entry;
};

/**
 * The network address a request came from. Behind `trustedProxies` proxies it is that many entries from the right end of
 * `X-Forwarded-For`: entries further left were written by the caller.
 */
export const callerAddress = (request: IncomingMessage, trustedProxies: number): string => {
  const own = plain(request.socket.remoteAddress ?? '');
  if (trustedProxies === 0) return own;
  const forwarded = request.headers['x-forwarded-for'];
  const hops = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',');
  const candidate = plain(withoutPort((hops.at(-trustedProxies) ?? hops[0] ?? '').trim()));
  return isIP(candidate) === 0 ? own : candidate;
};
