import { hash } from 'node:crypto';
import type { Instant, Principal, Stores } from '@shipworthy/domain';
import type { IdempotentRequest, RememberedReply } from '@shipworthy/domain/ports';
import { faulty, Problem } from './problem.js';

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/**
 * Returns what identifies a request by its `Idempotency-Key`; null without the header.
 * @throws Problem `invalid` for a key that is not 1-255 visible ASCII characters
 */
export const idempotentRequest = (
  key: string | undefined,
  principal: Principal,
  operation: string,
  rawBody: Buffer,
  at: Instant,
): IdempotentRequest | null => {
  if (key === undefined) return null;
  if (!VISIBLE_ASCII.test(key)) {
    const message = 'Idempotency-Key must have 1-255 visible ASCII characters';
    throw faulty([{ pointer: 'Idempotency-Key', code: 'format', message }]);
  }
  const fingerprint = hash('sha256', rawBody, 'hex');
  // A person who signs in again has another session, and may repeat what was sent under the former one.
  const caller = principal.kind === 'session' ? `person:${principal.userId}` : `api_key:${principal.id}`;
  return { caller, operation, key, fingerprint, at };
};

const inUse = (): Problem =>
  new Problem('idempotency-key-in-use', 'The first request with this key is still running.', { retryAfter: 1 });

/** The idempotency keys of the requests that this process works on. */
export interface RunningKeys {
  /** Runs the work unless a request with the same key is running. @throws Problem `idempotency-key-in-use` */
  alone<Result>(request: IdempotentRequest, work: () => Promise<Result>): Promise<Result>;
}

export const createRunningKeys = (): RunningKeys => {
  const running = new Set<string>();
  return {
    async alone({ caller, operation, key }, work) {
      const name = `${caller}\n${operation}\n${key}`;
      if (running.has(name)) throw inUse();
      running.add(name);
      try {
        return await work();
      } finally {
        running.delete(name);
      }
    },
  };
};

/** An answer that is new, or the remembered one of the first request. */
type IdempotentReply = RememberedReply & { readonly replayed: boolean };

/**
 * Runs work whose answer is kept in the transaction of the work itself, so that a crash leaves both or neither.
 * @throws Problem `idempotency-key-in-use`, `idempotency-key-reused`
 */
export const answeredOnce = (
  stores: Pick<Stores, 'transaction'>,
  request: IdempotentRequest,
  work: (inside: Stores) => Promise<RememberedReply>,
): Promise<IdempotentReply> =>
  stores.transaction(async (inside) => {
    const found = await inside.idempotency.take(request);
    if (found.state === 'taken') return { ...found.reply, replayed: true };
    if (found.state === 'in_use') throw inUse();
    if (found.state === 'reused')
      throw new Problem('idempotency-key-reused', 'The idempotency key was used for a request with another body.');
    const reply = await work(inside);
    await inside.idempotency.remember(request, reply);
    return { ...reply, replayed: false };
  });
