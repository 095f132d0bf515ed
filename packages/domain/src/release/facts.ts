import { type AssessOptions, assessRelease } from '../readiness/assess-release.js';
import type { ReleaseFacts } from '../readiness/facts.js';
import { inHundredths } from '../readiness/numbers.js';
import type { CountingRules, PolicyVersion } from '../readiness/policy.js';
import type { GateDecision, ReadinessReport, Reason } from '../readiness/report.js';
import type { SilentSource } from '../readiness/silent-source.js';
import { lastTimeLimit, nextTimeLimit } from '../readiness/time-limits.js';
import type { Waiver } from '../readiness/waiver.js';
import { axisTitle, hundredthsText } from '../readiness/words.js';
import type { Instant } from '../time.js';
import type { Release } from './release.js';

/** How far a release has changed: `revision` counts every change of anything its report is made of. */
export interface ReleaseRevision {
  readonly revision: number;
  readonly changedAt: Instant;
}

/** The revision of a project's active release. */
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
   * The facts of the releases as another policy would count them: with other deployments, other test runs, or other
   * records for own axes. In the order asked; undefined where there is no such release. One round trip for any number
   * of releases.
   */
  factsUnder(releaseIds: readonly string[], rules: CountingRules): Promise<readonly (ReleaseFacts | undefined)[]>;
  /**
   * The revisions of the releases in the order asked; undefined where there is no such release. The cheapest way to
   * learn that nothing changed: one query for any number.
   */
  revisions(releaseIds: readonly string[]): Promise<readonly (ReleaseRevision | undefined)[]>;
  /**
   * The revisions of the projects' active releases in the order asked; undefined where none is active. One query for
   * any number.
   */
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
  /** The reason to begin with (see `mainReasonOf`); null: there is none. */
  readonly mainReason: Reason | null;
  /** How many reasons are not waived. */
  readonly openReasons: number;
  readonly silentSources: readonly SilentSource['source'][];
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
  const report = liveReport(inputs, now, { nextSteps: false });
  const { asOf, score, coverage, gate, silentSources = [] } = report;
  const open = gate.reasons.filter(({ waived }) => !waived);
  return {
    asOf,
    score,
    coverage,
    decision: gate.decision,
    decisionWithoutWaivers: gate.decisionWithoutWaivers,
    waivers: gate.waivers.length,
    reason: open[0] ?? null,
    mainReason: mainReasonOf(report, open),
    openReasons: open.length,
    silentSources: silentSources.map(({ source }) => source),
    revision: inputs.revision.revision,
    until: readsUntil(inputs, now),
  };
};

/** By how much an axis misses its minimum. */
const shortfall = ({ actual, required }: Reason): number => (required ?? 0) - (actual ?? 0);

/**
 * The reason to begin with, among those that are not waived: the axis that misses its minimum by most, else open critical
 * bugs, else the score with the measured axis that costs most of it, else what is not measured. A score mostly is too low
 * because of an axis, and what is not measured matters only where nothing measured fails.
 */
const mainReasonOf = (report: ReadinessReport, open: readonly Reason[]): Reason | null => {
  const below = open.filter(({ code }) => code === 'axis_below_minimum');
  const [worst] = below.toSorted((a, b) => shortfall(b) - shortfall(a));
  if (worst !== undefined) return worst;
  const bugs = open.find(({ code }) => code === 'open_critical_bugs');
  if (bugs !== undefined) return bugs;
  const score = open.find(({ code }) => code === 'score_below_threshold');
  return score === undefined ? (open[0] ?? null) : { ...score, message: `${score.message}${costliestText(report)}` };
};

/** `; Ops at 33.33 costs most`: ends the sentence about a score that is too low. */
const costliestText = ({ axes, ownAxes = [] }: ReadinessReport): string => {
  let most = 0;
  let text = '';
  for (const reading of [...axes, ...ownAxes]) {
    if (reading.state !== 'measured') continue;
    const cost = reading.weight * (100 - reading.score);
    if (cost <= most) continue;
    const title = 'title' in reading ? reading.title : axisTitle(reading.axis);
    [most, text] = [cost, `; ${title} at ${hundredthsText(inHundredths(reading.score))} costs most`];
  }
  return text;
};

/** Whether a kept standing is still valid at `now` for a release of that revision. */
export const isStandingValid = (known: KnownStanding, revision: number | undefined, now: Instant): boolean =>
  known.revision === revision && (known.until === null || now < known.until);
