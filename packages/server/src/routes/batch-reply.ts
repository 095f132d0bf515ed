import type { BatchResult } from '@shipworthy/client/contract';
import type { ImportOutcome, Instant } from '@shipworthy/domain';
import { domainProblem } from '../http/domain-problem.js';
import { faulty, type Problem, type ProblemPlace, problemMembers } from '../http/problem.js';
import type { BatchItem } from '../http/route.js';

/** Where and when a batch was sent. */
export interface BatchRequest extends ProblemPlace {
  readonly now: Instant;
}

/** What is answered for a record that was refused. */
export const refusedRecord = (index: number, problem: Problem, place: ProblemPlace) =>
  ({
    index,
    result: 'refused',
    problem: problemMembers(problem, place, null),
  }) as const;

const resultOf = (index: number, outcome: ImportOutcome, request: BatchRequest): BatchResult =>
  outcome.result === 'refused'
    ? refusedRecord(index, domainProblem(outcome.refusal, request.now), request)
    : { index, result: outcome.result, id: outcome.id };

/**
 * Imports the well-formed records of a batch and answers for all of them in the order sent; `store` answers for the records
 * it is given, in their order.
 */
export const importBatch = async <Sent, Report>(
  items: readonly BatchItem<Sent>[],
  reportOf: (sent: Sent) => Report,
  store: (records: readonly Report[]) => Promise<readonly ImportOutcome[]>,
  request: BatchRequest,
) => {
  const wellFormed = items.flatMap((item) => (item.faults === undefined ? [reportOf(item.value)] : []));
  const outcomes = (await store(wellFormed)).values();
  const data = items.map((item, index): BatchResult => {
    if (item.faults !== undefined) return refusedRecord(index, faulty(item.faults), request);
    const { value } = outcomes.next();
    if (value === undefined) throw new Error('Fewer records were answered for than were imported.');
    return resultOf(index, value, request);
  });
  return { status: 200, body: { data } } as const;
};
