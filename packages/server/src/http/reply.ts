import type { Operation, ResponseOf } from '@shipworthy/client/contract';

/** What becomes of the session cookie with this reply. */
export type SessionChange =
  | { readonly set: { readonly secret: string; readonly expiresAt: number } }
  | { readonly clear: true };

/** What an answer carries beside its body; the machinery turns each into its header. */
export interface ReplyNotes {
  /** Path of what was created. */
  readonly location?: string | null;
  /** Strong entity tag without quotes. */
  readonly etag?: string;
  readonly session?: SessionChange;
  /** Sealed cursor of the next page: becomes `Link: rel="next"`. */
  readonly next?: string | null;
  /** The answer was remembered from an earlier request with the same idempotency key. */
  readonly replayed?: boolean;
}

type Content<O extends Operation> = O['success']['body'] extends null
  ? { readonly body?: undefined; readonly text?: undefined }
  :
      | { readonly body: ResponseOf<O>; readonly text?: undefined }
      /** Serialised already: JSON, or whatever the operation's content type says. */
      | { readonly text: string; readonly body?: undefined };

/** The one successful answer of an operation. Failures are thrown as DomainError. */
export type Reply<O extends Operation = Operation> = ReplyNotes & {
  readonly status: O['success']['status'];
} & Content<O>;
