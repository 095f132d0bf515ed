import { createHash, randomUUID } from 'node:crypto';
import type { Deployment } from '@shipworthy/client';
import type { Connection } from '../connection.js';
import { EXIT, type ExitCode, Failure, failureOf, isOutage, usageFailure } from '../failure.js';
import { harmless } from '../output/safe-text.js';
import { sayDetails } from '../output/screen.js';
import { type PipelineRun, readPipeline } from '../pipeline/read-pipeline.js';
import { visibleProjects } from '../project.js';
import type { CommandSession } from '../session.js';
import { comparable } from '../settings.js';
import { flushQuietly, type Sent } from '../spool/deliver.js';
import type { DeploymentEntry, FinishEntry, SpoolEntry } from '../spool/entry.js';
import { keepAndReport, type ReportOptions, sendEntry, strictFailure } from '../spool/report-or-keep.js';
import { deploymentNote, newReference, noteDeployment, type Spool, spoolOf } from '../spool/spool.js';

/** The options of `deploy run` and `deploy start`. */
export interface DeployOptions extends ReportOptions {
  readonly env: string;
  readonly version?: string | undefined;
  readonly deployedBy?: string | undefined;
  /** `deploy run` only: whether the command gets the API key, too. */
  readonly passKey?: boolean | undefined;
}

/**
 * Reports that a deployment begins and prints its id; during an outage a reference that `deploy finish` on this machine
 * takes in its place. Failure (exit 2, 4) when it is refused, (exit 5) during an outage when reports are strict: then
 * nothing is kept, since the pipeline is expected to stop and deploy nothing.
 */
export const startDeployment = async (session: CommandSession, options: DeployOptions): Promise<ExitCode> => {
  const facts = await describeDeployment(session, options);
  const connection = await session.connect();
  const entry = await startEntry(session, connection, facts, options);
  try {
    const sent = await sendEntry(session, connection, entry);
    const url = await saySentAndFlush(session, connection, sent);
    session.screen.answer(sent.id, { id: sent.id, report: 'sent', url });
  } catch (error) {
    if (!(error instanceof Failure) || !isOutage(error) || session.globals.dryRun) throw error;
    if (options.strictReport) throw strictFailure(error);
    const reference = newReference();
    const kept = await keepAndReport(session, datedStart(entry), error, reference);
    const id = kept?.reference ?? null;
    session.screen.answer(id ?? '', { id, report: kept === undefined ? 'lost' : 'kept', url: null });
  }
  return EXIT.done;
};

const deployedBy = ({ actor, system }: PipelineRun): string | undefined =>
  actor ?? (system === 'git' || system === 'none' ? undefined : system);

/** Reads the facts of the deployment, except the project, before anything runs. Failure (exit 2) when no commit is known. */
export const describeDeployment = async (session: CommandSession, options: DeployOptions) => {
  const { env, version, commit, url, deployedBy: actor } = options;
  const run = await readPipeline(session.world, { commit, url, actor });
  for (const line of run.assumed) session.screen.say(session.screen.paint.faint(line));
  if (run.commit === undefined)
    throw usageFailure(
      'It is not known which commit is deployed.',
      'Give it with --commit, or run inside of the repository.',
    );
  const by = deployedBy(run);
  return {
    environment: env,
    commit_sha: run.commit,
    ...(version !== undefined && { version }),
    ...(by !== undefined && { deployed_by: by }),
    ...(run.url !== undefined && { url: run.url }),
  };
};

/** What `describeDeployment` returns. */
export type DeploymentFacts = Awaited<ReturnType<typeof describeDeployment>>;

// A step that runs again reports the same deployment; another environment, commit or version makes another one.
const repeatableId = (key: string, { environment, commit_sha, version }: DeploymentFacts): string =>
  createHash('sha256')
    .update(JSON.stringify([key, environment, commit_sha, version ?? null]))
    .digest('hex');

/**
 * The report that the deployment began. It has no start time: for a report that arrives at once the server's clock is
 * right. Its project name is empty where none is named: the project is then looked up when the report is sent.
 */
export const startEntry = async (
  session: CommandSession,
  connection: Connection,
  facts: DeploymentFacts,
  { idempotencyKey: given }: DeployOptions,
): Promise<DeploymentEntry> => {
  const { app } = await session.settings();
  const idempotencyKey = given ?? randomUUID();
  const external_id = given === undefined ? idempotencyKey : repeatableId(given, facts);
  return {
    operation: 'createDeployment',
    body: { app_name: app?.value ?? '', ...facts, status: 'started', external_id },
    idempotencyKey,
    address: connection.address,
    madeAt: session.world.now(),
  };
};

/** The report of a start, to be sent later: with the moment at which the deployment began. */
const datedStart = (entry: DeploymentEntry): DeploymentEntry => ({
  ...entry,
  body: { ...entry.body, started_at: new Date(entry.madeAt).toISOString() },
});

