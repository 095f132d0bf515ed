import type { Page, PageRequest } from '../page.js';
import { AXES, type Axis } from '../readiness/axis.js';
import type { ReleaseFacts } from '../readiness/facts.js';
import { isCounted } from '../readiness/own-axis.js';
import type { PolicyVersion } from '../readiness/policy.js';
import type {
  AxisReading,
  FrozenReport,
  GateDecision,
  OwnAxisReading,
  ReadinessReport,
  Reason,
} from '../readiness/report.js';
import { timeLimitsBetween } from '../readiness/time-limits.js';
import type { Waiver } from '../readiness/waiver.js';
import type { Instant } from '../time.js';
import { type Cause, type Move, timeLimitMove } from './change-log.js';
import { liveReport, type ReleaseInputs } from './facts.js';
import { type Release, type ReleaseState, sameValue } from './release.js';

const MOST_CAUSES = 20;
const SECOND = 1_000;

const snapshotOf = (inputs: ReleaseInputs, { facts, policy, waivers }: FrozenReport | ReleaseInputs): Snapshot => ({
  project: { name: inputs.project.name },
  release: { name: inputs.release.name, state: inputs.release.state },
  facts,
  policy,
  waivers,
});

const scoreOf = (reading: AxisReading | OwnAxisReading): number | null =>
  reading.state === 'measured' ? reading.score : null;

/**
 * The trend point that shows a release as it is.
 * @param frozen the report it shipped with; null: its report is the live one
 */
const pointOf = (
  inputs: ReleaseInputs,
  at: Instant,
  report: ReadinessReport,
  frozen: FrozenReport | null = null,
): RecordedPoint => {
  const scores = new Map(report.axes.map((reading) => [reading.axis, scoreOf(reading)]));
  const own = report.ownAxes?.map((reading) => ({ axis: reading.axis, score: scoreOf(reading) }));
  return {
    releaseId: inputs.release.id,
    at,
    score: report.score,
    coverage: report.coverage,
    decision: report.gate.decision,
    axes: AXES.map((axis) => ({ axis, score: scores.get(axis) ?? null })),
    ...(own === undefined ? {} : { ownAxes: own }),
    causes: [],
    causeCount: 0,
    revision: inputs.revision.revision,
    snapshot: snapshotOf(inputs, frozen ?? inputs),
  };
};

const causedBy = (point: RecordedPoint, causes: readonly Cause[], count: number): RecordedPoint => ({
  ...point,
  causes: [...point.causes, ...causes].slice(0, MOST_CAUSES),
  causeCount: point.causeCount + count,
});

/** Whether two points of one release show the same numbers and the same decision. */
export const scoresTheSame = (a: HistoryPoint, b: HistoryPoint): boolean =>
  a.score === b.score &&
  a.coverage === b.coverage &&
  a.decision === b.decision &&
  a.axes.every(({ axis, score }) => b.axes.some((other) => other.axis === axis && other.score === score)) &&
  sameValue(a.ownAxes ?? [], b.ownAxes ?? []);

/** A snapshot without the moments of counted own axes: every change of the release moves those. */
const withoutCountTimes = (snapshot: Snapshot | null): unknown => {
  if (snapshot === null) return null;
  const { facts, policy } = snapshot;
  const counted = (policy.policy.ownAxes ?? []).filter(isCounted).map(({ name }) => name);
  if (counted.length === 0) return snapshot;
  const own = Object.entries(facts.ownAxes ?? {});
  const ownAxes = own.map(([name, { measuredAt, ...count }]) =>
    counted.includes(name) ? [name, count] : [name, count, measuredAt],
  );
  return { ...snapshot, facts: { ...facts, ownAxes } };
};

/**
 * Whether two points show the same numbers and have the same facts, policy, waivers and names; moment and causes may
 * differ.
 */
export const readsTheSame = (a: RecordedPoint, b: RecordedPoint): boolean =>
  scoresTheSame(a, b) && sameValue(withoutCountTimes(a.snapshot), withoutCountTimes(b.snapshot));

