import type { BatchResult } from '@shipworthy/client/contract';
import type { Fault, ImportOutcome, Instant } from '@shipworthy/domain';
import { domainProblem } from '../http/domain-problem.js';
import { faulty, Problem, type ProblemPlace, problemMembers } from '../http/problem.js';
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

/** Faults that one batch lists, so that the answer to a small hostile body stays small. */
const LISTED_FAULTS = 100;

/** Refuses malformed records with their faults, as long as the batch lists them; then with their number. */
const faultLister = (): ((faults: readonly Fault[]) => Problem) => {
  let listed = 0;
  return (faults) => {
    const shown = faults.slice(0, LISTED_FAULTS - listed);
    listed += shown.length;
    if (shown.length === faults.length) return faulty(faults);
    const detail = `Of this record ${shown.length} of ${faults.length} faults are listed: a batch lists its first ${LISTED_FAULTS}`;
    return new Problem('invalid', detail, { members: { errors: shown } });
  };
};

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
  const problemOf = faultLister();
  const data = items.map((item, index): BatchResult => {
    if (item.faults !== undefined) return refusedRecord(index, problemOf(item.faults), request);
    const { value } = outcomes.next();
    if (value === undefined) throw new Error('Fewer records were answered for than were imported.');
    return resultOf(index, value, request);
  });
  return { status: 200, body: { data } } as const;
};
