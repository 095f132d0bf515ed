/** The codes of all refusals of the domain, a closed list: the server maps each code to its answer. */
export type ErrorCode =
  | 'already-member'
  | 'already-set-up'
  | 'ambiguous-app-name'
  | 'app-name-mismatch'
  | 'approval-unusable'
  | 'deployment-finished'
  | 'email-taken'
  | 'event-source-taken'
  | 'external-id-conflict'
  | 'forbidden'
  | 'host-not-configured'
  | 'host-not-connected'
  | 'host-rejected'
  | 'host-unavailable'
  | 'idempotency-key-in-use'
  | 'idempotency-key-reused'
  | 'invalid'
  | 'invitation-for-another-address'
  | 'invitation-unusable'
  | 'kept-by-host'
  | 'last-administrator'
  | 'last-owner'
  | 'name-taken'
  | 'no-active-release'
  | 'no-such-reason'
  | 'not-found'
  | 'not-marked'
  | 'not-offered'
  | 'not-restorable'
  | 'reason-worse'
  | 'release-active'
  | 'release-closed'
  | 'release-state'
  | 'template-item'
  | 'test-run-state'
  | 'too-many-attempts'
  | 'too-many-secrets'
  | 'unavailable'
  | 'unknown-app-name'
  | 'unknown-release'
  | 'version-mismatch'
  | 'webhook-disabled'
  | 'wrong-credentials'
  | 'wrong-setup-token'
  | 'wrong-signature';

/** One fault of a command: a JSON pointer into the command's wire form, a stable code and a sentence. */
export interface Fault {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

/** A refusal with its code, a sentence for people, and what a caller needs to act on it. Anything else thrown is a bug. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** The refusal of a command that names every fault at once. */
export const invalid = (faults: readonly Fault[]): DomainError =>
  new DomainError('invalid', faults.map((fault) => fault.message).join('; '), { faults });

/** Makes the refusal of something that does not exist or that the caller may not see: both get the same answer. */
export const notFound = (what: string): DomainError =>
  new DomainError('not-found', `There is no such ${what}.`, { what });
