import type { Operation, ResponseOf } from '@shipworthy/client/contract';
import type { Principal } from '@shipworthy/domain';

/** What becomes of the session cookie with this reply. */
export type SessionChange =
  | { readonly set: { readonly secret: string; readonly expiresAt: number } }
  | { readonly clear: true };

/** Where a stream writes to. */
export interface EventSink {
  /** As authorised last. */
  principal(): Principal;
  /** Writes whole frames of server-sent events; nothing once the stream is over. */
  send(frames: string): void;
}

/** An answer that goes on. */
export interface EventStream {
  /** Whether such a principal may go on reading. */
  mayStay(principal: Principal): boolean;
  /** Begins to write; what it answers is called once, when the stream is over. */
  begin(sink: EventSink): () => void;
}

/** What an answer carries beside its body; the machinery turns each into its header. */
export interface ReplyNotes {
  /** Path of what was created, without the base path. */
  readonly location?: string | null;
  /** Strong entity tag without quotes. */
  readonly etag?: string;
  readonly session?: SessionChange;
  /** The account, an e-mail address in lower case, that the device has just signed in to. */
  readonly device?: { readonly account: string };
  /** Sealed cursor of the next page: becomes `Link: rel="next"`. */
  readonly next?: string | null;
  /** The answer was remembered from an earlier request with the same idempotency key. */
  readonly replayed?: boolean;
  /** The text in UTF-8, of an answer that is the same for everybody: connections that read slowly share these bytes. */
  readonly bytes?: Buffer;
  /** Of an operation whose answer is a file: a safe name for it. */
  readonly fileName?: string;
  /** Of a stream operation, in the place of a body. */
  readonly stream?: EventStream;
}

type Content<O extends Operation> = O extends { stream: true }
  ? { readonly stream: EventStream; readonly body?: undefined; readonly text?: undefined }
  : O['success']['body'] extends null
    ? { readonly body?: undefined; readonly text?: undefined }
    :
        | { readonly body: ResponseOf<O>; readonly text?: undefined }
        /** Serialised already: JSON, or whatever the operation's content type says. */
        | { readonly text: string; readonly body?: undefined };

/** The one successful answer of an operation. Failures are thrown as DomainError. */
export type Reply<O extends Operation = Operation> = ReplyNotes & {
  readonly status: O['success']['status'] | (O['success'] extends { otherwise: infer Other } ? Other : never);
} & Content<O>;