/** The moments since the last point at which a report that is still live changed by time alone. */
const limitsPassed = (inputs: ReleaseInputs, last: RecordedPoint | undefined, now: Instant): readonly Instant[] => {
  if (inputs.release.state === 'shipped') return [];
  const since = Math.max(inputs.revision.changedAt, last?.at ?? inputs.revision.changedAt);
  return timeLimitsBetween(inputs.facts, inputs.policy.policy, inputs.waivers, since, now);
};

/**
 * The new points of a release's trend, oldest first: one for all changes, at the moment of the last one, and one for
 * each time limit that passed since; none when nothing moved. A point in the same second as the point before it
 * replaces that point and takes over its causes.
 * @param frozen what the release shipped with: its trend ends there; null: it has not shipped
 * @param last the last stored point; undefined: there is none
 */
export const pointsSince = (
  dirty: DirtyRelease,
  inputs: ReleaseInputs,
  frozen: FrozenReport | null,
  last: RecordedPoint | undefined,
  now: Instant,
): readonly RecordedPoint[] => {
  const points: RecordedPoint[] = [];
  let before = last;
  const add = (point: RecordedPoint, causes: readonly Cause[], count: number): void => {
    if (before !== undefined && readsTheSame(before, point)) return;
    const inPlace = before !== undefined && Math.floor(before.at / SECOND) === Math.floor(point.at / SECOND);
    const start = inPlace && before !== undefined ? causedBy(point, before.causes, before.causeCount) : point;
    before = causedBy(start, causes, count);
    points.push(before);
  };
  if (dirty.causeCount > 0 || last === undefined) {
    const { changedAt } = inputs.revision;
    if (last !== undefined && last.revision >= dirty.revision) {
      // These changes came between a claim and the reading for it: the last point shows their effect and only lacks their
      // causes.
      before = causedBy(last, dirty.causes, dirty.causeCount);
      points.push(before);
    } else {
      const report = frozen?.report ?? liveReport(inputs, changedAt, { nextSteps: false });
      add(pointOf(inputs, changedAt, report, frozen), dirty.causes, dirty.causeCount);
    }
  }
  for (const at of limitsPassed(inputs, before, now)) {
    const point = pointOf(inputs, at, liveReport(inputs, at, { nextSteps: false }));
    add(point, [{ kind: 'time_limit', id: dirty.releaseId, at }], 1);
  }
  return points;
};

/** The time limits after the last change, up to and including `until`, that moved a report that is still live. */
export const timeLimitMoves = (inputs: ReleaseInputs, until: Instant): readonly Move[] => {
  const { id: releaseId } = inputs.release;
  const { revision } = inputs.revision;
  const changed = { releaseId, revision, causes: [], causeCount: 1, claimedUntil: until };
  const points = pointsSince(changed, inputs, null, undefined, until);
  const passed = new Set(points.flatMap(({ causes }) => causes.map(({ at }) => at)));
  return [...passed].map((at) => timeLimitMove(releaseId, at));
};

/** One point of a release's trend. */
export interface HistoryPoint {
  readonly releaseId: string;
  readonly at: Instant;
  readonly score: number | null;
  readonly coverage: number;
  readonly decision: GateDecision;
  /** Score per axis in axis order; null: unmeasured. */
  readonly axes: readonly { readonly axis: Axis; readonly score: number | null }[];
  /** Score per own axis, by name; null: unmeasured; missing: the policy had none. */
  readonly ownAxes?: readonly { readonly axis: string; readonly score: number | null }[];
  /** The first 20 causes. */
  readonly causes: readonly Cause[];
  readonly causeCount: number;
}

/** The members of a point that a chart draws. */
export type TrendPoint = Pick<HistoryPoint, 'at' | 'score'>;

/** The members of a release's last point that change with every new point. */
export type NewestPoint = Pick<RecordedPoint, 'at' | 'score' | 'revision'>;

