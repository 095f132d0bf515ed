import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import type { BatchResult } from '@shipworthy/client';
import { BATCH_BYTES, BATCH_RECORDS } from '@shipworthy/client/contract';
import { reasonOf, usageFailure } from '../failure.js';
import { harmless } from '../output/safe-text.js';
import { listOf, requireUsed, TEXT, uses } from '../schema.js';
import type { ImportRecord } from './to-record.js';

/** Sends one batch; answers what became of each record, in order. */
export type SendBatch = (records: readonly Placed['record'][]) => Promise<readonly BatchResult[]>;

/** What became of the rows so far. */
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
const RESULTS = listOf(uses({ result: WORDS }));
const REFUSED = uses({
  problem: uses(
    { title: TEXT, detail: TEXT, errors: listOf(uses({ pointer: TEXT, message: TEXT })) },
    'detail',
    'errors',
  ),
});

/** Failure (exit 5) unless it is known of each record what became of it. */
const requireResults = (records: number, results: readonly BatchResult[]): void => {
  const route = 'the batch';
  requireUsed(route, { ...RESULTS, minItems: records, maxItems: records }, results, '/data');
  for (const [at, result] of results.entries())
    if (result.result === 'refused') requireUsed(route, REFUSED, result, `/data/${at}`);
};

const settle = async (
  batch: readonly Placed[],
  results: readonly BatchResult[],
  tally: RowTally,
  refusals: Refusals,
): Promise<void> => {
  requireResults(batch.length, results);
  for (const [at, result] of results.entries()) {
    const placed = batch[at];
    if (result.result === 'created') tally.created += 1;
    else if (result.result === 'duplicate') tally.duplicates += 1;
    else if ('problem' in result && placed !== undefined)
      await refusals.add({ line: placed.line, reasons: reasonsOf(result.problem), record: placed.record });
  }
};

/** How many are on their way at once: the server reads one while its database stores another. */
const AT_ONCE = 3;

const namesOf = (batch: readonly Placed[]): ReadonlySet<unknown> =>
  new Set(batch.flatMap(({ record }) => record.external_id ?? []));

/** Batches that are on their way. */
class UnderWay {
  readonly #batches = new Map<Promise<void>, ReadonlySet<unknown>>();

  add(sent: Promise<void>, names: ReadonlySet<unknown>): void {
    this.#batches.set(sent, names);
    // It is waited for later; until then its failure is nobody's.
    sent.then(
      () => this.#batches.delete(sent),
      () => undefined,
    );
  }

  /** Until another one may follow: at most so many at once, and of two rows of one name the first goes in first. */
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

/** Sends the batches, a few at once; while they are on their way the next is read. Rejects with whatever ends it first, when nothing is on its way any more and the tally is up to date. */
export const sendBatches = async (
  batches: AsyncIterable<readonly Placed[]>,
  send: SendBatch,
  tally: RowTally,
  refusals: Refusals,
  onSettled: () => void,
): Promise<void> => {
  const underWay = new UnderWay();
  let last: Promise<void> = Promise.resolve();
  const deal = async (batch: readonly Placed[], before: Promise<void>): Promise<void> => {
    const results = await send(batch.map(({ record }) => record));
    // Refusals are told in the order of the file; how the batch before ended is its own matter.
    await before.catch(() => undefined);
    await settle(batch, results, tally, refusals);
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

/** A record with the line it stands at. */
export interface Placed {
  readonly line: number;
  readonly record: ImportRecord;
}

/** Groups records as the server takes them: at most 1,000, and 2 MiB of JSON. */
export async function* batchesOf(
  records: AsyncIterable<readonly Placed[]>,
  most = BATCH_RECORDS,
  mostBytes = BATCH_BYTES,
): AsyncGenerator<readonly Placed[], void, undefined> {
  let batch: Placed[] = [];
  // The brackets; each record adds itself and a comma.
  let bytes = 2;
  for await (const some of records)
    for (const placed of some) {
      const size = Buffer.byteLength(JSON.stringify(placed.record)) + 1;
      if (batch.length > 0 && (batch.length === most || bytes + size > mostBytes)) {
        yield batch;
        batch = [];
        bytes = 2;
      }
      batch.push(placed);
      bytes += size;
    }
  if (batch.length > 0) yield batch;
}

/** A row that did not go in. */
export interface Refusal {
  readonly line: number;
  readonly reasons: readonly string[];
  /** As it was to be sent; null where the row could not be read. */
  readonly record: ImportRecord | null;
}

const MOST_KEPT = 20;

/** Counts refused rows, keeps the first twenty, and writes all of them to a file where one is named. */
export class Refusals {
  readonly first: Refusal[] = [];
  count = 0;
  private constructor(
    private readonly out: WriteStream | undefined,
    private readonly shown: (text: string) => string,
  ) {}

  /** `shown` takes secrets out of what is written. Failure (exit 2) when the file cannot be written. */
  static async open(path: string | undefined, shown: (text: string) => string): Promise<Refusals> {
    if (path === undefined) return new Refusals(undefined, shown);
    const out = createWriteStream(path);
    await once(out, 'open').catch((error: unknown) => {
      throw usageFailure(`${path} cannot be written (${reasonOf(error)}).`);
    });
    return new Refusals(out, shown);
  }

  async add(refusal: Refusal): Promise<void> {
    this.count += 1;
    if (this.first.length < MOST_KEPT) this.first.push(refusal);
    if (this.out !== undefined && !this.out.write(`${this.shown(JSON.stringify(refusal))}\n`))
      await once(this.out, 'drain');
  }

  async close(): Promise<void> {
    if (this.out === undefined) return;
    this.out.end();
    await once(this.out, 'close');
  }
}
