import { type Clock, networkOf } from '@shipworthy/domain';
import { Problem } from './problem.js';
import { limitHeader, policyHeader } from './rate-limit-headers.js';
import { type Bucket, type Quota, TokenBuckets } from './token-bucket.js';

/** The count a request was put on. */
export interface Counted {
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
   * Counts a request before anything is asked about it: on its credential when that was valid before, else on
   * the device if it has signed in before, so that nobody uses up its requests, else on its address.
   * null: nothing is limited. @throws Problem `too-many-requests`
   */
  count(credential: string | null, address: string, device?: string): Counted | null;
  /** Moves a request from its address to the credential that turned out to be valid. @throws Problem `too-many-requests` */
  recount(counted: Counted, credential: string): Counted;
  /** `RateLimit-Policy` and `RateLimit` for an answer, as names and values. */
  headers(counted: Counted): readonly string[];
}

/** Requests without a valid credential, per address or known device. */
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
  const headers = ({ bucket, kind }: Counted): readonly string[] => [
    'RateLimit-Policy',
    kind.policy,
    'RateLimit',
    limitHeader(kind.name, bucket, kind.buckets),
  ];
  const take = (kind: Kind, bucket: Bucket): Counted => {
    const counted = { bucket, kind };
    if (bucket.tokens < 1)
      throw new Problem('too-many-requests', 'Too many requests: wait as long as Retry-After says.', {
        retryAfter: kind.buckets.wait(bucket),
      });
    bucket.tokens -= 1;
    return counted;
  };
  return {
    count(credential, address, device) {
      if (perMinute === null) return null;
      const now = clock();
      const known = credential === null ? undefined : caller.buckets.known(credential, now);
      if (known !== undefined) return take(caller, known);
      return take(
        anonymous,
        anonymous.buckets.open(device === undefined ? networkOf(address) : `device:${device}`, now),
      );
    },
    recount(counted, credential) {
      if (counted.kind === caller) return counted;
      counted.bucket.tokens += 1;
      return take(caller, caller.buckets.open(credential, clock()));
    },
    headers,
  };
};
