import type { CallOptions } from '@shipworthy/client';
import type { Connection } from '../connection/connect.js';
import { type Failure, failureOf, isOutage, unexpectedFailure } from '../failure.js';
import { interruption, requireNotEnded, type Session } from '../session.js';
import { sendEntry } from '../spool/report-or-keep.js';
import type { DeploymentEntry } from '../spool/spool-entry.js';
import type { DeployOptions } from './deploy-options.js';
import { type DeploymentFacts, startEntry } from './deployment-start.js';
import { sayNotReported } from './say-deployment.js';

/** The server that is away delays a deployment by no more. */
const LIMIT_MS = 5_000;

/** What became of the report that a deployment begins. */
export type Announced =
  | { readonly state: 'started'; readonly connection: Connection; readonly entry: DeploymentEntry; readonly id: string }
  /** During an outage: whether the server has it is unknown. */
  | { readonly state: 'unknown'; readonly connection: Connection; readonly entry: DeploymentEntry }
  /** It will not be reported, now or later. */
  | { readonly state: 'refused'; readonly failure: Failure };

const attempt = async (
  session: Session,
  facts: DeploymentFacts,
  options: DeployOptions,
  limits: CallOptions,
): Promise<Announced> => {
  let entry: DeploymentEntry | undefined;
  let connection: Connection | undefined;
  try {
    connection = await session.connect();
    entry = await startEntry(session, connection, facts, options);
    const { id } = await sendEntry(session, connection, entry, limits);
    session.screen.say(`Deployment ${id} began.`);
    return { state: 'started', connection, entry, id };
  } catch (error) {
    if (session.globals.dryRun) throw error;
    const failure = failureOf(error) ?? unexpectedFailure(error, session.world.env);
    if (failure.code === 'interrupted') throw failure;
    if (connection === undefined || entry === undefined || !isOutage(failure)) {
      sayNotReported(session, failure);
      return { state: 'refused', failure };
    }
    session.screen.warn(failure.message);
    session.screen.warn('The deployment goes on, and is reported when it is over.');
    return { state: 'unknown', connection, entry };
  }
};

/**
 * Reports that a deployment begins. Whatever keeps that from happening is said and holds nothing up for more than five seconds.
 * Failure (exit 129, 130, 143) when it is or was interrupted: then nothing may begin.
 */
export const announce = async (
  session: Session,
  facts: DeploymentFacts,
  options: DeployOptions,
): Promise<Announced> => {
  const interrupted = new AbortController();
  const giveBack = session.takeInterrupts((signal) => interrupted.abort(interruption(signal)));
  const timeoutMs = Math.min(LIMIT_MS, session.globals.timeout * 1000);
  try {
    await requireNotEnded(session);
    const announced = await attempt(session, facts, options, { signal: interrupted.signal, timeoutMs });
    interrupted.signal.throwIfAborted();
    return announced;
  } finally {
    giveBack();
  }
};
