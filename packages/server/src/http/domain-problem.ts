import type { ProblemType } from '@shipworthy/client/contract';
import { DomainError, type ErrorCode, type Instant } from '@shipworthy/domain';
import { wireDetail } from '../wire/detail.js';
import { Problem } from './problem.js';

/** What each refusal of the domain is called on the wire; a code without a line does not compile. */
const TYPES: Readonly<Record<ErrorCode, ProblemType>> = {
  'already-member': 'already-member',
  'already-set-up': 'already-set-up',
  'ambiguous-app-name': 'ambiguous-app-name',
  'app-name-mismatch': 'invalid',
  'approval-unusable': 'approval-unusable',
  'deployment-finished': 'deployment-finished',
  'email-taken': 'email-taken',
  'event-source-taken': 'event-source-taken',
  'external-id-conflict': 'external-id-conflict',
  forbidden: 'forbidden',
  'host-not-configured': 'host-not-configured',
  'host-not-connected': 'host-not-connected',
  'host-rejected': 'host-rejected',
  'host-unavailable': 'host-unavailable',
  'idempotency-key-in-use': 'idempotency-key-in-use',
  'idempotency-key-reused': 'idempotency-key-reused',
  invalid: 'invalid',
  'invitation-for-another-address': 'invitation-for-another-address',
  'invitation-unusable': 'invitation-unusable',
  'kept-by-host': 'kept-by-host',
  'last-administrator': 'last-administrator',
  'last-owner': 'last-owner',
  'name-taken': 'name-taken',
  'no-active-release': 'no-active-release',
  'no-such-reason': 'no-such-reason',
  'not-found': 'not-found',
  'not-marked': 'not-marked',
  'not-restorable': 'not-restorable',
  'release-active': 'release-active',
  'release-closed': 'release-closed',
  'release-state': 'release-state',
  'template-item': 'template-item',
  'test-run-state': 'test-run-state',
  'too-many-attempts': 'too-many-requests',
  'too-many-secrets': 'too-many-secrets',
  unavailable: 'unavailable',
  'unknown-app-name': 'unknown-app-name',
  'unknown-release': 'invalid',
  'version-mismatch': 'version-mismatch',
  'webhook-disabled': 'webhook-disabled',
  'wrong-credentials': 'wrong-credentials',
  'wrong-setup-token': 'wrong-setup-token',
  'wrong-signature': 'wrong-signature',
};

/** The field a refusal is about, where its code alone tells. */
const POINTERS: Partial<Record<ErrorCode, string>> = {
  'app-name-mismatch': '/app_name',
  'unknown-app-name': '/app_name',
  'unknown-release': '/release_id',
};

/** Said in the sentence already, answered as a header, or a noun that only its route can put into wire form. */
const NOT_ANSWERED: ReadonlySet<string> = new Set(['what', 'retryAfterMs', 'current', 'faults']);

const errorsOf = ({ code, message, details }: DomainError): readonly unknown[] | undefined => {
  if (Array.isArray(details.faults)) return details.faults;
  const pointer = POINTERS[code];
  return pointer === undefined ? undefined : [{ pointer, code, message }];
};

/** Seconds until the domain lets the caller try again, if it said when. */
const retryAfterOf = ({ details }: DomainError, now: Instant): number | undefined => {
  if (typeof details.retryAfterMs === 'number') return details.retryAfterMs / 1000;
  return typeof details.retryAt === 'number' ? (details.retryAt - now) / 1000 : undefined;
};

/** A refusal of the domain in the words of the interface. */
export const domainProblem = (error: DomainError, now: Instant): Problem => {
  const answered = Object.entries(error.details).filter(([name]) => !NOT_ANSWERED.has(name));
  const errors = errorsOf(error);
  const retryAfter = retryAfterOf(error, now);
  return new Problem(TYPES[error.code], error.message, {
    members: { ...wireDetail(Object.fromEntries(answered)), ...(errors ? { errors } : {}) },
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
};

/** Whatever was thrown as a problem; null for what only a bug throws, `throw null` included. */
export const problemOf = (thrown: unknown, now: Instant): Problem | null => {
  if (thrown instanceof Problem) return thrown;
  return thrown instanceof DomainError ? domainProblem(thrown, now) : null;
};

/** Runs a change whose refusal `version-mismatch` answers the newer state under `current`, put into wire form by `present`. */
export const withCurrent = async <Noun, Result>(
  present: (current: Noun) => unknown,
  work: Promise<Result>,
): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'version-mismatch') throw error;
    const current = error.details.current as Noun | undefined;
    throw new Problem('version-mismatch', error.message, {
      members: current === undefined ? {} : { current: present(current) },
    });
  }
};
