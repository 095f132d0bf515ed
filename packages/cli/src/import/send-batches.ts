import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import {
  type BatchResult,
  type Client,
  type DeploymentRequest as Deployment,
  isProblem,
  type TestRunRequest as TestRun,
} from '@shipworthy/client';
import {
  BATCH_BYTES,
  BATCH_RECORDS,
  DeploymentRequest,
  type Schema,
  TestRunRequest,
} from '@shipworthy/client/contract';
import type { Connection } from '../connection.js';
import { type Failure, reasonOf, usageFailure } from '../failure.js';
import { harmless } from '../output/safe-text.js';
import { pathOf, resolveProject, resolveRelease, type VisibleProject, visibleProjects } from '../project.js';
import { listOf, objectWith, requireUsed, TEXT } from '../schema.js';
import type { CommandSettings } from '../settings.js';
import type { ImportRecord } from './rows.js';

/** Sends one batch; answers what became of each record, in order. */
export type SendBatch = (records: readonly NumberedRecord['record'][]) => Promise<readonly BatchResult[]>;

/** The results of the rows so far. */
export interface RowTally {
  created: number;
  duplicates: number;
}

type Problem = Extract<BatchResult, { readonly problem: unknown }>['problem'];

const reasonsOf = ({ errors = [], detail, title }: Problem): readonly string[] =>
  errors.length > 0
    ? errors.map(({ pointer, message }) => harmless(`${pointer.replace(/^\//, '') || 'record'}: ${message}`))
    : [harmless(detail || title)];

const WORDS = { type: 'string', enum: ['created', 'duplicate', 'refused'] } as const;
const RESULTS = listOf(objectWith({ result: WORDS }));
const REFUSED = objectWith({
  problem: objectWith(
    { title: TEXT, detail: TEXT, errors: listOf(objectWith({ pointer: TEXT, message: TEXT })) },
    'detail',
    'errors',
  ),
});

/** Failure (exit 5) unless the answer says of each record what became of it. */
const requireResults = (records: number, results: readonly BatchResult[]): void => {
  const route = 'the batch';
  requireUsed(route, { ...RESULTS, minItems: records, maxItems: records }, results, '/data');
  for (const [at, result] of results.entries())
    if (result.result === 'refused') requireUsed(route, REFUSED, result, `/data/${at}`);
};

const countResults = async (
  batch: readonly NumberedRecord[],
  results: readonly BatchResult[],
  tally: RowTally,
  refusals: Refusals,
): Promise<void> => {
  requireResults(batch.length, results);
  for (const [at, result] of results.entries()) {
    const numbered = batch[at];
    if (result.result === 'created') tally.created += 1;
    else if (result.result === 'duplicate') tally.duplicates += 1;
    else if ('problem' in result && numbered !== undefined)
      await refusals.add({ line: numbered.line, reasons: reasonsOf(result.problem), record: numbered.record });
  }
};

/** How many batches are on their way at once: the server reads one while its database stores another. */
const AT_ONCE = 3;

const namesOf = (batch: readonly NumberedRecord[]): ReadonlySet<unknown> =>
  new Set(batch.flatMap(({ record }) => record.external_id ?? []));

/** Batches that are on their way. */
class UnderWay {
  readonly #batches = new Map<Promise<void>, ReadonlySet<unknown>>();

  add(sent: Promise<void>, names: ReadonlySet<unknown>): void {
    this.#batches.set(sent, names);
    // The batch is awaited later; this keeps an early failure from being reported as unhandled.
    sent.then(
      () => this.#batches.delete(sent),
      () => undefined,
    );
  }

