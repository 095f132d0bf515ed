import { createHash } from 'node:crypto';
import {
  type AxisReport,
  type CallOptions,
  type Client,
  type Deployment,
  isProblem,
  type TestRun,
} from '@shipworthy/client';
import { FORMATS } from '@shipworthy/client/contract';
import type { Connection } from '../connection.js';
import { EXIT, Failure, failureOf, isOutage, reasonOf, unexpectedFailure } from '../failure.js';
import { harmless } from '../output/safe-text.js';
import { isPrecise, pathOf, projectsMatching, resolveProject, resolveRelease, visibleProjects } from '../project.js';
import { dataEnvelope, FLAG, listOf, NUMBER, nullable, objectWith, requireUsed, TEXT } from '../schema.js';
import { type CommandSession, endOfDryRun } from '../session.js';
import { comparable } from '../settings.js';
import type { World } from '../world.js';
import {
  type DeploymentEntry,
  type FinishEntry,
  type NamedAxisReportEntry,
  type NamedTestRunEntry,
  type SpoolEntry,
  type TestRunEntry,
  titleOf,
} from './entry.js';
import { forgetNotes, type KeptEntry, noteDeployment, type Spool, spoolOf } from './spool.js';

/** A report the server has. */
export interface Sent {
  readonly outcome: 'sent';
  /** The id of the record. */
  readonly id: string;
  /** The record; null where only its id was answered. */
  readonly record: Deployment | TestRun | AxisReport | null;
  /** Whether the server had it already. */
  readonly repeated: boolean;
}

type Limits = Pick<CallOptions, 'signal' | 'timeoutMs'>;

interface Answered {
  readonly body: { readonly data: Deployment | TestRun | AxisReport };
  readonly replayed: boolean;
}

const CONTRIBUTION = objectWith({ score_with: nullable(NUMBER), score_without: nullable(NUMBER) });
const COUNTED = objectWith(
  { name: TEXT, counts: FLAG, reason: TEXT, contribution: CONTRIBUTION },
  'reason',
  'contribution',
);
const ATTRIBUTION = objectWith({ releases: listOf(COUNTED), reason: TEXT }, 'reason');
const STORED = { id: { type: 'string', format: 'uuid' }, project_id: TEXT, attribution: ATTRIBUTION } as const;
const ANSWERED_DEPLOYMENT = dataEnvelope(objectWith({ ...STORED, app_name: TEXT, environment: TEXT, status: TEXT }));

/** The members of an answered test run, and of a report of an axis, that are used. */
export const ANSWERED_TEST_RUN = dataEnvelope(objectWith({ ...STORED }));
export const ANSWERED_AXIS_REPORT = dataEnvelope(objectWith({ ...STORED, release_id: TEXT, axis: TEXT }));

type Reporting = 'recordDeployment' | 'finishDeployment' | 'recordTestRun' | 'recordAxisReport';

const ANSWERED = {
  recordDeployment: ANSWERED_DEPLOYMENT,
  finishDeployment: ANSWERED_DEPLOYMENT,
  recordTestRun: ANSWERED_TEST_RUN,
  recordAxisReport: ANSWERED_AXIS_REPORT,
} as const;

/** The record that was answered. Failure (exit 5) when there is none: nothing says that the report is stored. */
const recordIn = <Stored extends Deployment | TestRun | AxisReport>(
  operation: Reporting,
  body: { readonly data: Stored },
): Stored => {
  requireUsed(operation, ANSWERED[operation], body);
  return body.data;
};

const sentBy = (operation: Reporting, answer: Answered): Sent => {
  const record = recordIn(operation, answer.body);
  return { outcome: 'sent', id: record.id, record, repeated: answer.replayed };
};

/**
 * Sends a report under the entry's idempotency key. Where that key was used with another body (a step that ran again,
 * at another time), sends it under a key made from this body: by the external id the server still knows the record.
 */
const underKey = async (
  operation: Exclude<Reporting, 'finishDeployment'>,
  { idempotencyKey, body }: SpoolEntry,
  send: (key: string) => Promise<Answered>,
): Promise<Sent> => {
  try {
    return sentBy(operation, await send(idempotencyKey));
  } catch (error) {
    if (!isProblem(error, 'idempotency-key-reused')) throw error;
    const mark = createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 16);
    return sentBy(operation, await send(`${idempotencyKey.slice(0, 200)}-${mark}`));
  }
};

