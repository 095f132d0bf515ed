import { EXIT, type ExitCode } from '../exit-code.js';
import { Failure, failureOf, isOutage, unexpectedFailure } from '../failure.js';
import type { Session } from '../session.js';
import { flushQuietly } from '../spool/flush.js';
import { keepLoudly, sendEntry } from '../spool/report-or-keep.js';
import { type KeptEntry, openSpool } from '../spool/spool.js';
import type { SpoolEntry } from '../spool/spool-entry.js';
import type { Announced } from './announce.js';
import { wholeEntry } from './deployment-start.js';
import { sayNotReported, saySent } from './say-deployment.js';

/** A pipeline that was cancelled is soon killed: what cannot be sent by then is kept. */
const CANCELLED_MS = 3_000;
const AWAY_MS = 5_000;

/** How the deployment ended. */
export interface End {
  readonly status: 'success' | 'failure';
  /** Both in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly durationSeconds: number;
  readonly cancelled: boolean;
}

/** What became of the report. */
export interface Concluded {
  readonly report: 'sent' | 'kept' | 'lost' | 'refused';
  readonly id: string | null;
  readonly reference: string | null;
  readonly url: string | null;
  /** What a strict report makes of it: 0 only when it was sent. */
  readonly exit: ExitCode;
}

const entryOf = (announced: Exclude<Announced, { state: 'refused' }>, end: End): SpoolEntry => {
  const { status, startedAt, finishedAt, durationSeconds } = end;
  if (announced.state === 'unknown')
    return wholeEntry({ ...announced.entry, madeAt: startedAt }, status, finishedAt, durationSeconds);
  return {
    operation: 'finishDeployment',
    path: { deployment_id: announced.id },
    body: { status, duration_seconds: durationSeconds },
    measured: true,
    idempotencyKey: `${announced.entry.idempotencyKey}-end`,
    address: announced.connection.address,
    madeAt: finishedAt,
  };
};

const cancelled = (): Failure =>
  new Failure(EXIT.unchecked, 'Interrupted before the server answered.', { code: 'interrupted' });

/** How long the report may keep the pipeline waiting: a server that was away at the start gets no long second chance. */
const patienceMs = ({ state }: Announced, { cancelled: isCancelled }: End): number => {
  if (isCancelled) return CANCELLED_MS;
  return state === 'unknown' ? AWAY_MS : Number.POSITIVE_INFINITY;
};

/** Reports how a deployment ended. It is kept before it is sent, so that it outlives this process. Never rejects for a report. */
export const conclude = async (session: Session, announced: Announced, end: End): Promise<Concluded> => {
  if (announced.state === 'refused')
    return { report: 'refused', id: null, reference: null, url: null, exit: announced.failure.exit };
  const { connection } = announced;
  const id = announced.state === 'started' ? announced.id : null;
  const entry = entryOf(announced, end);
  const spool = openSpool(session.world, session.screen);
  const kept: KeptEntry | undefined = await spool.keep(entry).catch(() => undefined);
  const hurry = new AbortController();
  const giveBack = session.takeInterrupts(() => hurry.abort(cancelled()));
  const timeoutMs = Math.min(patienceMs(announced, end), session.globals.timeout * 1000);
  try {
    const sent = await sendEntry(session, connection, entry, { signal: hurry.signal, timeoutMs });
    // The server has it: what goes wrong from here on is no fault of the report.
    const afterwards = async (): Promise<string | null> => {
      if (kept !== undefined) await spool.remove(kept);
      if (end.cancelled) return null;
      const page = await saySent(session, connection, sent);
      await flushQuietly(session, connection);
      return page;
    };
    const url = await afterwards().catch((error: Error) => {
      session.screen.warn(`Reported as ${sent.id}; then: ${error.message}`);
      return null;
    });
    return { report: 'sent', id: sent.id, reference: null, url, exit: EXIT.done };
  } catch (error) {
    const failure = failureOf(error) ?? unexpectedFailure(error, session.world.env);
    if (isOutage(failure) || failure.exit === EXIT.unexpected) {
      const waiting = await keepLoudly(session, entry, failure, kept?.reference);
      return {
        report: waiting === undefined ? 'lost' : 'kept',
        id,
        reference: waiting?.reference ?? null,
        url: null,
        exit: failure.exit,
      };
    }
    if (kept !== undefined) await spool.remove(kept).catch(() => undefined);
    sayNotReported(session, failure);
    return { report: 'refused', id, reference: null, url: null, exit: failure.exit };
  } finally {
    giveBack();
  }
};
