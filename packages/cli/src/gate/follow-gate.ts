import { type CallOptions, ProblemError, type ReadinessReport, UnexpectedAnswerError } from '@shipworthy/client';
import type { Connection } from '../connection.js';
import {
  EXIT,
  Failure,
  failureOf,
  isOutage,
  isTransientFailure,
  UNEXPECTED_ANSWER,
  unreadableFailure,
} from '../failure.js';
import type { Place } from '../project.js';
import { dataEnvelope, requireUsed } from '../schema.js';
import { REPORT } from '../verdict/show-score.js';
import type { World } from '../world.js';

/** The answer of the gate. */
export interface AskedReport {
  readonly place: Place;
  readonly report: ReadinessReport;
  readonly etag: string | null;
}

/**
 * Asks the gate once. `before` is the last answer: by its ETag an unchanged answer costs next to nothing. `timeoutMs` is the time
 * for one request, of which there may be several; `ending` ends all of them, with its reason.
 */
export type AskGateOnce = (
  before: AskedReport | undefined,
  timeoutMs: number,
  ending?: AbortSignal,
) => Promise<AskedReport>;

/** The result of asking; `unavailable` when the last try did not reach the server. */
export type Followed = {
  /** Whether the time to wait was over. */
  readonly ranOut: boolean;
} & (
  | { readonly asked: AskedReport; readonly unavailable: undefined }
  | { readonly asked: AskedReport | undefined; readonly unavailable: Failure }
);

interface FollowOptions {
  /** How long to wait for go, in milliseconds; 0: ask once. */
  readonly waitMs: number;
  /** Time for one request, its repetitions included, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** Is called with the first answer and with each different one, while there is time left. */
  readonly onChange: (followed: Followed) => void;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;
const LEAST_TRY_MS = 1_000;

/**
 * The next pause in milliseconds: longer each round, up to 5 seconds. `chance` (0-1) takes away up to a half, so that
 * pipelines do not all ask at the same moment.
 */
export const pauseBefore = (round: number, chance: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 1.5 ** round) * (1 - chance / 2);

const tooLate = (limitMs: number): Failure =>
  new Failure(EXIT.unchecked, `The server did not answer: no verdict within ${limitMs} ms.`, { code: 'timeout' });

const sayingOf = ({ asked, unavailable }: Followed): string => unavailable?.code ?? asked?.report.gate.decision ?? '';

/**
 * Asks until the gate says go or the time to wait is over; a hold may become a go, and an unreachable server may come back.
 * Every other failure is thrown: waiting would not cure it.
 */
export const followGate = async (
  ask: AskGateOnce,
  world: Pick<World, 'now' | 'pause' | 'random'>,
  { waitMs, timeoutMs, signal, onChange }: FollowOptions,
): Promise<Followed> => {
  const until = world.now() + waitMs;
  let asked: AskedReport | undefined;
  let said: string | undefined;
  const tryOnce = async (left: number): Promise<Followed> => {
    const limit = Math.max(left, LEAST_TRY_MS);
    const overdue = new AbortController();
    // Finding the release may take several requests: each may take its time, and all of them no longer than is left.
    const timer = waitMs === 0 ? undefined : setTimeout(() => overdue.abort(tooLate(limit)), limit);
    try {
      asked = await ask(asked, waitMs === 0 ? timeoutMs : Math.min(timeoutMs, limit), overdue.signal);
      return { asked, unavailable: undefined, ranOut: false };
    } catch (error) {
      const unread = judgeFailure(error);
      if (unread === undefined) throw error;
      if (!unread.unavailable) throw unread.failure;
      return { asked, unavailable: unread.failure, ranOut: false };
    } finally {
      clearTimeout(timer);
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
 * What a failed reading of the gate means; undefined for an error that is no failed call. An answer by something that
 * is not the server, such as a sign-in page, is no outage: a wrong address must never let a release pass. 401 and 403
 * are always about the key.
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

/** Headers of the gate's requests: a proxy must not answer with an old answer that it stored. */
export const ASKED_ANEW = { 'cache-control': 'no-cache' } as const;

/** Asks the gate of the release that `find` finds; looks it up only once. `ended` ends a call that is under way. */
export const gateAsker = (
  connection: Connection,
  find: (limits: CallOptions) => Promise<Place>,
  ended: AbortSignal,
): AskGateOnce => {
  let place: Place | undefined;
  return async (before, timeoutMs, ending) => {
    const signal = ending === undefined ? ended : AbortSignal.any([ended, ending]);
    place ??= await find({ signal, timeoutMs, headers: ASKED_ANEW });
    const { path } = place;
    const answer = await connection.client.readReadiness({
      path,
      signal,
      timeoutMs,
      headers: ASKED_ANEW,
      ifNoneMatch: before?.etag ?? undefined,
    });
    if (!answer.unchanged) return { place, report: readReport(place, answer.body), etag: answer.etag };
    // The client refuses an unchanged answer to a request without an ETag.
    if (before === undefined) throw new Error('Unchanged since nothing was read.');
    return before;
  };
};

const ROUTE = 'GET R/readiness';

/**
 * Checks the report and returns it. Failure (exit 5) where a member that is used is missing or wrong, or where the
 * report is of another release or project.
 */
const readReport = ({ project, release }: Place, body: { readonly data: ReadinessReport }): ReadinessReport => {
  requireUsed(ROUTE, dataEnvelope(REPORT), body);
  if (body.data.release.id !== release.id) throw unreadableFailure(ROUTE, ['/data/release/id: is of another release']);
  if (body.data.project.id !== project.id) throw unreadableFailure(ROUTE, ['/data/project/id: is of another project']);
  return body.data;
};
