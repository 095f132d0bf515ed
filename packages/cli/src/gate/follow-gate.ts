import { ProblemError, type ReadinessReport, UnexpectedAnswerError } from '@shipworthy/client';
import { EXIT, Failure, failureOf, isOutage, isTransientFailure, UNEXPECTED_ANSWER } from '../failure.js';
import type { Place } from '../project.js';
import type { World } from '../world.js';

/** The answer of the gate. */
export interface Asked {
  readonly place: Place;
  readonly report: ReadinessReport;
  readonly etag: string | null;
}

/** Asks the gate once; what was said before is handed in, so that an unchanged answer costs next to nothing. */
export type Ask = (before: Asked | undefined, timeoutMs: number) => Promise<Asked>;

/** The result of asking; `unavailable` when the last try did not reach the server. */
export type Followed = {
  /** Whether the time to wait was over. */
  readonly ranOut: boolean;
} & (
  | { readonly asked: Asked; readonly unavailable: undefined }
  | { readonly asked: Asked | undefined; readonly unavailable: Failure }
);

interface FollowOptions {
  /** How long to wait for go, in milliseconds; 0: ask once. */
  readonly waitMs: number;
  /** Time for one try, its repetitions included. */
  readonly timeoutMs: number;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** Is called with the first answer and with each different one, while there is time left. */
  readonly onChange: (followed: Followed) => void;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;
const LEAST_TRY_MS = 1_000;

/** The next pause: longer each time up to 5 seconds, of which chance takes up to a half, so that pipelines do not ask in step. */
export const pauseBefore = (round: number, chance: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 1.5 ** round) * (1 - chance / 2);

const sayingOf = ({ asked, unavailable }: Followed): string => unavailable?.code ?? asked?.report.gate.decision ?? '';

/**
 * Asks until the gate says go or the time to wait is over; a hold may become a go, and an unreachable server may come back.
 * Every other failure is thrown: waiting would not cure it.
 */
export const followGate = async (
  ask: Ask,
  world: Pick<World, 'now' | 'pause' | 'random'>,
  { waitMs, timeoutMs, signal, onChange }: FollowOptions,
): Promise<Followed> => {
  const until = world.now() + waitMs;
  let asked: Asked | undefined;
  let said: string | undefined;
  const tryOnce = async (left: number): Promise<Followed> => {
    const limit = waitMs === 0 ? timeoutMs : Math.min(timeoutMs, Math.max(left, LEAST_TRY_MS));
    try {
      asked = await ask(asked, limit);
      return { asked, unavailable: undefined, ranOut: false };
    } catch (error) {
      const unread = judgeFailure(error);
      if (unread === undefined) throw error;
      if (!unread.unavailable) throw unread.failure;
      return { asked, unavailable: unread.failure, ranOut: false };
    }
  };
  for (let round = 0; ; round += 1) {
    const followed = await tryOnce(until - world.now());
    if (followed.unavailable === undefined && followed.asked.report.gate.decision === 'go') return followed;
    const left = until - world.now();
    if (left <= 0 || signal.aborted) return { ...followed, ranOut: waitMs > 0 };
    if (sayingOf(followed) !== said) onChange(followed);
    said = sayingOf(followed);
    await world.pause(Math.min(left, pauseBefore(round, world.random())), signal);
  }
};

/** Why the gate could not be read. */
interface Unread {
  readonly failure: Failure;
  /** Whether the server could not be reached or could not serve, so that a later try may succeed. */
  readonly unavailable: boolean;
}

const isRefusedKey = (status: number): boolean => status === 401 || status === 403;

/**
 * What a failed reading of the gate means; undefined when it was no call that failed. An answer by something that is not the
 * server, such as a sign-in page, is no outage: a wrong address must never let a release pass. 401 and 403 are always about the
 * key.
 */
const judgeFailure = (error: unknown): Unread | undefined => {
  const failure = failureOf(error);
  if (failure === undefined) return undefined;
  const foreign = error instanceof UnexpectedAnswerError;
  if ((foreign || error instanceof ProblemError) && isRefusedKey(error.status) && failure.exit !== EXIT.key) {
    const { code, faults, requestId } = failure;
    return { failure: new Failure(EXIT.key, failure.message, { code, faults, requestId }), unavailable: false };
  }
  return {
    failure,
    unavailable: foreign ? isTransientFailure(error.status) : isOutage(failure) && failure.code !== UNEXPECTED_ANSWER,
  };
};
