import { invalid } from '../errors.js';
import type { Instant } from '../instant.js';
import type { PageKey, PageRequest } from '../page.js';
import type { Ports } from '../ports.js';
import { type Difference, difference } from '../readiness/difference.js';
import type { Knowledge } from '../release/history-store.js';
import type { KnownReport } from '../release/known-report.js';
import type { Move } from '../release/move.js';
import { findDossier } from './find-dossier.js';
import type { ReleasePath } from './in-release.js';
import { knownAt, requirePast } from './known-at.js';
import { moveRows } from './move-rows.js';
import { nameRecords } from './name-records.js';

export interface ReadDifference extends ReleasePath {
  readonly from: Instant;
  /** null: now, and on the following pages what was now on the first. */
  readonly to: Instant | null;
  readonly page: PageRequest;
}

/** What changed in a release's report between two moments, and one page of what moved it. */
export interface ReleaseDifference extends Difference {
  readonly from: KnownReport;
  readonly to: KnownReport;
  /** In the order in which they became known. */
  readonly records: readonly Move[];
  /** How many there are on all pages. */
  readonly recordCount: number;
  readonly next: PageKey | null;
}

/** A cursor keeps where the list ends, so that every page is one of the same list. */
const endOf = (after: PageKey | null): Knowledge | null => {
  if (after === null) return null;
  const [at, revision] = after;
  return { at: Number(at), revision: Number(revision) };
};

/**
 * What changed in the report of a release from one past moment to another, and every record that moved it: all that the
 * later report knows and the earlier one does not. The number of queries depends on neither. Role viewer.
 * @throws DomainError `not-found`, also for a moment nothing is known of; `invalid` for one that has not come and for `to` before `from`
 */
export const readDifference =
  ({ stores, clock }: Pick<Ports, 'stores' | 'clock'>) =>
  async ({ from, to, page: { limit, after }, ...path }: ReadDifference): Promise<ReleaseDifference> => {
    const dossier = await findDossier(stores, path);
    const now = clock();
    const end = endOf(after);
    const until = to ?? end?.at ?? now;
    requirePast('from', from, now);
    requirePast('to', until, now);
    if (until < from) throw invalid([{ pointer: 'to', code: 'order', message: 'to lies before from.' }]);
    const [before, later] = await Promise.all([knownAt(stores, dossier, from), knownAt(stores, dossier, until)]);
    const known = end ?? later.knowledge;
    const page = { limit, after: after?.slice(2) ?? null };
    const { rows, next, count } = await moveRows(stores, dossier, before.knowledge, known, page);
    return {
      from: before,
      to: later,
      ...difference(before.report, later.report),
      records: await nameRecords(stores, path.releaseId, rows),
      recordCount: count,
      next: next && [known.at, known.revision, ...next],
    };
  };
