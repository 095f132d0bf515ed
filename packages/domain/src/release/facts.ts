import { type AssessOptions, assessRelease } from '../readiness/assess-release.js';
import type { ReleaseFacts } from '../readiness/facts.js';
import type { CountingRules, PolicyVersion } from '../readiness/policy.js';
import type { GateDecision, ReadinessReport, Reason } from '../readiness/report.js';
import { lastTimeLimit, nextTimeLimit } from '../readiness/time-limits.js';
import type { Waiver } from '../readiness/waiver.js';
import type { Instant } from '../time.js';
import type { Release } from './release.js';

/** How far a release has changed: `revision` counts every change of anything its report is made of. */
export interface ReleaseRevision {
  readonly revision: number;
  readonly changedAt: Instant;
}

/** The same of a project's active release. */
export interface ActiveRevision extends ReleaseRevision {
  readonly releaseId: string;
}

/** All that a release's report is made of, as one consistent reading. */
export interface ReleaseInputs {
  readonly release: Release;
  readonly project: { readonly id: string; readonly teamId: string; readonly name: string };
  readonly facts: ReleaseFacts;
  readonly policy: PolicyVersion;
  /**
   * The waivers that are not withdrawn, oldest first (createdAt, then id); expired ones too, since a passed expiry is a time
   * limit of the report.
   */
  readonly waivers: readonly Waiver[];
  readonly revision: ReleaseRevision;
}

export interface ReleaseFactsStore {
  /** In the order asked; undefined where there is no such release. One round trip for any number of releases. */
  factsFor(releaseIds: readonly string[]): Promise<readonly (ReleaseInputs | undefined)[]>;
  /**
   * The same facts as another policy would count them: which deployments and which test runs there are. In the order asked;
   * undefined where there is no such release. One round trip for any number of releases.
   */
  factsUnder(releaseIds: readonly string[], rules: CountingRules): Promise<readonly (ReleaseFacts | undefined)[]>;
  /** In the order asked; the cheapest way to learn that nothing changed. One query for any number. */
  revisions(releaseIds: readonly string[]): Promise<readonly (ReleaseRevision | undefined)[]>;
  /** The same of projects' active releases; undefined where none is active. One query for any number. */
  activeRevisions(projectIds: readonly string[]): Promise<readonly (ActiveRevision | undefined)[]>;
}

/** The report of a release as of a moment. */
export const reportAsOf = (
  { facts, policy, waivers }: ReleaseInputs,
  asOf: Instant,
  options?: AssessOptions,
): ReadinessReport => assessRelease(facts, policy.policy, asOf, waivers, options);

/** The moment since which the report reads as it does at `now`: the last change or the last time limit passed since. */
export const readsSince = ({ facts, policy, waivers, revision }: ReleaseInputs, now: Instant): Instant =>
  Math.max(revision.changedAt, lastTimeLimit(facts, policy.policy, waivers, now) ?? revision.changedAt);

/** The report at `now`; without a change in between, two reports are the same to the byte. */
export const liveReport = (inputs: ReleaseInputs, now: Instant, options?: AssessOptions): ReadinessReport =>
  reportAsOf(inputs, readsSince(inputs, now), options);

/** The first moment after `now` at which the report changes by time alone; null: it never will. */
export const readsUntil = ({ facts, policy, waivers }: ReleaseInputs, now: Instant): Instant | null =>
  nextTimeLimit(facts, policy.policy, waivers, now);

/** A release's report in short. */
export interface Standing {
  readonly asOf: Instant;
  readonly score: number | null;
  readonly coverage: number;
  readonly decision: GateDecision;
  readonly decisionWithoutWaivers: GateDecision;
  /** How many waivers apply. */
  readonly waivers: number;
  /** The first reason that is not waived; null: there is none. */
  readonly reason: Reason | null;
}

/** A standing, and how long it stays true. */
export interface KnownStanding extends Standing {
  /** The release's revision it was read at. */
  readonly revision: number;
  /** The first moment at which it changes by time alone; null: it changes by nothing but a new revision. */
  readonly until: Instant | null;
}

/** A cache of releases' standings by id; may forget any of them at any time. */
export interface KeptStandings {
  get(releaseId: string): KnownStanding | undefined;
  set(releaseId: string, standing: KnownStanding): unknown;
}

/** The standing of a release at `now`. */
export const standingOf = (inputs: ReleaseInputs, now: Instant): KnownStanding => {
  const { asOf, score, coverage, gate } = liveReport(inputs, now, { nextSteps: false });
  return {
    asOf,
    score,
    coverage,
    decision: gate.decision,
    decisionWithoutWaivers: gate.decisionWithoutWaivers,
    waivers: gate.waivers.length,
    reason: gate.reasons.find(({ waived }) => !waived) ?? null,
    revision: inputs.revision.revision,
    until: readsUntil(inputs, now),
  };
};

/** Whether a kept standing is still valid at `now` for a release of that revision. */
export const stillStands = (known: KnownStanding, revision: number | undefined, now: Instant): boolean =>
  known.revision === revision && (known.until === null || now < known.until);
