import type { Bucket, Quota, TokenBuckets } from './token-bucket.js';

// draft-ietf-httpapi-ratelimit-headers-11. It is a draft: whatever it changes is changed here and nowhere else.

/** `RateLimit-Policy`: at most `q` requests in a window of `w` seconds; with a burst beside it, of one second. */
export const policyHeader = (name: string, { perMinute, burst }: Quota): string =>
  `"${name}";q=${perMinute};w=60, "${name}-burst";q=${burst};w=1`;

/** `RateLimit`: what remains of the burst now and after how many seconds it is whole again. */
export const limitHeader = (name: string, bucket: Bucket, buckets: TokenBuckets): string =>
  `"${name}-burst";r=${Math.max(0, Math.floor(bucket.tokens))};t=${Math.ceil(buckets.untilFull(bucket))}`;
