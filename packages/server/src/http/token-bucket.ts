import type { Instant } from '@shipworthy/domain';
import { BoundedMap } from './bounded-map.js';

/** So many requests a minute over time, and so many at once. */
export interface Quota {
  readonly perMinute: number;
  readonly burst: number;
}

export interface Bucket {
  tokens: number;
  at: Instant;
}

/** Token buckets by name, bounded: the one unused for longest is forgotten first, which is as good as full. */
export class TokenBuckets {
  readonly #buckets: BoundedMap<string, Bucket>;
  readonly #perMs: number;
  constructor(
    readonly quota: Quota,
    limit: number,
  ) {
    this.#buckets = new BoundedMap(limit);
    this.#perMs = quota.perMinute / 60_000;
  }

  /** The bucket, filled up to now; undefined when nobody used that name lately. */
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
