import { type Principal, teamsInSight } from '../access/principal.js';
import { eventsOfPoints, type ReleaseEvent, type ToldPoint, waivedDecision } from '../event.js';
import type { Page, PageRequest } from '../page.js';
import type { Ports, Stores } from '../ports.js';
import type { FrozenReport } from '../readiness/report.js';
import {
  type KeptStandings,
  type KnownStanding,
  liveReport,
  type ReleaseInputs,
  readsUntil,
  standingOf,
  stillStands,
} from '../release/facts.js';
import {
  type DirtyRelease,
  type GateChange,
  inputsOfPoint,
  type Knowledge,
  type ListedGateChange,
  type NewestPoint,
  pointsSince,
  type RecordedPoint,
  type TrendPoint,
} from '../release/history.js';
import type { Instant } from '../time.js';

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
 */
export async function recordHistory(ports: RecordPorts, { limit, leaseMs, projectId }: RecordHistory): Promise<number> {
  const { stores } = ports;
  const now = ports.clock();
  const claimed = await stores.history.claim(now, limit, leaseMs, projectId);
  if (claimed.length === 0) return 0;
  const releaseIds = claimed.map((dirty) => dirty.releaseId);
  const [allInputs, lasts] = await Promise.all([stores.facts.factsFor(releaseIds), stores.history.latest(releaseIds)]);
  for (const [index, dirty] of claimed.entries()) await settle(ports, dirty, allInputs[index], lasts[index], now);
  return claimed.length;
}

/** Writes the points and their events; writes neither when another instance has taken the claim and will write them. */
const settle = async (
  { stores, newId }: RecordPorts,
  dirty: DirtyRelease,
  inputs: ReleaseInputs | undefined,
  last: RecordedPoint | undefined,
  now: Instant,
): Promise<void> => {
  if (inputs === undefined) {
    await stores.history.settle(dirty, [], null);
    return;
  }
  const points = pointsSince(dirty, inputs, await frozenOf(stores, inputs), last, now);
  const due = inputs.release.state === 'shipped' ? null : readsUntil(inputs, now);
  const told = points.map((point) => toldPoint(inputs, point));
  const events = eventsOfPoints(inputs, last, told, newId);
  const gateChanges = gateChangesOf(inputs, points, events);
  await stores.transaction(async (inside) => {
    const isStillMine = await inside.history.settle(dirty, points, due, unmovedBy(inputs, last, points));
    if (!isStillMine) return;
    if (events.length > 0) await inside.events.append(events);
    if (gateChanges.length > 0) await inside.gateChanges.append(gateChanges, now);
  });
};

/** The changes of the decision that the events tell, each with the main reason at its point. */
const gateChangesOf = (
  inputs: ReleaseInputs,
  points: readonly RecordedPoint[],
  events: readonly ReleaseEvent[],
): readonly GateChange[] =>
  events.flatMap(({ type, id, at, teamId, project, release, reading, before }) => {
    if (type !== 'gate.changed' || before === null) return [];
    const point = points.find((each) => each.at === at);
    const basis = point && inputsOfPoint(inputs, point);
    const reason = basis ? standingOf(basis, at).mainReason : null;
    const whose = { teamId, projectId: project.id, releaseId: release.id };
    return [{ id, ...whose, at, before: before.decision, after: reading.decision, reason }];
  });

/** The point with the effect of waivers on its decision, computed from its snapshot. */
const toldPoint = (inputs: ReleaseInputs, point: RecordedPoint): ToldPoint => {
  const basis = inputsOfPoint(inputs, point);
  if (basis === null) return point;
  if (basis.waivers.length === 0) return { ...point, waived: { decisionWithoutWaivers: point.decision, waivers: [] } };
  return { ...point, waived: waivedDecision(liveReport(basis, point.at, { nextSteps: false }).gate) };
};

/** The revision that was read; null when a point is stored for it. */
const unmovedBy = (
  { revision: { revision, changedAt: at } }: ReleaseInputs,
  last: RecordedPoint | undefined,
  points: readonly RecordedPoint[],
): Knowledge | undefined =>
  last?.revision === revision || points.some((point) => point.at === at) ? undefined : { revision, at };

const frozenOf = async ({ releases }: Stores, { release }: ReleaseInputs): Promise<FrozenReport | null> =>
  release.state === 'shipped' ? ((await releases.frozen(release.id)) ?? null) : null;

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
    if (known !== undefined && stillStands(known, revisions[index]?.revision, now)) standings.set(id, known);
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

/** More unread gate changes than these are not counted. */
const MOST_UNREAD = 100;

/** One page of the gate changes in sight, and what a person has read of all of them. */
interface GateChangeReading extends Page<ListedGateChange> {
  readonly readUpTo: Instant;
  /** How many were noted after that; 100: as many or more. */
  readonly unread: number;
}

interface ListGateChanges {
  readonly principal: Principal;
  readonly page: PageRequest;
}

/** The gate changes of all teams in sight, the one noted last first, and how many of them the person has not read. */
export async function listGateChanges(
  { stores: { gateChanges } }: Pick<Ports, 'stores'>,
  { principal, page }: ListGateChanges,
): Promise<GateChangeReading> {
  const teamIds = teamsInSight(principal);
  const readUpTo = (await gateChanges.readUpTo(principal.userId)) ?? 0;
  const [listed, unread] = await Promise.all([
    gateChanges.page(teamIds, page),
    gateChanges.countAfter(teamIds, readUpTo, MOST_UNREAD),
  ]);
  return { ...listed, readUpTo, unread };
}

interface ReadGateChanges {
  readonly principal: Principal;
  /** A moment that has not come counts as now. */
  readonly upTo: Instant;
}

/** Keeps up to when a person has read the gate changes; an earlier moment makes later ones unread again. */
export async function readGateChanges(
  { stores, clock }: Pick<Ports, 'stores' | 'clock'>,
  { principal, upTo }: ReadGateChanges,
): Promise<void> {
  await stores.gateChanges.setReadUpTo(principal.userId, Math.min(upTo, clock()));
}