/** Everything the report at a point was computed from: the same report can be computed again from it at any time. */
export interface Snapshot {
  readonly project: { readonly name: string };
  readonly release: { readonly name: string; readonly state: ReleaseState };
  readonly facts: ReleaseFacts;
  readonly policy: PolicyVersion;
  /** The waivers not withdrawn then, oldest first. */
  readonly waivers: readonly Waiver[];
}

/** A point as it is kept. */
export interface RecordedPoint extends HistoryPoint {
  /** The release's revision it was read at; 0: the point is from before revisions were stored. */
  readonly revision: number;
  /** null: the point is from before snapshots were kept. */
  readonly snapshot: Snapshot | null;
}

/** A release whose report may have moved since its last point, with the claim on it. */
export interface DirtyRelease {
  readonly releaseId: string;
  readonly revision: number;
  readonly causes: readonly Cause[];
  readonly causeCount: number;
  /** Until when other workers cannot claim it; each claim of a release has a later moment, which tells claims apart. */
  readonly claimedUntil: Instant;
}

/** How far a report knows its release: all changes up to a revision, and the time limits that passed up to and at a moment. */
export interface Knowledge {
  readonly revision: number;
  readonly at: Instant;
}

/** One page of what moved a release's report. */
export interface Moves extends Page<Move> {
  /** How many there are on all pages. */
  readonly count: number;
}

export interface HistoryStore {
  /**
   * Up to `limit` releases that changed or whose time limit is at or before `now`; hidden from other claimers for `leaseMs`.
   * One that is due by time alone comes without causes. With `projectId` only those of that project.
   */
  claim(now: Instant, limit: number, leaseMs: number, projectId?: string): Promise<readonly DirtyRelease[]>;
  /**
   * Stores the points (none: nothing moved), removes the claimed causes and sets when the release is next due by time
   * alone. A change that came after the claim keeps the release dirty, and it can be claimed again at once. At most one
   * point per release and second of the clock: a later one replaces it. Of a snapshot's policy only the version is
   * stored. `unmoved`: a revision, with its moment, that gets no point of its own because its report reads the same as
   * the point before it. Returns false, and stores nothing, when another instance has claimed or settled the release
   * since; until the transaction ends, no other claim succeeds.
   */
  settle(
    dirty: DirtyRelease,
    points: readonly RecordedPoint[],
    nextTimeLimit: Instant | null,
    unmoved?: Knowledge,
  ): Promise<boolean>;
  /** Oldest first. */
  page(releaseId: string, page: PageRequest): Promise<Page<HistoryPoint>>;
  /** The last `count` points of each release, oldest first, in the order asked. One query. */
  last(releaseIds: readonly string[], count: number): Promise<readonly (readonly HistoryPoint[])[]>;
  /** The last point of each release, to see whether there is a new one; in the order asked; undefined where there is none. One query. */
  newest(releaseIds: readonly string[]): Promise<readonly (NewestPoint | undefined)[]>;
  /** The last `count` points of each release as they are drawn, oldest first, in the order asked. One query that answers one row for a release. */
  trends(releaseIds: readonly string[], count: number): Promise<readonly (readonly TrendPoint[])[]>;
  /** The last point of each release with its snapshot, in the order asked; undefined where there is none. One query. */
  latest(releaseIds: readonly string[]): Promise<readonly (RecordedPoint | undefined)[]>;
  /** The last point at or before the moment, with the last revision up to the moment whose report reads the same. */
  pointAt(releaseId: string, at: Instant): Promise<RecordedPoint | undefined>;
  /**
   * Every move that `until` knows and `from` does not, oldest change first, and how many there are: all that moved an
   * axis or concerned the gate, whether or not a point is stored for it yet, and the time limits for which points are
   * stored. One query.
   */
  moves(releaseId: string, from: Knowledge, until: Knowledge, page: PageRequest): Promise<Moves>;
}

