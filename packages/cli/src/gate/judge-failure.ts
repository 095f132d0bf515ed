import { ProblemError, UnexpectedAnswerError } from '@shipworthy/client';
import { EXIT } from '../exit-code.js';
import { Failure, failureOf, isOutage, isTransient, UNEXPECTED_ANSWER } from '../failure.js';

/** Why the gate could not be read. */
export interface Unread {
  readonly failure: Failure;
  /** Whether the server could not be reached, or not serve: another time it may. */
  readonly unavailable: boolean;
}

const isRefusedKey = (status: number): boolean => status === 401 || status === 403;

/**
 * What a failed reading of the gate means; undefined when it was no call that failed. An answer by something that is not the
 * server, such as a sign-in page, is no outage: nobody may pass because an address is wrong. 401 and 403 are always about the key.
 */
export const judgeFailure = (error: unknown): Unread | undefined => {
  const failure = failureOf(error);
  if (failure === undefined) return undefined;
  const foreign = error instanceof UnexpectedAnswerError;
  if ((foreign || error instanceof ProblemError) && isRefusedKey(error.status) && failure.exit !== EXIT.key) {
    const { code, faults, requestId } = failure;
    return { failure: new Failure(EXIT.key, failure.message, { code, faults, requestId }), unavailable: false };
  }
  return {
    failure,
    unavailable: foreign ? isTransient(error.status) : isOutage(failure) && failure.code !== UNEXPECTED_ANSWER,
  };
};
