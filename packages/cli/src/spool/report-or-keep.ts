import type { CallOptions } from '@shipworthy/client';
import type { Connection } from '../connection.js';
import { Failure, failureOf, isOutage } from '../failure.js';
import { harmless } from '../output/safe-text.js';
import { type CommandSession, endOfDryRun } from '../session.js';
import { deliver, flushQuietly, type Sent } from './deliver.js';
import { type SpoolEntry, titleOf } from './entry.js';
import { type KeptEntry, spoolOf } from './spool.js';

/** The options of every report of a deployment, a test run or an axis. */
export interface ReportOptions {
  readonly commit?: string | undefined;
  readonly url?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly strictReport?: boolean | undefined;
}

/** A report that waits for its server. */
export interface Kept {
  readonly outcome: 'kept';
  /** `kept:` and a UUID; null when it could not be kept either, and is lost. */
  readonly reference: string | null;
  /** Why it was not sent. */
  readonly failure: Failure;
}

type Limits = Pick<CallOptions, 'signal' | 'timeoutMs'>;

/** Gives a report that creates a record its idempotency key as external id, too: keys are forgotten after a week. */
const withExternalId = (entry: SpoolEntry): SpoolEntry => {
  const { operation, body, idempotencyKey: external_id } = entry;
  if (operation === 'finishDeployment' || body.external_id !== undefined) return entry;
  if (operation === 'createDeployment') return { ...entry, body: { ...body, external_id } };
  if (operation === 'recordNamedAxisReport') return { ...entry, body: { ...body, external_id } };
  return { ...entry, body: { ...body, external_id } };
};

/** Adds the time of making to a run or measurement that is kept, so that it hides no newer result when it arrives. */
const dated = (entry: SpoolEntry): SpoolEntry => {
  const at = new Date(entry.madeAt).toISOString();
  if (entry.operation === 'recordNamedAxisReport') return { ...entry, body: { measured_at: at, ...entry.body } };
  if (entry.operation !== 'recordTestRun' && entry.operation !== 'recordNamedTestRun') return entry;
  return { ...entry, body: { ran_at: at, ...entry.body } };
};

/**
 * Sends an entry. Rejects with a Failure; in a dry run with the request that was shown, or with the Failure that came before one.
 */
export const sendEntry = async (
  session: CommandSession,
  { client }: Connection,
  entry: SpoolEntry,
  limits: Limits = {},
): Promise<Sent> => {
  try {
    return await deliver(client, entry, limits);
  } catch (error) {
    if (session.globals.dryRun) return endOfDryRun(session, error);
    throw failureOf(error) ?? error;
  }
};

/** Keeps an entry and says so. Returns undefined, and says so, when that fails. */
export const keepAndReport = async (
  session: CommandSession,
  entry: SpoolEntry,
  failure: Failure,
  reference?: string,
): Promise<KeptEntry | undefined> => {
  const { screen } = session;
  const title = harmless(titleOf(entry));
  try {
    const kept = await (await spoolOf(session)).keep(entry, reference);
    screen.warn(`${failure.message}`);
    screen.warn(`Not reported yet: ${title}. It is kept as ${kept.reference}; shipworthy flush sends it.`);
    return kept;
  } catch (error) {
    screen.warn(failure.message);
    screen.warn(`Not reported, and not kept either (${(error as Error).message}): ${title}. This record is lost.`);
    return undefined;
  }
};

/** The failure of an outage under strict reports: exit 5. */
export const strictFailure = (failure: Failure): Failure =>
  new Failure(failure.exit, `${failure.message} --strict-report makes this an error.`, {
    code: failure.code,
    fixes: failure.fixes,
    requestId: failure.requestId,
  });

/**
 * Sends a report; during an outage keeps it in the spool and says so. After a report that arrived, sends what was kept
 * earlier, for at most two seconds. Failure (exit 2, 4) when it is refused, (exit 5) during an outage when `strict`,
 * kept all the same.
 */
export const reportOrKeep = async (
  session: CommandSession,
  connection: Connection,
  entry: SpoolEntry,
  strict: boolean,
): Promise<Sent | Kept> => {
  const named = withExternalId(entry);
  try {
    const sent = await sendEntry(session, connection, named);
    await flushQuietly(session, connection);
    return sent;
  } catch (error) {
    if (!(error instanceof Failure) || !isOutage(error) || session.globals.dryRun) throw error;
    const kept = await keepAndReport(session, dated(named), error);
    if (strict) throw strictFailure(error);
    return { outcome: 'kept', reference: kept?.reference ?? null, failure: error };
  }
};
