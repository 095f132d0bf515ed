import type { IdempotentRequest, RememberedReply } from '../access/idempotency-store.js';
import { DomainError, notFound } from '../errors.js';
import type { Remembered, ReportOutcome } from './report-store.js';

/** A report that may be repeated: the request, and the answer to remember once the view of the record is known. */
export interface RememberAs<View> {
  readonly request: IdempotentRequest;
  reply(view: View): RememberedReply;
}

/** What a repeated request is answered with instead of being done again. */
export type Repeated =
  | { readonly outcome: 'replayed'; readonly reply: RememberedReply }
  | { readonly outcome: 'key_reused' };

/** What became of one report. */
export type Reported<View> = { readonly outcome: 'created' | 'duplicate'; readonly view: View } | Repeated;

/** The answer to store with the record. */
export const remembered = <View>(remember: RememberAs<View> | null, view: View): Remembered | null =>
  remember && { request: remember.request, reply: remember.reply(view) };

/** Whether a release that the deployment falls in had shipped when it was stored, so that its receipt must be read anew. */
export const isLate = (outcome: ReportOutcome): boolean => 'late' in outcome && outcome.late === true;

/** The refusal of a record whose external id is that of another one. */
export const externalIdConflict = (id: string): DomainError =>
  new DomainError('external-id-conflict', 'The external id belongs to a record with other content.', { id });

/** What the store made of a new record: created, a duplicate of an older one, or a repeated request. @throws DomainError for what it refused */
export const settled = (
  outcome: ReportOutcome,
): { readonly outcome: 'created' } | { readonly outcome: 'duplicate'; readonly id: string } | Repeated => {
  switch (outcome.result) {
    case 'created':
      return { outcome: 'created' };
    case 'duplicate':
      return { outcome: 'duplicate', id: outcome.id };
    case 'replayed':
      return { outcome: 'replayed', reply: outcome.reply };
    case 'key_reused':
      return { outcome: 'key_reused' };
    case 'external_id_conflict':
      throw externalIdConflict(outcome.id);
    case 'release_closed':
      throw new DomainError('release-closed', 'The release was shipped or canceled.', {
        release_id: outcome.releaseId,
      });
    case 'not_found':
      throw notFound('project');
    case 'failed':
      throw outcome.error;
    default:
      throw new Error(`A new record cannot be answered with ${outcome.result}.`);
  }
};
