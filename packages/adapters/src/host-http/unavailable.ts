import { DomainError, type Instant } from '@shipworthy/domain';

/** Why a repository host could not be read, in the words that `details.cause` of `host-unavailable` may have. */
export const UNAVAILABLE_CAUSES = [
  /** No whole answer before the deadline. */
  'timeout',
  /** No connection, or one that ended before an answer began. */
  'unreachable',
  /** An answer that blames the host: 5xx, or a status that its interface does not give here. */
  'server_error',
  /** The host asks to wait. */
  'rate_limited',
  /** Something else than JSON: a page for people, such as a sign-in or a maintenance notice. */
  'not_json',
  /** Sent elsewhere, where the grant must not go. */
  'redirected',
  /** Refused without a word against the grant: not enough rights, or this service is not let in. */
  'forbidden',
  /** An answer that broke off, or that is larger than any answer of the interface. */
  'cut',
] as const;
export type UnavailableCause = (typeof UNAVAILABLE_CAUSES)[number];

/** `host-unavailable` with a sentence that says what happened; `retryAt`: when the host said it may be asked again. */
export const hostUnavailable = (cause: UnavailableCause, message: string, retryAt?: Instant): DomainError =>
  new DomainError('host-unavailable', message, retryAt === undefined ? { cause } : { cause, retryAt });

/** `host-rejected`: the host itself refused the grant or the code; only approving again helps. */
export const hostRejected = (title: string): DomainError =>
  new DomainError('host-rejected', `${title} refused the approval; approve again.`);

/** Whether asking the same once more may help within the same call. */
export const isPassing = (error: unknown): boolean =>
  error instanceof DomainError && ['unreachable', 'cut'].includes(String(error.details.cause));
