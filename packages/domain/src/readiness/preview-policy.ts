import { assessRelease } from './assess-release.js';
import type { ReleaseFacts } from './facts.js';
import type { Policy } from './policy.js';
import type { GateDecision } from './readiness-report.js';
import type { ReportBasis } from './what-if.js';

/** A release with all it was judged by, to be judged again. */
export interface RecordedRelease<Release> extends ReportBasis {
  readonly release: Release;
  /** The facts as the next policy counts them; missing: it counts them alike. */
  readonly factsUnderNext?: ReleaseFacts;
  readonly shipped: boolean;
  /** Deployments of its window that are known to have failed by now and count under the next policy. */
  readonly failedDeployments: number;
}

/** How a release stands: its score, 0-100 or null, and its decision, waivers heeded. */
export interface Judgement {
  readonly score: number | null;
  readonly decision: GateDecision;
}

/** One release under the policy it was judged by, and under the next one. */
export interface ReplayedRelease<Release> {
  readonly release: Release;
  readonly before: Judgement;
  readonly after: Judgement;
  /** Whether the decision is another one. */
  readonly flips: boolean;
}

export interface PolicyPreview<Release> {
  /** In the order given. */
  readonly releases: readonly ReplayedRelease<Release>[];
  /** How many decisions flip. */
  readonly flips: number;
  /** Those that shipped, have failed deployments and would be held by the next policy, in the order given. */
  readonly wouldHaveHeld: readonly Release[];
}

const judged = (facts: ReleaseFacts, policy: Policy, { asOf, waivers }: ReportBasis): Judgement => {
  const { score, gate } = assessRelease(facts, policy, asOf, waivers, { nextSteps: false });
  return { score, decision: gate.decision };
};

/**
 * Judges every release again as if `next` had been its policy: with the same waivers, at the same moment. Pure; `next` is
 * valid by `policyFaults`.
 */
export const previewPolicy = <Release>(
  recorded: readonly RecordedRelease<Release>[],
  next: Policy,
): PolicyPreview<Release> => {
  const releases: ReplayedRelease<Release>[] = [];
  const wouldHaveHeld: Release[] = [];
  for (const one of recorded) {
    const { release, facts, policy, factsUnderNext = facts } = one;
    const before = judged(facts, policy, one);
    const after = judged(factsUnderNext, next, one);
    releases.push({ release, before, after, flips: before.decision !== after.decision });
    if (one.shipped && one.failedDeployments > 0 && after.decision === 'hold') wouldHaveHeld.push(release);
  }
  return { releases, flips: releases.filter(({ flips }) => flips).length, wouldHaveHeld };
};