/** The id of the record that is there already; undefined when the failure names none. */
const knownId = (error: unknown): string | undefined => {
  const id: unknown = isProblem(error, 'external-id-conflict') ? error.problem.id : undefined;
  return typeof id === 'string' && FORMATS.uuid(id) ? id : undefined;
};

const namedByFlag = (app: string) => ({ value: app, source: { kind: 'flag', name: '--app' } as const });

/**
 * Returns the body with the project that it means: by id for an id or `Team/project`, and the only project that the key sees
 * where none is named.
 */
const namedBody = async (
  client: Client,
  { body }: DeploymentEntry,
  limits: Limits,
): Promise<DeploymentEntry['body']> => {
  const { app_name } = body;
  if (app_name === '') return { ...body, app_name: (await resolveProject(client, { app: undefined }, limits)).name };
  if (!isPrecise(app_name)) return body;
  try {
    // A name of no project is sent unchanged: the server refuses it, and names the nearest projects.
    if (projectsMatching(await visibleProjects(client, limits), app_name).length === 0) return body;
    const { id, name } = await resolveProject(client, { app: namedByFlag(app_name) }, limits);
    return { ...body, app_name: name, project_id: id };
  } catch (error) {
    // A key that may only write cannot look projects up: the text is sent as a name, which may have a slash in it.
    if (isProblem(error, 'missing-scope')) return body;
    throw error;
  }
};

/**
 * Ends a deployment. Where it has ended before and `measured` is set, sends the status without the duration, so that the
 * recorded duration stays.
 */
const finishDeployment = async (
  client: Client,
  { path, body, measured }: Pick<FinishEntry, 'path' | 'body' | 'measured'>,
  limits: Limits,
): Promise<Answered> => {
  const end = async (sent: FinishEntry['body']): Promise<Answered> => {
    const answer = await client.finishDeployment({ path, body: sent, ...limits });
    return { body: answer.body, replayed: false };
  };
  try {
    return await end(body);
  } catch (error) {
    if (!measured || !isProblem(error, 'deployment-finished')) throw error;
    return end({ status: body.status });
  }
};

const createDeployment = async (client: Client, entry: DeploymentEntry, limits: Limits): Promise<Sent> => {
  const body = await namedBody(client, entry, limits);
  try {
    return await underKey('recordDeployment', entry, (idempotencyKey) =>
      client.recordDeployment({ body, idempotencyKey, ...limits }),
    );
  } catch (error) {
    const id = knownId(error);
    if (id === undefined) throw error;
    // The deployment was reported before: the answer was lost, or the step ran again. It is one record, which is ended here.
    if (body.status === 'started') return { outcome: 'sent', id, record: null, repeated: true };
    const { status, duration_seconds } = body;
    const end = { status, ...(duration_seconds === undefined ? {} : { duration_seconds }) };
    const known = { path: { deployment_id: id }, body: end, measured: true };
    return { ...sentBy('finishDeployment', await finishDeployment(client, known, limits)), repeated: true };
  }
};

const recordTestRun = async (client: Client, entry: TestRunEntry, limits: Limits): Promise<Sent> => {
  const { path, body } = entry;
  try {
    return await underKey('recordTestRun', entry, (idempotencyKey) =>
      client.recordTestRun({ path, body, idempotencyKey, ...limits }),
    );
  } catch (error) {
    const id = knownId(error);
    if (id === undefined) throw error;
    return { outcome: 'sent', id, record: null, repeated: true };
  }
};

const recordAxisReport = async (client: Client, entry: NamedAxisReportEntry, limits: Limits): Promise<Sent> => {
  const { path, body } = entry;
  const { axis } = path;
  const project = await resolveProject(client, { app: path.app === '' ? undefined : namedByFlag(path.app) }, limits);
  const named = path.release === '' ? undefined : await resolveRelease(client, project, path.release, limits);
  const place = { ...pathOf(project), axis };
  try {
    return await underKey('recordAxisReport', entry, (idempotencyKey) => {
      const sent = { body, idempotencyKey, ...limits };
      if (named === undefined) return client.recordAxisReport({ path: place, ...sent });
      return client.recordReleaseAxisReport({ path: { ...place, release_id: named.id }, ...sent });
    });
  } catch (error) {
    const id = knownId(error);
    if (id === undefined) throw error;
    return { outcome: 'sent', id, record: null, repeated: true };
  }
};

