import type { FirstDeployments } from '../deployment.js';
import type { IssueEvent } from '../issue.js';
import type { Instant } from '../time.js';
import {
  addTo,
  type Flows,
  type Levels,
  type Movement,
  type MovementTotals,
  movementsOf,
  NO_MOVEMENT,
  type ProgressStep,
  type Span,
  spansOf,
} from './movement.js';

/** The levels at the end of a span, and the flows within it. */
export interface ProgressPoint extends Span, Levels, Flows {}

/** The levels at a moment, and the flows until then, the moment itself included. */
export const standingAt = (movements: readonly Movement[], at: Instant): Levels & Flows => {
  const sum: MovementTotals = { ...NO_MOVEMENT };
  for (const movement of movements) if (movement.at <= at) addTo(sum, movement);
  return sum;
};

/** The progress over a span, point by point. */
export const progressOf = (
  movements: readonly Movement[],
  step: ProgressStep,
  span: Span,
): readonly ProgressPoint[] => {
  const spans = spansOf(
    step,
    span,
    movements.map(({ at }) => at),
  );
  let place = 0;
  const level: MovementTotals = { ...NO_MOVEMENT };
  const take = (isTaken: (at: Instant) => boolean): Levels & Flows => {
    const sum: MovementTotals = { ...NO_MOVEMENT };
    for (let next = movements[place]; next !== undefined && isTaken(next.at); next = movements[place]) {
      addTo(sum, next);
      place += 1;
    }
    addTo(level, sum);
    return sum;
  };
  take((at) => at < span.from);
  return spans.map(({ from, at }) => {
    const { added, removed, canceled, completed } = take((moment) => moment <= at);
    const { done, total, bugs, openBugs } = level;
    return { from, at, done, total, bugs, openBugs, added, removed, canceled, completed };
  });
};

/** How many issues came into a release and left it; `net` is `added - removed - canceled`. */
interface ScopeFlow {
  readonly added: number;
  readonly removed: number;
  readonly canceled: number;
  readonly net: number;
}

/** How the scope of a release changed. Both nets together are the release's total. */
interface ScopeChange {
  /** The scope change before its window began; all of it when it has no window yet. */
  readonly beforeStart: ScopeFlow;
  /** The scope change from the window's first moment on; null: it has no window yet. */
  readonly afterStart: ScopeFlow | null;
  /** Net change after the start / total at the start, a rate that may be negative or above 1; null: no window, or nothing was in it then. */
  readonly changeRate: number | null;
}

const flowOf = (movements: readonly Movement[], isCounted: (at: Instant) => boolean): ScopeFlow => {
  const flow = { added: 0, removed: 0, canceled: 0, net: 0 };
  for (const { at, added, removed, canceled, total } of movements) {
    if (!isCounted(at)) continue;
    flow.added += added;
    flow.removed += removed;
    flow.canceled += canceled;
    flow.net += total;
  }
  return flow;
};

/** How the scope changed until `at`, that moment included. */
export const scopeChangeOf = (movements: readonly Movement[], startsAt: Instant | null, at: Instant): ScopeChange => {
  const beforeStart = flowOf(movements, (moment) => moment <= at && (startsAt === null || moment < startsAt));
  if (startsAt === null) return { beforeStart, afterStart: null, changeRate: null };
  const afterStart = flowOf(movements, (moment) => moment <= at && moment >= startsAt);
  return { beforeStart, afterStart, changeRate: beforeStart.net > 0 ? afterStart.net / beforeStart.net : null };
};

/** All that an analysis is made of, of one release. */
export interface ReleaseRecord {
  readonly id: string;
  readonly name: string;
  readonly startsAt: Instant | null;
  readonly shippedAt: Instant | null;
  readonly canceledAt: Instant | null;
  /** The issue events of this release, also of issues that have left it; those of one moment in the order they happened. */
  readonly events: readonly IssueEvent[];
  /** Finished deployments of its window that count. */
  readonly deployments: { readonly succeeded: number; readonly failed: number };
  readonly first: FirstDeployments;
}

/** A release whose events were gathered into what each moment changed. */
export interface GatheredRelease extends Omit<ReleaseRecord, 'events'> {
  readonly movements: readonly Movement[];
}

/** Gathers the events of a release. */
export const gatheredRelease = ({ events, ...release }: ReleaseRecord): GatheredRelease => ({
  ...release,
  movements: movementsOf(events),
});