/** A release's report as it was known at a moment, with the names of that time. */
export interface KnownReport {
  readonly project: { readonly id: string; readonly name: string };
  readonly release: Pick<Release, 'id' | 'name' | 'state'>;
  readonly report: ReadinessReport;
  /** The inputs of the report besides its `asOf`. */
  readonly basis: Pick<ReleaseInputs, 'facts' | 'policy' | 'waivers'>;
  /** When the release shipped; null: it had not shipped at that moment. */
  readonly frozenAt: Instant | null;
  /** The revision that was known by then. */
  readonly knowledge: Knowledge;
}

/** The inputs as a point shows them; null: the point has no snapshot. */
export const inputsOfPoint = (inputs: ReleaseInputs, { at, revision, snapshot }: RecordedPoint) =>
  snapshot === null
    ? null
    : ({
        release: { ...inputs.release, ...snapshot.release },
        project: { ...inputs.project, ...snapshot.project },
        facts: snapshot.facts,
        policy: snapshot.policy,
        waivers: snapshot.waivers,
        revision: { revision, changedAt: at },
      } satisfies ReleaseInputs);

/** The report that inputs yield at a moment. */
export const knownReport = (inputs: ReleaseInputs, at: Instant): KnownReport => ({
  ...whose(inputs),
  report: liveReport(inputs, at),
  basis: inputs,
  frozenAt: null,
  knowledge: { revision: inputs.revision.revision, at },
});

/** The known report of a release from its shipping on: the frozen one. */
export const knownFrozenReport = (inputs: ReleaseInputs, frozen: FrozenReport): KnownReport => ({
  ...whose(inputs),
  report: frozen.report,
  basis: frozen,
  frozenAt: frozen.frozenAt,
  knowledge: { revision: frozen.revision ?? inputs.revision.revision, at: frozen.frozenAt },
});

const whose = ({ project, release }: ReleaseInputs) => ({
  project: { id: project.id, name: project.name },
  release: { id: release.id, name: release.name, state: release.state },
});

/** A change of the gate's decision about a release. The first decision about a release is no change. */
export interface GateChange {
  /** The id of the event `gate.changed` about it. */
  readonly id: string;
  readonly teamId: string;
  readonly projectId: string;
  readonly releaseId: string;
  /** When the decision changed. */
  readonly at: Instant;
  readonly before: GateDecision;
  readonly after: GateDecision;
  /** The reason to begin with at that moment, of those not waived; null: none. */
  readonly reason: Reason | null;
}

/** A gate change with the present names of its project and release. */
export interface ListedGateChange extends Omit<GateChange, 'projectId' | 'releaseId'> {
  readonly project: { readonly id: string; readonly name: string };
  readonly release: { readonly id: string; readonly name: string };
  /**
   * When the service stored it, at or after `at`; no two have the same. A change that becomes visible later was stored
   * later, so that a person who has read up to a moment has missed none before it.
   */
  readonly notedAt: Instant;
}

/** The text in which a search for gate changes looks: the names of project and release. */
export const namesOfGateChange = ({ project, release }: Pick<ListedGateChange, 'project' | 'release'>): string =>
  `${project.name} ${release.name}`;

export interface GateChangeStore {
  /**
   * Stores the changes in their order, noted at `now` or just after the last one noted; inside the transaction that
   * stores the trend.
   */
  append(changes: readonly GateChange[], now: Instant): Promise<void>;
  /**
   * The gate changes of these teams, without those of archived projects and teams; optionally only those whose
   * `namesOfGateChange` hold all words, in any case. The one noted last comes first.
   */
  page(
    teamIds: readonly string[],
    page: PageRequest,
    text?: { readonly words: readonly string[] },
  ): Promise<Page<ListedGateChange>>;
  /** How many gate changes of these teams were noted after the moment; `most` at most. */
  countAfter(teamIds: readonly string[], after: Instant, most: number): Promise<number>;
  /**
   * The moment up to which a person has read the gate changes; at first the moment when the account was made.
   * undefined: there is no such person.
   */
  readUpTo(userId: string): Promise<Instant | undefined>;
  setReadUpTo(userId: string, upTo: Instant): Promise<void>;
  /** Removes gate changes noted before the moment; returns how many. */
  removeBefore(before: Instant): Promise<number>;
}