  /**
   * Waits until a batch with these external ids may be sent: at most AT_ONCE batches are on their way, and of two rows
   * with one id the first is stored first.
   */
  async untilFree(names: ReadonlySet<unknown>): Promise<void> {
    const meets = (others: ReadonlySet<unknown>): boolean => [...names].some((name) => others.has(name));
    while (this.#batches.size >= AT_ONCE || [...this.#batches.values()].some(meets))
      await Promise.race(this.#batches.keys());
  }

  async untilDone(): Promise<void> {
    const results = await Promise.allSettled(this.#batches.keys());
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}

/**
 * Sends the batches, a few at once; while they are on their way the next is read. Rejects with the first failure, after all
 * sent batches are answered and the tally is up to date.
 */
export const sendBatches = async (
  batches: AsyncIterable<readonly NumberedRecord[]>,
  send: SendBatch,
  tally: RowTally,
  refusals: Refusals,
  onSettled: () => void,
): Promise<void> => {
  const underWay = new UnderWay();
  let last: Promise<void> = Promise.resolve();
  const deal = async (batch: readonly NumberedRecord[], before: Promise<void>): Promise<void> => {
    const results = await send(batch.map(({ record }) => record));
    // Refusals are noted in the order of the file. A failure of the batch before is reported for that batch.
    await before.catch(() => undefined);
    await countResults(batch, results, tally, refusals);
    onSettled();
  };
  try {
    for await (const batch of batches) {
      const names = namesOf(batch);
      await underWay.untilFree(names);
      last = deal(batch, last);
      underWay.add(last, names);
    }
  } finally {
    await underWay.untilDone();
  }
};

/** A record and the number of its line. */
export interface NumberedRecord {
  readonly line: number;
  readonly record: ImportRecord;
}

/** Groups records as the server takes them: at most 1,000, and 2 MiB of JSON. */
export async function* batchesOf(
  records: AsyncIterable<readonly NumberedRecord[]>,
  most = BATCH_RECORDS,
  mostBytes = BATCH_BYTES,
): AsyncGenerator<readonly NumberedRecord[], void, undefined> {
  let batch: NumberedRecord[] = [];
  // The brackets; each record adds itself and a comma.
  let bytes = 2;
  for await (const some of records)
    for (const numbered of some) {
      const size = Buffer.byteLength(JSON.stringify(numbered.record)) + 1;
      if (batch.length > 0 && (batch.length === most || bytes + size > mostBytes)) {
        yield batch;
        batch = [];
        bytes = 2;
      }
      batch.push(numbered);
      bytes += size;
    }
  if (batch.length > 0) yield batch;
}

/** A row that did not go in. */
export interface Refusal {
  readonly line: number;
  readonly reasons: readonly string[];
  /** The record that was to be sent; null when the row could not be read. */
  readonly record: ImportRecord | null;
}

const MOST_KEPT = 20;

/** Counts refused rows, keeps the first twenty, and writes all of them to a file where one is named. */
export class Refusals {
  readonly first: Refusal[] = [];
  count = 0;
  #failure: Failure | undefined;
  private constructor(
    private readonly out: WriteStream | undefined,
    private readonly shown: (text: string) => string,
  ) {
    out?.on('error', (error) => {
      this.#failure = unwritable(String(out.path), error);
    });
  }

  /** `shown` takes secrets out of what is written. Failure (exit 2) when the file cannot be written. */
  static async open(path: string | undefined, shown: (text: string) => string): Promise<Refusals> {
    if (path === undefined) return new Refusals(undefined, shown);
    const out = createWriteStream(path);
    await once(out, 'open').catch((error: unknown) => {
      throw unwritable(path, error);
    });
    return new Refusals(out, shown);
  }

  /** Failure (exit 2) when the file can no longer be written, such as on a full disk. */
  async add(refusal: Refusal): Promise<void> {
    this.count += 1;
    if (this.first.length < MOST_KEPT) this.first.push(refusal);
    if (this.#failure !== undefined) throw this.#failure;
    if (this.out !== undefined && !this.out.write(`${this.shown(JSON.stringify(refusal))}\n`))
      await once(this.out, 'drain').catch((error: unknown) => {
        throw this.#failure ?? error;
      });
  }

  /** Writes what is left. Failure (exit 2) when the file does not hold all refused rows. */
  async close(): Promise<void> {
    if (this.out !== undefined && !this.out.closed) {
      this.out.end();
      await once(this.out, 'close').catch(() => undefined);
    }
    if (this.#failure !== undefined) throw this.#failure;
  }
}

const unwritable = (path: string, error: unknown): Failure =>
  usageFailure(`${path} cannot be written (${reasonOf(error)}).`);

/** The kinds of records that can be imported. */
export type ImportKind = 'deployments' | 'test-runs';

/** The time field of each kind of record, and the option that sets it for rows that lack it. */
const TIMES = {
  deployments: { field: 'started_at', option: '--started-at' },
  'test-runs': { field: 'ran_at', option: '--ran-at' },
} as const;

/** In place of a time: the moment at which the server stores the record. */
const NOW = 'now';

/** The kind of records, and the values of rows that lack them. */
interface Wanted {
  readonly kind: ImportKind;
  /** The moment, or NOW, for rows without a time; undefined: such rows are refused. */
  readonly when: string | undefined;
  /** For test runs: id or exact name of the release of rows that name none. */
  readonly release: string | undefined;
}

/** Where records go. */
export interface Destination {
  readonly schema: Schema;
  /** The field with a record's time, and the advice for rows that lack it. */
  readonly time: { readonly field: string; readonly fix: string };
  /** The default values of a record. */
  readonly defaults: ImportRecord;
  /** Adds the project to a record whose name several projects have. Generated external ids do not depend on it. */
  readonly withProject: (record: ImportRecord) => ImportRecord;
  readonly send: SendBatch;
  /** Page that lists what went in; null where records go to several projects. */
  readonly page: string | null;
}

const pageOf = (address: string, project: { readonly id: string; readonly teamId: string }, kind: ImportKind) =>
  `${address}/teams/${project.teamId}/projects/${project.id}/${kind}`;

/** The project of rows that name none: the settings' one, else the only one; undefined where that cannot be told. */
const mainProject = async (client: Client, settings: CommandSettings): Promise<VisibleProject | undefined> => {
  try {
    if (settings.app !== undefined) return await resolveProject(client, settings);
    const [only, another] = await visibleProjects(client);
    return another === undefined ? only : undefined;
  } catch (error) {
    if (isProblem(error, 'missing-scope')) return undefined;
    throw error;
  }
};

/** Whether the key sees another project of that name: then only the id says which one is meant. */
const hasNamesake = async (client: Client, { id, name }: VisibleProject): Promise<boolean> =>
  (await visibleProjects(client)).some((other) => other.name === name && other.id !== id);

/**
 * The schema and the defaults of records. Unless `when` is given, the schema requires a time: a past record must not be
 * stored as of now by mistake.
 */
const timed = (
  schema: Schema,
  defaults: ImportRecord,
  { kind, when }: Wanted,
): Omit<Destination, 'withProject' | 'send' | 'page'> => {
  const { field, option } = TIMES[kind];
  const required = when === undefined ? [...(schema.required ?? []), field] : (schema.required ?? []);
  return {
    schema: { ...schema, required },
    defaults: when === undefined || when === NOW ? defaults : { ...defaults, [field]: when },
    time: { field, fix: `Give ${option} now, or a moment, if rows without ${field} are as they should be.` },
  };
};

const deployments = async (
  { client, address }: Connection,
  settings: CommandSettings,
  signal: AbortSignal,
  wanted: Wanted,
): Promise<Destination> => {
  const project = await mainProject(client, settings);
  const name = project?.name ?? settings.app?.value;
  const isSharedName = project !== undefined && (await hasNamesake(client, project));
  return {
    ...timed(DeploymentRequest, name === undefined ? {} : { app_name: name }, wanted),
    withProject: (record) =>
      isSharedName && record.app_name === name && record.project_id === undefined
        ? { ...record, project_id: project.id }
        : record,
    // Each record was checked by the schema before.
    send: async (records) =>
      (await client.importDeployments({ body: records as unknown as readonly Deployment[], signal })).body?.data,
    page: project === undefined ? null : pageOf(address, project, 'deployments'),
  };
};

const testRuns = async (
  { client, address }: Connection,
  settings: CommandSettings,
  signal: AbortSignal,
  wanted: Wanted,
): Promise<Destination> => {
  const project = await resolveProject(client, settings);
  const release = wanted.release === undefined ? undefined : await resolveRelease(client, project, wanted.release);
  const path = pathOf(project);
  return {
    ...timed(TestRunRequest, release === undefined ? {} : { release_id: release.id }, wanted),
    withProject: (record) => record,
    send: async (records) =>
      (await client.importTestRuns({ path, body: records as unknown as readonly TestRun[], signal })).body?.data,
    page: pageOf(address, project, 'test-runs'),
  };
};

/** Where the settings send records of that kind. Failure (exit 2) where they leave that open. */
export const destinationOf = (
  connection: Connection,
  settings: CommandSettings,
  signal: AbortSignal,
  wanted: Wanted,
): Promise<Destination> =>
  (wanted.kind === 'deployments' ? deployments : testRuns)(connection, settings, signal, wanted);
