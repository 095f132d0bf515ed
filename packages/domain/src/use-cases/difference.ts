import { axisReportTitle } from '../axis-report.js';
import { invalid } from '../errors.js';
import type { PageKey, PageRequest } from '../page.js';
import type { Ports, Stores } from '../ports.js';
import { type Difference, difference } from '../readiness/what-if.js';
import type { Cause, Move } from '../release/change-log.js';
import type { ReleaseInputs } from '../release/facts.js';
import { type Knowledge, type KnownReport, type Moves, passedLimits } from '../release/history.js';
import type { Instant } from '../time.js';
import type { ReleasePath } from './change.js';
import { findReleaseInputs, knownAt, requirePast } from './readiness.js';

/** The time limits that passed since the last change and that no point was settled for yet, as far as only `until` knows them. */
const unsettledLimits = (
  inputs: ReleaseInputs,
  settledUntil: number,
  from: Knowledge,
  until: Knowledge,
): readonly Move[] => {
  const { revision } = inputs.revision;
  if (inputs.release.state === 'shipped' || revision !== until.revision) return [];
  return passedLimits(inputs, until.at).filter(
    ({ at }) => at > settledUntil && (revision > from.revision || at > from.at),
  );
};

/** A page of what moved a release from one knowledge to another: what is kept, and behind it what no point was settled for yet. */
const moveRows = async (
  { history }: Pick<Stores, 'history'>,
  inputs: ReleaseInputs,
  from: Knowledge,
  until: Knowledge,
  { limit, after }: PageRequest,
): Promise<Moves> => {
  const { id: releaseId } = inputs.release;
  // Read before the moves: a time limit that is settled between the two reads is then among the kept moves.
  const [last] = await history.latest([releaseId]);
  const kept = await history.moves(releaseId, from, until, { limit, after });
  const unsettled = unsettledLimits(inputs, last?.at ?? 0, from, until).filter(
    ({ at }) => !kept.rows.some((row) => row.kind === 'time_limit' && row.at === at),
  );
  const count = kept.count + unsettled.length;
  if (kept.next !== null) return { ...kept, count };
  const [revision, turn] = (after ?? [0, 0]).map(Number);
  const behind = unsettled.filter(({ at }) => revision !== until.revision || at > (turn ?? 0));
  const shown = behind.slice(0, limit - kept.rows.length);
  const following = behind[shown.length];
  // One millisecond before the next limit: if that is settled by the next request, it is found among the kept moves as well.
  const next = following === undefined ? null : [until.revision, following.at - 1, 0];
  return { rows: [...kept.rows, ...shown], next, count };
};

type Titles = readonly (readonly [id: string, title: string])[];

const idsOf = (causes: readonly Cause[], kind: Cause['kind']): readonly string[] => [
  ...new Set(causes.filter((cause) => cause.kind === kind).map(({ id }) => id)),
];

const titlesOf = async <Found extends { readonly id: string }>(
  causes: readonly Cause[],
  kind: Cause['kind'],
  find: (ids: readonly string[]) => Promise<readonly (Found | undefined)[]>,
  titleOf: (found: Found) => string,
): Promise<Titles> => {
  const ids = idsOf(causes, kind);
  if (ids.length === 0) return [];
  return (await find(ids)).flatMap((found) => (found === undefined ? [] : [[found.id, titleOf(found)] as const]));
};

/** The moves with their records in short, as they are now, where nothing was kept with them: one query at most for each kind of record. */
export async function nameRecords(
  { deployments, testRuns, axisReports, issues, checklists, waivers }: Stores,
  releaseId: string,
  moves: readonly Move[],
): Promise<readonly Move[]> {
  const found = await Promise.all([
    titlesOf(
      moves,
      'deployment',
      (ids) => deployments.byIds(ids),
      ({ environment, status }) => `${environment}, ${status}`,
    ),
    titlesOf(
      moves,
      'test_run',
      (ids) => testRuns.byIds(ids),
      ({ passed, total }) => `${passed} of ${total} passed`,
    ),
    titlesOf(moves, 'axis_report', (ids) => axisReports.byIds(ids), axisReportTitle),
    titlesOf(
      moves,
      'issue',
      (ids) => issues.byIds(ids),
      ({ title }) => title,
    ),
    titlesOf(
      moves,
      'checklist_item',
      () => checklists.ofRelease(releaseId),
      ({ title }) => title,
    ),
    titlesOf(
      moves,
      'waiver',
      () => waivers.ofRelease(releaseId),
      ({ code, axis }) => (axis === null ? code : `${code}, ${axis}`),
    ),
  ]);
  const titles = new Map(found.flat());
  return moves.map((move) => ({ ...move, title: move.title ?? titles.get(move.id) ?? null }));
}

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
  /** The records in the order in which they became known. */
  readonly records: readonly Move[];
  /** How many there are on all pages. */
  readonly recordCount: number;
  readonly next: PageKey | null;
}

/** A cursor holds the end of the list, so that all pages are of the same list. */
const endOf = (after: PageKey | null): Knowledge | null => {
  if (after === null) return null;
  const [at, revision] = after;
  return { at: Number(at), revision: Number(revision) };
};

/**
 * What changed in the report of a release from one past moment to another, and every record that moved it: all that the
 * later report knows and the earlier one does not. The number of queries depends on neither.
 * @throws DomainError `not-found`, also for a moment nothing is known of; `invalid` for one that has not come and for `to` before `from`
 */
export async function readDifference(
  { stores, clock }: Pick<Ports, 'stores' | 'clock'>,
  { from, to, page: { limit, after }, ...path }: ReadDifference,
): Promise<ReleaseDifference> {
  const inputs = await findReleaseInputs(stores, path);
  const now = clock();
  const end = endOf(after);
  const until = to ?? end?.at ?? now;
  requirePast('from', from, now);
  requirePast('to', until, now);
  if (until < from) throw invalid([{ pointer: 'to', code: 'order', message: 'to lies before from.' }]);
  const [before, later] = await Promise.all([knownAt(stores, inputs, from), knownAt(stores, inputs, until)]);
  const known = end ?? later.knowledge;
  const page = { limit, after: after?.slice(2) ?? null };
  const { rows, next, count } = await moveRows(stores, inputs, before.knowledge, known, page);
  return {
    from: before,
    to: later,
    ...difference(before.report, later.report),
    records: await nameRecords(stores, path.releaseId, rows),
    recordCount: count,
    next: next && [known.at, known.revision, ...next],
  };
}
