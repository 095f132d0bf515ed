import type { FirstDeployments } from '../deployment/deployment.js';
import type { Instant } from '../instant.js';
import type { IssueEvent } from '../issue/issue.js';
import { type Movement, movementsOf } from './movement.js';
import { standingAt } from './progress.js';
import { type ScopeChange, scopeChangeOf } from './scope-change.js';

/** All that an analysis is made of, of one release. */
export interface ReleaseRecord {
  readonly id: string;
  readonly name: string;
  readonly startsAt: Instant | null;
  readonly shippedAt: Instant | null;
  readonly canceledAt: Instant | null;
  /** Those of this release; of the same moment in the order they happened. Of issues that have left it too. */
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
export interface Lead {
  readonly firstDeploymentAt: Instant | null;
  readonly firstSuccessAt: Instant | null;
  /** Until the end of the first one that succeeded; null: none did yet. */
  readonly toFirstSuccess: number | null;
  /** Until the release shipped; null: it has not, or nothing was deployed before. */
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

/** The release as its issues stood at that moment, the moment itself included. */
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
