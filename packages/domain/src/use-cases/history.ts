import { type Principal, teamsInSight } from '../access/principal.js';
import { axisReportTitle } from '../axis-report.js';
import { DomainError, invalid } from '../errors.js';
import type { Page, PageKey, PageRequest } from '../page.js';
import type { Ports, Stores } from '../ports.js';
import { type Difference, difference } from '../readiness/what-if.js';
import type { Cause, Move } from '../release/change-log.js';
import {
  isStandingValid,
  type KeptStandings,
  type KnownStanding,
  type ReleaseInputs,
  standingOf,
} from '../release/facts.js';
import {
  type Knowledge,
  type KnownReport,
  type ListedGateChange,
  type Moves,
  type NewestPoint,
  type TrendPoint,
  timeLimitMoves,
} from '../release/history.js';
import type { SearchText } from '../search.js';
import type { Instant } from '../time.js';
import type { ReleasePath } from './change.js';
import { findReleaseInputs, knownAt, requirePast } from './readiness.js';
import { settleRelease } from './settle-release.js';

interface RecordHistory {
  /** Most releases to settle in one go. */
  readonly limit: number;
  /** How long they are hidden from other workers, in milliseconds. */
  readonly leaseMs: number;
  /** Only the releases of this project; all unless given. */
  readonly projectId?: string;
}

type RecordPorts = Pick<Ports, 'stores' | 'clock' | 'newId'>;

/**
 * Writes trend points of the releases that changed or whose time limit passed, and with them the changes of their gates, and
 * publishes events of what moved; safe on many instances at once.
 * @returns how many releases were settled; as many as `limit` means there may be more
 * @throws the first error, once the releases that it does not concern are settled; `unavailable` at once
 */
export async function recordHistory(ports: RecordPorts, { limit, leaseMs, projectId }: RecordHistory): Promise<number> {
  const { stores } = ports;
  const now = ports.clock();
  const claimed = await stores.history.claim(now, limit, leaseMs, projectId);
  if (claimed.length === 0) return 0;
  const releaseIds = claimed.map((dirty) => dirty.releaseId);
  const [allInputs, lasts] = await Promise.all([stores.facts.factsFor(releaseIds), stores.history.latest(releaseIds)]);
  let failure: { readonly error: unknown } | undefined;
  for (const [index, dirty] of claimed.entries())
    try {
      await settleRelease(ports, dirty, allInputs[index], lasts[index], now);
    } catch (error) {
      // Without the database no other release can be settled either.
      if (error instanceof DomainError && error.code === 'unavailable') throw error;
      failure ??= { error };
    }
  if (failure !== undefined) throw failure.error;
  return claimed.length;
}

/** The last points of a release, and which of them was the newest when they were read. */
export interface KnownTrend {
  readonly newest: NewestPoint;
  readonly points: readonly TrendPoint[];
}

/** A cache of releases' trends by id; may forget any of them at any time. */
export interface KeptTrends {
  get(releaseId: string): KnownTrend | undefined;
  set(releaseId: string, trend: KnownTrend): unknown;
}

/** A trend only ever grows at its end, or its last second is written again for a later revision. */
const isSame = (a: NewestPoint | undefined, b: NewestPoint): boolean =>
  a !== undefined && a.at === b.at && a.revision === b.revision && a.score === b.score;

/**
 * The last points of releases, oldest first, by their ids. Two queries for any number of releases, the second one only for
 * those whose trend has grown since it was kept.
 * @param count the same in every call with the same `kept`
 */
export async function readTrends(
  { stores }: Pick<Ports, 'stores'>,
  kept: KeptTrends,
  count: number,
  releaseIds: readonly string[],
): Promise<ReadonlyMap<string, readonly TrendPoint[]>> {
  const newest = await stores.history.newest(releaseIds);
  const trends = new Map<string, readonly TrendPoint[]>();
  const grown: (readonly [id: string, newest: NewestPoint])[] = [];
  for (const [index, id] of releaseIds.entries()) {
    const now = newest[index];
    const known = kept.get(id);
    if (now === undefined) continue;
    if (known !== undefined && isSame(known.newest, now)) trends.set(id, known.points);
    else grown.push([id, now]);
  }
  if (grown.length === 0) return trends;
  const read = await stores.history.trends(
    grown.map(([id]) => id),
    count,
  );
  for (const [index, [id, now]] of grown.entries()) {
    const points = read[index] ?? [];
    trends.set(id, points);
    // Kept as the trend whose newest point was read first: if a point was added in between, the next call reads again.
    kept.set(id, { newest: now, points });
  }
  return trends;
}

/**
 * The standings of releases by their ids, without those that are gone. Two queries for any number of releases, the second
 * one only for those that changed since their standing was kept.
 */
export async function readStandings(
  { stores, clock, slices }: Pick<Ports, 'stores' | 'clock' | 'slices'>,
  kept: KeptStandings,
  releaseIds: readonly string[],
): Promise<ReadonlyMap<string, KnownStanding>> {
  const revisions = await stores.facts.revisions(releaseIds);
  const now = clock();
  const standings = new Map<string, KnownStanding>();
  const moved: string[] = [];
  for (const [index, id] of releaseIds.entries()) {
    const known = kept.get(id);
    if (known !== undefined && isStandingValid(known, revisions[index]?.revision, now)) standings.set(id, known);
    else moved.push(id);
  }
  if (moved.length === 0) return standings;
  const allInputs = await stores.facts.factsFor(moved);
  await slices.map(allInputs, (inputs) => {
    if (inputs === undefined) return;
    const { id } = inputs.release;
    const standing = standingOf(inputs, clock());
    standings.set(id, standing);
    // A slower reading of an older revision must not push out a newer one.
    if ((kept.get(id)?.revision ?? 0) <= standing.revision) kept.set(id, standing);
  });
  return standings;
}

