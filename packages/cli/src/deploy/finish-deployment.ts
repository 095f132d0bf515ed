import { randomUUID } from 'node:crypto';
import type { Connection } from '../connection.js';
import { EXIT, type ExitCode, Failure, failureOf, isOutage, usageFailure } from '../failure.js';
import type { CommandSession } from '../session.js';
import { comparable } from '../settings.js';
import { flushQuietly } from '../spool/flush.js';
import { keepLoudly, sendEntry, strictFailure } from '../spool/report-or-keep.js';
import { deploymentNote, noteDeployment, type Spool, spoolOf } from '../spool/spool.js';
import type { FinishEntry, SpoolEntry } from '../spool/spool-entry.js';
import { saySent, wholeEntry } from './start-deployment.js';

export interface FinishOptions {
  readonly status: 'success' | 'failure';
  /** Seconds. */
  readonly duration?: number | undefined;
  readonly strictReport?: boolean | undefined;
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const ID = new RegExp(`^${UUID}$`, 'i');
const REFERENCE = new RegExp(`^kept:${UUID}$`);

/** Seconds since then; 0 when the clock was set back. */
const since = (startedAt: number, now: number): number => Math.max(0, now - startedAt) / 1000;

const finishEntry = (id: string, { status, duration }: FinishOptions, address: string, now: number): FinishEntry => ({
  operation: 'finishDeployment',
  path: { deployment_id: id },
  body: { status, ...(duration !== undefined && { duration_seconds: duration }) },
  idempotencyKey: randomUUID(),
  address,
  madeAt: now,
});

/** Who could put such a file there could have any deployment ended. */
const notUnderKey = (reference: string): Failure =>
  usageFailure(
    `${reference} was not kept under this key, or by an earlier version of this command.`,
    'Finish it with the key that deploy start had, or by the id of the deployment, which shipworthy flush --unsealed sends.',
  );

/** The report of the end of a deployment whose start was kept: of both in one, or of the end where the start was sent since. */
const entryOfReference = async (spool: Spool, reference: string, options: FinishOptions, now: number) => {
  const kept = await spool.find(reference);
  if (kept?.entry.operation === 'createDeployment') {
    const { entry, sealed } = kept;
    if (!sealed) throw notUnderKey(reference);
    if (entry.body.status === options.status) return entry;
    if (entry.body.status !== 'started')
      throw usageFailure(`${reference} ended as ${entry.body.status} before; that is final.`);
    return wholeEntry(entry, options.status, now, options.duration ?? since(entry.madeAt, now));
  }
  const note = await deploymentNote(spool, reference);
  if (note === undefined)
    throw usageFailure(
      `Nothing is kept as ${reference} on this machine.`,
      'Finish it where deploy start ran, or report it anew with deploy run.',
    );
  if (!note.sealed) throw notUnderKey(reference);
  const duration = options.duration ?? since(note.startedAt, now);
  const entry = finishEntry(note.id, { ...options, duration }, note.address, now);
  return options.duration === undefined ? { ...entry, measured: true } : entry;
};

const requireSameAddress = ({ address }: SpoolEntry, connection: Connection): void => {
  if (comparable(address) !== comparable(connection.address))
    throw usageFailure(`The deployment began at ${address}; the settings name ${connection.address}.`);
};

const finishById = async (session: CommandSession, id: string, options: FinishOptions): Promise<ExitCode> => {
  const connection = await session.connect();
  const entry = finishEntry(id, options, connection.address, session.world.now());
  return sendOrKeep(session, connection, entry, options, undefined);
};

const finishByReference = async (
  session: CommandSession,
  reference: string,
  options: FinishOptions,
): Promise<ExitCode> => {
  const spool = await spoolOf(session);
  const entry = await entryOfReference(spool, reference, options, session.world.now());
  const connection = await session.connect();
  requireSameAddress(entry, connection);
  return sendOrKeep(session, connection, entry, options, reference);
};

const sendOrKeep = async (
  session: CommandSession,
  connection: Connection,
  entry: SpoolEntry,
  { strictReport, status }: FinishOptions,
  reference: string | undefined,
): Promise<ExitCode> => {
  const spool = await spoolOf(session);
  const began = reference === undefined ? undefined : await spool.find(reference);
  try {
    const sent = await sendEntry(session, connection, entry);
    if (began !== undefined) {
      await noteDeployment(spool, began, sent.id);
      await spool.remove(began);
    }
    const url = await saySent(session, connection, sent);
    await flushQuietly(session, connection);
    session.screen.answer('', { id: sent.id, status, report: 'sent', url });
    return EXIT.done;
  } catch (error) {
    const failure = failureOf(error);
    if (!(failure instanceof Failure) || !isOutage(failure) || session.globals.dryRun) throw error;
    const kept = await keepLoudly(
      session,
      entry,
      failure,
      entry.operation === 'createDeployment' ? reference : undefined,
    );
    // One file tells of both from now on.
    if (kept !== undefined && began !== undefined && began.name !== kept.name) await spool.remove(began);
    if (strictReport) throw strictFailure(failure);
    const told = kept === undefined ? 'lost' : 'kept';
    session.screen.answer('', { id: kept?.reference ?? null, status, report: told, url: null });
    return EXIT.done;
  }
};

/**
 * Reports how a deployment ended, by its id or by the reference that `deploy start` printed during an outage. Repeating the same
 * status changes nothing. Failure (exit 2, 4) when it is refused, (exit 5) during an outage when reports are strict.
 */
export const reportFinish = async (session: CommandSession, id: string, options: FinishOptions): Promise<ExitCode> => {
  if (REFERENCE.test(id)) return finishByReference(session, id, options);
  if (ID.test(id)) return finishById(session, id, options);
  throw usageFailure('That is no id of a deployment.', 'Give what deploy start printed.');
};