/** One report of the whole deployment, for when its beginning did not arrive or may not have arrived. */
export const wholeEntry = (
  entry: DeploymentEntry,
  status: 'success' | 'failure',
  finishedAt: number,
  durationSeconds: number,
): DeploymentEntry => {
  const { body, idempotencyKey } = datedStart(entry);
  // A clock that was set back must not make the end come before the beginning.
  const finished_at = new Date(Math.max(finishedAt, Date.parse(body.started_at ?? ''))).toISOString();
  return {
    ...entry,
    body: { ...body, status, finished_at, duration_seconds: durationSeconds },
    idempotencyKey: `${idempotencyKey}-end`,
  };
};

const LINK_MS = 2_000;

/** The page of the project's deployments; null where the key may not read its team, or the server does not answer at once. */
const deploymentsPage = async ({ client, address }: Connection, projectId: string): Promise<string | null> => {
  try {
    const project = (await visibleProjects(client, { timeoutMs: LINK_MS })).find(({ id }) => id === projectId);
    return project ? `${address}/teams/${project.teamId}/projects/${project.id}/deployments` : null;
  } catch {
    // The report was stored; only its link is missing.
    return null;
  }
};

const countedFor = ({ releases }: Deployment['attribution']): string => {
  const names = releases.filter(({ counts }) => counts).map(({ name }) => harmless(name));
  if (names.length > 0) return `It counts for ${names.join(', ')}.`;
  const reasons = new Set(releases.map(({ reason }) => reason).filter((reason) => reason !== undefined));
  return `It counts for no release yet (${releases.length === 0 ? 'no_release_window' : [...reasons].join(', ')}).`;
};

const isDeployment = (record: Sent['record']): record is Deployment => record !== null && 'environment' in record;

/** Says what the server recorded. Returns the link to it, null where there is none. */
const saySent = async (
  { screen }: CommandSession,
  connection: Connection,
  { record, id }: Sent,
): Promise<string | null> => {
  if (!isDeployment(record)) {
    screen.say(`Deployment ${id} was reported before.`);
    return null;
  }
  const page = await deploymentsPage(connection, record.project_id);
  const what = `${harmless(record.app_name)} to ${harmless(record.environment)}`;
  screen.say(`Reported: deployment of ${what}, ${record.status}. ${countedFor(record.attribution)}`);
  screen.say(page ?? `Deployment ${id}`);
  return page;
};

/** Says what the server recorded, and sends what was kept earlier. Returns the link to it, null where there is none. */
export const saySentAndFlush = async (
  session: CommandSession,
  connection: Connection,
  sent: Sent,
): Promise<string | null> => {
  const page = await saySent(session, connection, sent);
  await flushQuietly(session, connection);
  return page;
};

/** Does what is left to do for a report that the server has stored: a failure of `work` does not concern it, and is a warning. */
export const afterSending = (
  { screen }: CommandSession,
  { id }: Sent,
  work: () => Promise<string | null>,
): Promise<string | null> =>
  work().catch((error: Error) => {
    screen.warn(`Reported as ${id}; then: ${error.message}`);
    return null;
  });

/** Says loudly why something is not reported, without ending the command. */
export const sayNotReported = ({ screen }: CommandSession, failure: Failure): void => {
  screen.warn(`Not reported: ${failure.message}`);
  sayDetails(screen, failure);
};

interface FinishOptions {
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

/** The failure for a record that is not sealed: a file that another user put there could end any deployment. */
const notUnderKey = (reference: string, otherwise: string): Failure =>
  usageFailure(
    `${reference} was not kept under this key, or by an earlier version of this command.`,
    `Finish it with the key that deploy start had, or ${otherwise}.`,
  );

/**
 * Returns the report that ends a deployment whose start was kept on this machine. If the start was not sent yet, the report
 * holds it, too.
 */
const finishEntryOf = async (spool: Spool, reference: string, options: FinishOptions, now: number) => {
  const kept = await spool.find(reference);
  if (kept?.entry.operation === 'createDeployment') {
    const { entry, sealed } = kept;
    if (!sealed) throw notUnderKey(reference, 'run shipworthy flush --unsealed and then this command again');
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
  if (!note.sealed) throw notUnderKey(reference, 'by the id that the page of deployments shows');
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
  const entry = await finishEntryOf(spool, reference, options, session.world.now());
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
    const url = await afterSending(session, sent, async () => {
      if (began !== undefined) {
        await noteDeployment(spool, began, sent.id);
        await spool.remove(began);
      }
      return saySentAndFlush(session, connection, sent);
    });
    session.screen.answer('', { id: sent.id, status, report: 'sent', url });
    return EXIT.done;
  } catch (error) {
    const failure = failureOf(error);
    if (!(failure instanceof Failure) || !isOutage(failure) || session.globals.dryRun) throw error;
    const kept = await keepAndReport(
      session,
      entry,
      failure,
      entry.operation === 'createDeployment' ? reference : undefined,
    );
    // One file holds both reports from now on.
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
