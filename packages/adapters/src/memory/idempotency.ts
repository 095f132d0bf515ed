import type { IdempotencyStore, IdempotentRequest, RememberedReply } from '@shipworthy/domain/ports';
import { keyOf, type TableAccess, type Tables } from './tables.js';

const keyFor = ({ caller, operation, key }: IdempotentRequest): string => keyOf(caller, operation, key);

/** What is stored under the key of a request. */
export const replyTo = (
  { replies }: Tables,
  request: IdempotentRequest,
): { readonly state: 'free' | 'reused' } | { readonly state: 'taken'; readonly reply: RememberedReply } => {
  const first = replies.get(keyFor(request));
  if (first === undefined) return { state: 'free' };
  return first.request.fingerprint === request.fingerprint
    ? { state: 'taken', reply: first.reply }
    : { state: 'reused' };
};

/** Keeps the answer for later requests with the same key. */
export const remember = ({ replies }: Tables, request: IdempotentRequest, reply: RememberedReply): void =>
  replies.put(keyFor(request), { request, reply });

// Transactions run one at a time: a key without a stored answer is free, and none is ever in use elsewhere.
export const idempotencyStore = ({ read, change }: TableAccess): IdempotencyStore => ({
  take: (request) => read((tables) => replyTo(tables, request)),
  remember: (request, reply) => change((tables) => remember(tables, request, reply)),
  removeBefore: (at) =>
    change(({ replies }) => {
      const old = replies.all().filter(({ request }) => request.at < at);
      for (const { request } of old) replies.remove(keyFor(request));
      return old.length;
    }),
});