/** How long a release took from its first counted deployment; durations in milliseconds. */
interface Lead {
  readonly firstDeploymentAt: Instant | null;
  readonly firstSuccessAt: Instant | null;
  /** The time until the end of the first successful one, in milliseconds; null: none succeeded yet. */
  readonly toFirstSuccess: number | null;
  /** The time until the release shipped, in milliseconds; null: it has not, or nothing was deployed before. */
  readonly toShipping: number | null;
}

/** One release in numbers that compare with those of others. */
export interface ReleaseSummary {
  readonly id: string;
  readonly name: string;
  readonly startsAt: Instant | null;
  readonly shippedAt: Instant | null;
  /** From the window's start to shipping, in milliseconds; null: it has not shipped, or has no window. */
  readonly duration: number | null;
  readonly issues: { readonly done: number; readonly total: number };
  readonly bugs: { readonly open: number; readonly total: number };
  readonly scope: ScopeChange;
  readonly deployments: { readonly succeeded: number; readonly failed: number };
  readonly lead: Lead;
}

const between = (from: Instant | null, to: Instant | null): number | null =>
  from === null || to === null ? null : Math.max(0, to - from);

const leadOf = ({ first, shippedAt }: GatheredRelease): Lead => ({
  firstDeploymentAt: first.startedAt,
  firstSuccessAt: first.succeededAt,
  toFirstSuccess: between(first.startedAt, first.succeededAt),
  toShipping: between(first.startedAt, shippedAt),
});

/** The release with its issues as of that moment, the moment itself included. */
export const releaseSummary = (release: GatheredRelease, at: Instant): ReleaseSummary => {
  const { id, name, startsAt, shippedAt, deployments, movements } = release;
  const { done, total, bugs, openBugs } = standingAt(movements, at);
  return {
    id,
    name,
    startsAt,
    shippedAt,
    duration: between(startsAt, shippedAt),
    issues: { done, total },
    bugs: { open: openBugs, total: bugs },
    scope: scopeChangeOf(movements, startsAt, at),
    deployments,
    lead: leadOf(release),
  };
};

/** What part of a release's history is asked for. */
export interface AskedProgress {
  /** null: from the first thing that happened, the window's start included. */
  readonly from: Instant | null;
  /** null: until the release was shipped or canceled, else until now. */
  readonly to: Instant | null;
  readonly step: ProgressStep;
}

/** The analysis of a release, beside the releases that shipped before it. */
export interface ReleaseAnalysis {
  /** The moment at which the progress ends and of which the summary is; never later than now. */
  readonly asOf: Instant;
  readonly step: ProgressStep;
  readonly points: readonly ProgressPoint[];
  readonly release: ReleaseSummary;
  /** In the order given, each as it was when it shipped. */
  readonly earlier: readonly ReleaseSummary[];
}

/**
 * Analyses a release from the history of its issues: progress, scope change, open bugs, and its lead. No part of the score.
 *
 * Pure, synchronous and total: the same arguments give the same analysis; no argument is changed, frozen ones are fine, and the
 * result is read-only by its type. What happened after `asOf` is not in it.
 *
 * @param now in milliseconds since 1970; no analysis goes beyond it
 * @param earlier releases to compare with
 */
export const analyseRelease = (
  release: ReleaseRecord,
  asked: AskedProgress,
  now: Instant,
  earlier: readonly ReleaseRecord[] = [],
): ReleaseAnalysis => ({
  ...analyseGathered(gatheredRelease(release), asked, now),
  earlier: earlier.map((one) => releaseSummary(gatheredRelease(one), one.shippedAt ?? now)),
});

/** The same for a release whose events were gathered already, beside no other. */
export const analyseGathered = (
  release: GatheredRelease,
  asked: AskedProgress,
  now: Instant,
): Omit<ReleaseAnalysis, 'earlier'> => {
  const { movements } = release;
  const asOf = Math.min(asked.to ?? release.shippedAt ?? release.canceledAt ?? now, now);
  const begun = Math.min(movements[0]?.at ?? asOf, release.startsAt ?? asOf);
  const from = Math.min(asked.from ?? begun, asOf);
  return {
    asOf,
    step: asked.step,
    points: progressOf(movements, asked.step, { from, at: asOf }),
    release: releaseSummary(release, asOf),
  };
};
