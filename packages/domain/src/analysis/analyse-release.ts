import type { Instant } from '../instant.js';
import { type ProgressPoint, progressOf } from './progress.js';
import {
  type GatheredRelease,
  gatheredRelease,
  type ReleaseRecord,
  type ReleaseSummary,
  releaseSummary,
} from './release-summary.js';
import type { Step } from './span.js';

/** What part of a release's history is asked for. */
export interface AskedProgress {
  /** null: from the first thing that happened, the window's start included. */
  readonly from: Instant | null;
  /** null: until the release was shipped or canceled, else until now. */
  readonly to: Instant | null;
  readonly step: Step;
}

/** How a release came to be what it is, beside those that shipped before it. */
export interface ReleaseAnalysis {
  /** The moment the progress ends with and the summary stands on; never later than now. */
  readonly asOf: Instant;
  readonly step: Step;
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
