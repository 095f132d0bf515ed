import { invalid } from '../errors.js';
import type { Instant } from '../instant.js';
import type { Ports } from '../ports.js';
import { type Difference, difference } from '../readiness/difference.js';
import { passedLimits } from '../release/history-point.js';
import type { KnownReport } from '../release/known-report.js';
import { findDossier } from './find-dossier.js';
import type { ReleasePath } from './in-release.js';
import { knownAt, requirePast } from './known-at.js';
import { type MovingRecord, nameRecords } from './name-records.js';

/** How many records a difference names. */
export const MOST_RECORDS = 200;

export interface ReadDifference extends ReleasePath {
  readonly from: Instant;
  /** null: now. */
  readonly to: Instant | null;
}

/** What changed in a release's report between two moments, and what moved it. */
export interface ReleaseDifference extends Difference {
  readonly from: KnownReport;
  readonly to: KnownReport;
  /** Oldest first, the first 200 at most. */
  readonly records: readonly MovingRecord[];
  /** How many changes there were, named or not. */
  readonly recordCount: number;
}

/**
 * What changed in the report of a release from one past moment to another, down to the records that moved it.
 * @throws DomainError `not-found`, also for a moment nothing is known of; `invalid` for one that has not come and for `to` before `from`
 */
export const readDifference =
  ({ stores, clock }: Pick<Ports, 'stores' | 'clock'>) =>
  async ({ from, to, ...path }: ReadDifference): Promise<ReleaseDifference> => {
    const dossier = await findDossier(stores, path);
    const now = clock();
    const until = to ?? now;
    requirePast('from', from, now);
    requirePast('to', until, now);
    if (until < from) throw invalid([{ pointer: 'to', code: 'order', message: 'to lies before from.' }]);
    const { history } = stores;
    // Read first: a time limit that is recorded meanwhile is then among the causes.
    const [last] = await history.latest([path.releaseId]);
    const [before, after, { causes, count }] = await Promise.all([
      knownAt(stores, dossier, from),
      knownAt(stores, dossier, until),
      history.moves(path.releaseId, from, until, MOST_RECORDS),
    ]);
    const unnoticed = passedLimits(dossier, until).filter(
      ({ at }) =>
        at > from && at > (last?.at ?? 0) && !causes.some((each) => each.kind === 'time_limit' && each.at === at),
    );
    const policies = { from: before.basis.policy.version, to: after.basis.policy.version };
    const named = [...causes, ...unnoticed].slice(0, MOST_RECORDS);
    const records = await nameRecords(stores, path.releaseId, named, policies);
    const recordCount = count + unnoticed.length;
    return { from: before, to: after, ...difference(before.report, after.report), records, recordCount };
  };