/** The test run with its names resolved to the ids that they have now. */
const placed = async (client: Client, entry: NamedTestRunEntry, limits: Limits): Promise<TestRunEntry> => {
  const { app, release } = entry.path;
  const project = await resolveProject(client, { app: app === '' ? undefined : namedByFlag(app) }, limits);
  const named = release === '' ? undefined : await resolveRelease(client, project, release, limits);
  const body = named === undefined ? entry.body : { ...entry.body, release_id: named.id };
  return { ...entry, operation: 'recordTestRun', path: pathOf(project), body };
};

/**
 * Sends a report. Even if it was sent before, the server holds one record of it afterwards. Rejects as the client does;
 * a deployment that ended differently before rejects as `deployment-finished`.
 */
export const deliver = async (client: Client, entry: SpoolEntry, limits: Limits = {}): Promise<Sent> => {
  switch (entry.operation) {
    case 'createDeployment':
      return createDeployment(client, entry, limits);
    case 'recordTestRun':
      return recordTestRun(client, entry, limits);
    case 'recordNamedTestRun':
      return recordTestRun(client, await placed(client, entry, limits), limits);
    case 'recordNamedAxisReport':
      return recordAxisReport(client, entry, limits);
    case 'finishDeployment':
      return sentBy('finishDeployment', await finishDeployment(client, entry, limits));
  }
};

const MOMENTS = ['started_at', 'finished_at', 'ran_at', 'measured_at'] as const;

const hasMoments = ({ body }: SpoolEntry): boolean => MOMENTS.some((name) => name in body);

/**
 * The entry with its moments by the server's clock: the clock of this machine decides how old a report is, and not which one is
 * the latest. A moment that lies ahead even of this clock becomes now. What another machine kept stays as it is: how its clock
 * went is not known here.
 */
const inServerTime = (entry: SpoolEntry, { now, machine }: World, lead: number): SpoolEntry => {
  if (lead === 0 || entry.machine !== machine) return entry;
  const latest = now();
  const moved = Object.entries(entry.body).map(([name, value]) => {
    const at = MOMENTS.some((moment) => moment === name) ? Date.parse(String(value)) : Number.NaN;
    return [name, Number.isNaN(at) ? value : new Date(Math.round(Math.min(at, latest) - lead)).toISOString()];
  });
  return { ...entry, body: Object.fromEntries(moved) } as SpoolEntry;
};

/** Asks the server for its time where no answer said it and an entry needs it. Returns an outage, or that the key is unknown. */
const askTime = async (
  { client, clockLead }: Connection,
  entries: readonly KeptEntry[],
  limits: Limits,
): Promise<Failure | undefined> => {
  if (clockLead() !== null || !entries.some(({ entry }) => hasMoments(entry))) return undefined;
  try {
    await client.whoAmI(limits);
    return undefined;
  } catch (error) {
    const failure = failureOf(error);
    return failure !== undefined && (isOutage(failure) || failure.code === 'unauthenticated') ? failure : undefined;
  }
};

const QUIET_MS = 2_000;
/** At most this many entries at which the server fails (500) are passed over in one flush; the next one ends it. */
const MOST_STUCK = 2;

/** The results of the kept entries. */
export interface Flushed {
  readonly sent: readonly KeptEntry[];
  /** Refused by the server and moved aside, with the reason and where each is now. */
  readonly refused: readonly { readonly kept: KeptEntry; readonly failure: Failure; readonly path: string }[];
  /** The entries not sent, or sent where that could not be noted; `failure` is the reason of the last one that was tried. */
  readonly left: readonly KeptEntry[];
  /** Made for other addresses, and not touched. */
  readonly elsewhere: readonly KeptEntry[];
  /** Entries without a seal of the present key; they stay where they are. Empty with `takesUnsealed`. */
  readonly unsealed: readonly KeptEntry[];
  readonly failure: Failure | undefined;
}

interface FlushOptions extends Limits {
  /** Whether a person asked to send also the entries that were not kept under the present key. */
  readonly takesUnsealed?: boolean | undefined;
}

/** The code of a failure to note in the spool that an entry was sent. */
export const NOT_NOTED = 'not-noted';

const sendOne = async (spool: Spool, kept: KeptEntry, send: (entry: SpoolEntry) => Promise<Sent>) => {
  const sent = await send(kept.entry);
  try {
    // A later `deploy finish` knows this deployment by its reference only.
    if (kept.entry.operation === 'createDeployment') await noteDeployment(spool, kept, sent.id);
    await spool.remove(kept);
  } catch (error) {
    throw new Failure(
      EXIT.usage,
      `Reported as ${sent.id}: ${harmless(titleOf(kept.entry))}; ${spool.folder} cannot be written (${reasonOf(error)}).`,
      {
        code: NOT_NOTED,
        fixes: ['Flush again once it can be written: the server knows the report, and stores it once.'],
      },
    );
  }
};