/** Most unread gate changes that are counted. */
const MOST_UNREAD = 100;

/** One page of the gate changes in sight, and what a person has read of all of them. */
interface GateChangeReading extends Page<ListedGateChange> {
  readonly readUpTo: Instant;
  /** How many were noted after `readUpTo`; 100: that many or more. */
  readonly unread: number;
}

/**
 * Returns up to when a person has read the gate changes in sight, and functions that read a page of them (with `text`
 * only those it finds; the one noted last first) and that count the unread ones.
 */
export async function gateChangesInSight(
  { stores: { gateChanges } }: Pick<Ports, 'stores'>,
  principal: Principal,
  text?: Pick<SearchText, 'words'>,
) {
  const teamIds = teamsInSight(principal);
  const readUpTo = (await gateChanges.readUpTo(principal.userId)) ?? 0;
  return {
    readUpTo,
    readPage: (page: PageRequest) => gateChanges.page(teamIds, page, text),
    countUnread: () => gateChanges.countAfter(teamIds, readUpTo, MOST_UNREAD),
  };
}

interface ListGateChanges {
  readonly principal: Principal;
  /** Only gate changes that this text finds. */
  readonly text?: Pick<SearchText, 'words'> | undefined;
  readonly page: PageRequest;
}

/** One page of the gate changes in sight, and how many of all the person has not read. */
export async function listGateChanges(
  ports: Pick<Ports, 'stores'>,
  { principal, text, page }: ListGateChanges,
): Promise<GateChangeReading> {
  const { readUpTo, readPage, countUnread } = await gateChangesInSight(ports, principal, text);
  const [listed, unread] = await Promise.all([readPage(page), countUnread()]);
  return { ...listed, readUpTo, unread };
}

interface MarkGateChangesRead {
  readonly principal: Principal;
  /** A moment in the future counts as now. */
  readonly upTo: Instant;
}

/** Stores up to when a person has read the gate changes; an earlier moment makes later changes unread again. */
export async function markGateChangesRead(
  { stores, clock }: Pick<Ports, 'stores' | 'clock'>,
  { principal, upTo }: MarkGateChangesRead,
): Promise<void> {
  await stores.gateChanges.setReadUpTo(principal.userId, Math.min(upTo, clock()));
}

/**
 * Returns the time limits that passed since the last change, are known at `until` but not at `from`, and have no stored point
 * yet; none for a shipped release, or one that changed after `until`.
 */
const unsettledLimits = (
  inputs: ReleaseInputs,
  settledUntil: number,
  from: Knowledge,
  until: Knowledge,
): readonly Move[] => {
  const { revision } = inputs.revision;
  if (inputs.release.state === 'shipped' || revision !== until.revision) return [];
  return timeLimitMoves(inputs, until.at).filter(
    ({ at }) => at > settledUntil && (revision > from.revision || at > from.at),
  );
};

/**
 * A page of the moves that `until` knows and `from` does not: first the stored ones, then the time limits that have no
 * stored point yet.
 */
const readMovesPage = async (
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

/**
 * Adds a title to each move that has none stored: its record in short, as it is now. At most one query for each kind of
 * record.
 */
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

interface TwoMoments extends ReleasePath {
  readonly from: Instant;
  /** null: now; the following pages keep the moment of the first one. */
  readonly to: Instant | null;
}

export interface ReadDifference extends TwoMoments {
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
 * The reports of a release at two past moments, and the records that moved it from one to the other, page by page;
 * `end` is where the list ends; null: at `to`, or now.
 */
const twoReports = async (
  { stores, clock }: Pick<Ports, 'stores' | 'clock'>,
  { from, to, ...path }: TwoMoments,
  end: Knowledge | null,
) => {
  const inputs = await findReleaseInputs(stores, path);
  const now = clock();
  const until = to ?? end?.at ?? now;
  requirePast('from', from, now);
  requirePast('to', until, now);
  if (until < from) throw invalid([{ pointer: 'to', code: 'order', message: 'to lies before from.' }]);
  const [before, later] = await Promise.all([knownAt(stores, inputs, from), knownAt(stores, inputs, until)]);
  const known = end ?? later.knowledge;
  const readPage = async (page: PageRequest): Promise<Moves> => {
    const moves = await readMovesPage(stores, inputs, before.knowledge, known, page);
    return { ...moves, rows: await nameRecords(stores, path.releaseId, moves.rows) };
  };
  return { before, later, known, readPage };
};

/**
 * What changed in the report of a release from one past moment to another, and every record that moved it: all that the
 * later report knows and the earlier one does not. The number of queries is constant.
 * @throws DomainError `not-found`, also for a moment nothing is known of; `invalid` for one that has not come and for
 * `to` before `from`
 */
export async function readDifference(
  ports: Pick<Ports, 'stores' | 'clock'>,
  { page: { limit, after }, ...asked }: ReadDifference,
): Promise<ReleaseDifference> {
  const { before, later, known, readPage } = await twoReports(ports, asked, endOf(after));
  const { rows, next, count } = await readPage({ limit, after: after?.slice(2) ?? null });
  return {
    from: before,
    to: later,
    ...difference(before.report, later.report),
    records: rows,
    recordCount: count,
    next: next && [known.at, known.revision, ...next],
  };
}

/**
 * Returns a function that reads pages of every record that moved a release between two past moments.
 * @throws DomainError as `readDifference`
 */
export async function movesBetween(
  ports: Pick<Ports, 'stores' | 'clock'>,
  asked: TwoMoments,
): Promise<(page: PageRequest) => Promise<Page<Move>>> {
  return (await twoReports(ports, asked, null)).readPage;
}
