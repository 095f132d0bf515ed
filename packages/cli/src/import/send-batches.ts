import type { BatchResult } from '@shipworthy/client';
import { harmless } from '../output/safe-text.js';
import { listOf, requireUsed, TEXT, uses } from '../schema/used-members.js';
import type { Placed } from './batches.js';
import type { Refusals } from './refusals.js';

/** Sends one batch; answers what became of each record, in order. */
export type SendBatch = (records: readonly Placed['record'][]) => Promise<readonly BatchResult[]>;

/** What became of the rows so far. */
export interface Tally {
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
  tally: Tally,
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
  tally: Tally,
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