/**
 * Sends what is kept for the connection's address and under its key, oldest first. Ends at the first outage, and when the key
 * is not known: the rest would fail in the same way. Leaves an entry that the key may not send. Moves aside what the server
 * refuses.
 */
export const flush = async (
  session: CommandSession,
  connection: Connection,
  { takesUnsealed = false, ...limits }: FlushOptions = {},
): Promise<Flushed> => {
  const spool = await spoolOf(session);
  const address = comparable(connection.address);
  const all = await spool.list();
  const here = all.filter(({ entry }) => comparable(entry.address) === address);
  const ours = here.filter(({ sealed }) => sealed || takesUnsealed);
  const sent: KeptEntry[] = [];
  const refused: Flushed['refused'][number][] = [];
  const stuck: KeptEntry[] = [];
  await forgetNotes(spool, session.world.now());
  const done = (left: readonly KeptEntry[], failure?: Failure): Flushed => ({
    sent,
    refused,
    left,
    elsewhere: all.filter((kept) => !here.includes(kept)),
    unsealed: here.filter((kept) => !ours.includes(kept)),
    failure,
  });
  const away = session.globals.dryRun ? undefined : await askTime(connection, ours, limits);
  if (limits.signal?.aborted) return done(ours);
  if (away !== undefined) return done(ours, away);
  // Asked once: what is kept stays in its order.
  const lead = connection.clockLead() ?? 0;
  const send = (entry: SpoolEntry) => deliver(connection.client, inServerTime(entry, session.world, lead), limits);
  let stuckBy: Failure | undefined;
  let passedOver = 0;
  for (const [index, kept] of ours.entries()) {
    const rest = () => [...stuck, ...ours.slice(index)];
    try {
      await sendOne(spool, kept, send);
      sent.push(kept);
    } catch (error) {
      if (session.globals.dryRun) return endOfDryRun(session, error);
      if (limits.signal?.aborted) return done(rest());
      // An entry without a seal may hold anything: an error of this command at it is a refusal.
      const failure = failureOf(error) ?? (kept.sealed ? undefined : unexpectedFailure(error, session.world.env));
      if (failure === undefined) throw error;
      const mayNotSend = failure.exit === EXIT.key && failure.code !== 'unauthenticated';
      const isUnderWay = failure.code === 'idempotency-key-in-use';
      const fails = failure.code === 'internal' && passedOver < MOST_STUCK;
      if (mayNotSend || isUnderWay || fails || failure.code === NOT_NOTED) {
        if (fails) passedOver += 1;
        stuck.push(kept);
        stuckBy ??= failure;
        continue;
      }
      if (isOutage(failure) || failure.exit === EXIT.key) return done(rest(), failure);
      refused.push({ kept, failure, path: await spool.refuse(kept) });
    }
  }
  return done(stuck, stuckBy);
};

/** Says what the server refused, and where it is now. */
export const sayRefused = ({ screen }: CommandSession, { refused }: Flushed): void => {
  for (const { kept, failure, path } of refused) {
    screen.warn(`Refused: ${harmless(titleOf(kept.entry))}: ${failure.message}`);
    for (const fault of failure.faults) screen.say(`  ${fault}`);
    screen.say(`  It was moved to ${path}.`);
  }
};

/** Sends kept reports after one that arrived, for at most two seconds. Never fails; prints nothing when there was none. */
export const flushQuietly = async (session: CommandSession, connection: Connection): Promise<void> => {
  try {
    const flushed = await flush(session, connection, { signal: AbortSignal.timeout(QUIET_MS), timeoutMs: QUIET_MS });
    if (flushed.sent.length > 0) session.screen.say(`Sent ${flushed.sent.length} kept earlier.`);
    sayRefused(session, flushed);
    if (flushed.left.length > 0) session.screen.say(`${flushed.left.length} kept earlier wait for shipworthy flush.`);
    if (flushed.unsealed.length > 0)
      session.screen.say(
        `${flushed.unsealed.length} were not kept under this key, and wait: shipworthy flush names them.`,
      );
  } catch (error) {
    session.screen.warn(`The spool could not be used: ${(error as Error).message}`);
  }
};
