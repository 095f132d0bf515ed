import { DomainError } from '../errors.js';
import { settled } from './report-reply.js';
import type { ReportEntry, ReportOutcome, ReportStore } from './report-store.js';

/** What became of one record of an import. */
export type ImportOutcome =
  | { readonly result: 'created' | 'duplicate'; readonly id: string }
  | { readonly result: 'refused'; readonly refusal: DomainError };

/** A record ready to be stored, or why it is refused. */
export type Prepared = { readonly id: string; readonly entry: ReportEntry } | { readonly refusal: DomainError };

/** Runs a preparation whose refusals are answers. Anything but a DomainError is a bug and thrown on. */
export const prepare = (work: () => { readonly id: string; readonly entry: ReportEntry }): Prepared => {
  try {
    return work();
  } catch (refusal) {
    if (refusal instanceof DomainError) return { refusal };
    throw refusal;
  }
};

const importOutcome = (id: string, outcome: ReportOutcome): ImportOutcome => {
  if (outcome.result === 'failed')
    return { result: 'refused', refusal: new DomainError('unavailable', 'It could not be stored; send it again.') };
  try {
    const done = settled(outcome);
    if (done.outcome === 'duplicate') return { result: 'duplicate', id: done.id };
    return { result: 'created', id };
  } catch (refusal) {
    if (refusal instanceof DomainError) return { result: 'refused', refusal };
    throw refusal;
  }
};

/** Stores the good ones in one transaction and answers for all, in order. @throws DomainError `unavailable` when nothing could be stored */
export const storePrepared = async (
  reports: ReportStore,
  prepared: readonly Prepared[],
): Promise<readonly ImportOutcome[]> => {
  const good = prepared.flatMap((one) => ('entry' in one ? [one.entry] : []));
  const outcomes = (good.length === 0 ? [] : await reports.record(good)).values();
  return prepared.map((one) => {
    if ('refusal' in one) return { result: 'refused', refusal: one.refusal };
    const { value } = outcomes.next();
    if (value === undefined) throw new Error('The store answered for fewer entries than it was given.');
    return importOutcome(one.id, value);
  });
};
