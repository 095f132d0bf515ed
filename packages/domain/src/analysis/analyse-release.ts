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
interface Following<Result> {
  readonly add: (movement: Movement) => void;
  /** What all that was added comes to. */
  readonly end: () => Result;
}

/** The result of a following that takes all movements without a pause. */
export const followAll = <Result>(movements: readonly Movement[], { add, end }: Following<Result>): Result => {
  movements.forEach(add);
  return end();
};

/** Follows the levels until a moment and the flows until then, the moment itself included. */
export const followStanding = (until: Instant): Following<Levels & Flows> => {
  const sum: MovementTotals = { ...NO_MOVEMENT };
  return {
    add: (movement) => {
      if (movement.at <= until) addTo(sum, movement);
    },
    end: () => sum,
  };
};

/** Follows the progress over spans that do not overlap, oldest first; what is before the first counts for its levels. */
export const followProgress = (spans: readonly Span[]): Following<readonly ProgressPoint[]> => {
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

/** Follows how the scope changes until a moment, that moment included. */
export const followScope = (startsAt: Instant | null, until: Instant): Following<ScopeChange> => {
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

/** A release whose events are followed as movements. */
export type FollowedRelease = Omit<ReleaseRecord, 'events'>;

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

const leadOf = ({ first, shippedAt }: FollowedRelease): Lead => ({
  firstDeploymentAt: first.startedAt,
  firstSuccessAt: first.succeededAt,
  toFirstSuccess: between(first.startedAt, first.succeededAt),
  toShipping: between(first.startedAt, shippedAt),
});

/** Follows a release until a moment, which is included: its issues are as of then. */
export const followSummary = (release: FollowedRelease, until: Instant): Following<ReleaseSummary> => {
  const { id, name, startsAt, shippedAt, deployments } = release;
  const standing = followStanding(until);
  const scope = followScope(startsAt, until);
  return {
    add: (movement) => {
      standing.add(movement);
      scope.add(movement);
    },
    end: () => {
      const { done, total, bugs, openBugs } = standing.end();
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
): ReleaseAnalysis => {
  const movements = movementsOf(release.events);
  return {
    ...followAll(movements, followAnalysis(release, movements, asked, now)),
    earlier: earlier.map((one) => followAll(movementsOf(one.events), followSummary(one, one.shippedAt ?? now))),
  };
};

/** Follows a release for its analysis beside no other. @param movements all that will be added, for where the points lie */
export const followAnalysis = (
  release: FollowedRelease,
  movements: readonly Movement[],
  asked: AskedProgress,
  now: Instant,
): Following<Omit<ReleaseAnalysis, 'earlier'>> => {
  const asOf = Math.min(asked.to ?? release.shippedAt ?? release.canceledAt ?? now, now);
  const begun = Math.min(movements[0]?.at ?? asOf, release.startsAt ?? asOf);
  const from = Math.min(asked.from ?? begun, asOf);
  const progress = followProgress(spansOf(asked.step, { from, at: asOf }, movements));
  const summary = followSummary(release, asOf);
  return {
    add: (movement) => {
      progress.add(movement);
      summary.add(movement);
    },
    end: () => ({ asOf, step: asked.step, points: progress.end(), release: summary.end() }),
  };
};
