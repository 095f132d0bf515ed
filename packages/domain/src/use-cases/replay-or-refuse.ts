import type { IdempotentRequest } from '../access/idempotency-store.js';
import type { DomainError } from '../errors.js';
import type { Stores } from '../ports.js';
import type { Repeated } from '../report/report-reply.js';

/**
 * Answers a refused request that may be the repeat of one that succeeded before things changed: its first answer stands.
 * Only for callers whose role was already established.
 * @throws the refusal, when the key has no answer yet; the key is left untaken
 */
export const replayOrRefuse = async (
  { transaction }: Pick<Stores, 'transaction'>,
  request: IdempotentRequest | null,
  refusal: DomainError,
): Promise<Repeated> => {
  if (request === null) throw refusal;
  return transaction(async ({ idempotency }) => {
    const found = await idempotency.take(request);
    if (found.state === 'taken') return { outcome: 'replayed', reply: found.reply };
    if (found.state === 'reused') return { outcome: 'key_reused' };
    throw refusal;
  });
};
