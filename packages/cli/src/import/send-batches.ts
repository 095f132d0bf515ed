import type { BatchResult } from '@shipworthy/client';
import { harmless } from '../output/screen.js';
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

const reasonsOf = (problem: Problem): readonly string[] =>
  problem.errors !== undefined && problem.errors.length > 0
    ? problem.errors.map(({ pointer, message }) => harmless(`${pointer.replace(/^\//, '') || 'record'}: ${message}`))
    : [harmless(problem.detail || problem.title)];

const settle = async (
  batch: readonly Placed[],
  results: readonly BatchResult[],
  tally: Tally,
  refusals: Refusals,
): Promise<void> => {
  if (results.length !== batch.length) throw new Error('The server answered for another number of records.');
  for (const [at, result] of results.entries()) {
    const placed = batch[at];
    if (!('problem' in result)) tally[result.result === 'created' ? 'created' : 'duplicates'] += 1;
    else if (placed !== undefined)
      await refusals.add({ line: placed.line, reasons: reasonsOf(result.problem), record: placed.record });
  }
};

/** Sends batch after batch in order; while one is on its way the next is read. Rejects with whatever ends it, with the tally up to date. */
export const sendBatches = async (
  batches: AsyncIterable<readonly Placed[]>,
  send: SendBatch,
  tally: Tally,
  refusals: Refusals,
  onSettled: () => void,
): Promise<void> => {
  let underWay: Promise<void> = Promise.resolve();
  const deal = async (batch: readonly Placed[]): Promise<void> => {
    const results = await send(batch.map(({ record }) => record));
    await settle(batch, results, tally, refusals);
    onSettled();
  };
  try {
    for await (const batch of batches) {
      await underWay;
      underWay = deal(batch);
      // It is waited for above or below; until then its failure is nobody's.
      underWay.catch(() => undefined);
    }
  } finally {
    await underWay;
  }
};
