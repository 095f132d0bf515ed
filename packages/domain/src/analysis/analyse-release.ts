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

/** Takes the movements of a release one by one, in order, so that a caller may pause between two of them. */
interface Accumulator<Result> {
  readonly add: (movement: Movement) => void;
  /** Returns the result of all movements added. */
  readonly end: () => Result;
}

/** Adds all movements without a pause and returns the result. */
export const accumulateAll = <Result>(movements: readonly Movement[], { add, end }: Accumulator<Result>): Result => {
  movements.forEach(add);
  return end();
};

/** Computes the levels and flows from all movements up to and including `until`. */
export const accumulateTotals = (until: Instant): Accumulator<Levels & Flows> => {
  const sum: MovementTotals = { ...NO_MOVEMENT };
  return {
    add: (movement) => {
      if (movement.at <= until) addTo(sum, movement);
    },
    end: () => sum,
  };
};

/** Computes the progress over spans that do not overlap, oldest first. Earlier movements count in the levels only. */
export const accumulateProgress = (spans: readonly Span[]): Accumulator<readonly ProgressPoint[]> => {
  const points: ProgressPoint[] = [];
  const level: MovementTotals = { ...NO_MOVEMENT };
  let within: MovementTotals = { ...NO_MOVEMENT };
  const closeBefore = (moment: Instant): void => {
    for (let span = spans[points.length]; span !== undefined && span.at < moment; span = spans[points.length]) {
      const { added, removed, canceled, completed } = within;
      const { done, total, bugs, openBugs } = level;
      points.push({ ...span, done, total, bugs, openBugs, added, removed, canceled, completed });
      within = { ...NO_MOVEMENT };
    }
  };
  return {
    add: (movement) => {
      closeBefore(movement.at);
      addTo(level, movement);
      if (movement.at >= (spans[0]?.from ?? Number.POSITIVE_INFINITY)) addTo(within, movement);
    },
    end: () => {
      closeBefore(Number.POSITIVE_INFINITY);
      return points;
    },
  };
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

const addToFlow = (
  flow: { -readonly [count in keyof ScopeFlow]: number },
  { added, removed, canceled, total }: Movement,
): void => {
  flow.added += added;
  flow.removed += removed;
  flow.canceled += canceled;
  flow.net += total;
};

/** Computes the scope change up to and including `until`. `startsAt` null: the release has no window yet. */
export const accumulateScopeChange = (startsAt: Instant | null, until: Instant): Accumulator<ScopeChange> => {
  const beforeStart = { added: 0, removed: 0, canceled: 0, net: 0 };
  const afterStart = { ...beforeStart };
  return {
    add: (movement) => {
      if (movement.at > until) return;
      addToFlow(startsAt === null || movement.at < startsAt ? beforeStart : afterStart, movement);
    },
    end: () =>
      startsAt === null
        ? { beforeStart, afterStart: null, changeRate: null }
        : { beforeStart, afterStart, changeRate: beforeStart.net > 0 ? afterStart.net / beforeStart.net : null },
  };
};

/** Everything that an analysis reads of one release. */
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

/** A release without its events, which are added as movements. */
export type ReleaseWithoutEvents = Omit<ReleaseRecord, 'events'>;

/**
 * How long a release took from its first counted deployment; durations in milliseconds. All null where its first deployments
 * are not known any more.
 */
interface Lead {
  readonly firstDeploymentAt: Instant | null;
  readonly firstSuccessAt: Instant | null;
  /** From the first counted deployment to the end of the first success, in milliseconds; null: none succeeded yet. */
  readonly toFirstSuccess: number | null;
  /** From the first counted deployment to shipping, in milliseconds; null: not shipped, or nothing was deployed. */
  readonly toShipping: number | null;
}

/** The numbers of one release, comparable with those of other releases. */
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

const leadOf = ({ first, shippedAt }: ReleaseWithoutEvents): Lead => ({
  firstDeploymentAt: first.startedAt,
  firstSuccessAt: first.succeededAt,
  toFirstSuccess: between(first.startedAt, first.succeededAt),
  toShipping: between(first.startedAt, shippedAt),
});

/** Computes the summary of a release, its issues as of `until` (included). */
export const accumulateSummary = (release: ReleaseWithoutEvents, until: Instant): Accumulator<ReleaseSummary> => {
  const { id, name, startsAt, shippedAt, deployments } = release;
  const totals = accumulateTotals(until);
  const scope = accumulateScopeChange(startsAt, until);
  return {
    add: (movement) => {
      totals.add(movement);
      scope.add(movement);
    },
    end: () => {
      const { done, total, bugs, openBugs } = totals.end();
      return {
        id,
        name,
        startsAt,
        shippedAt,
        duration: between(startsAt, shippedAt),
        issues: { done, total },
        bugs: { open: openBugs, total: bugs },
        scope: scope.end(),
        deployments,
        lead: leadOf(release),
      };
    },
  };
};

/** What part of a release's history is asked for. */
export interface AskedProgress {
  /** null: from the first movement or the window's start, the earlier of the two. */
  readonly from: Instant | null;
  /** null: until the release was shipped or canceled, else until now. */
  readonly to: Instant | null;
  readonly step: ProgressStep;
}

/** The analysis of a release, beside the releases that shipped before it. */
export interface ReleaseAnalysis {
  /** The end of the progress, and the moment that the summary is of; never later than now. */
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
): ReleaseAnalysis => {
  const movements = movementsOf(release.events);
  return {
    ...accumulateAll(movements, accumulateAnalysis(release, movements, asked, now)),
    earlier: earlier.map((one) => accumulateAll(movementsOf(one.events), accumulateSummary(one, one.shippedAt ?? now))),
  };
};

/**
 * Computes the analysis of a release without earlier releases.
 * @param movements all that will be added: they decide where the points are
 */
export const accumulateAnalysis = (
  release: ReleaseWithoutEvents,
  movements: readonly Movement[],
  asked: AskedProgress,
  now: Instant,
): Accumulator<Omit<ReleaseAnalysis, 'earlier'>> => {
  const asOf = Math.min(asked.to ?? release.shippedAt ?? release.canceledAt ?? now, now);
  const begun = Math.min(movements[0]?.at ?? asOf, release.startsAt ?? asOf);
  const from = Math.min(asked.from ?? begun, asOf);
  const progress = accumulateProgress(spansOf(asked.step, { from, at: asOf }, movements));
  const summary = accumulateSummary(release, asOf);
  return {
    add: (movement) => {
      progress.add(movement);
      summary.add(movement);
    },
    end: () => ({ asOf, step: asked.step, points: progress.end(), release: summary.end() }),
  };
};
