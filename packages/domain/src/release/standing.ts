import type { Instant } from '../instant.js';
import type { GateDecision, Reason } from '../readiness/readiness-report.js';
import { liveReport, readsUntil } from './live-report.js';
import type { ReleaseDossier } from './release-facts-store.js';

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

/** What is known of releases' standings, by their ids; may forget any of them at any time. */
export interface KeptStandings {
  get(releaseId: string): KnownStanding | undefined;
  set(releaseId: string, standing: KnownStanding): unknown;
}

/** The standing of a release at `now`. */
export const standingOf = (dossier: ReleaseDossier, now: Instant): KnownStanding => {
  const { asOf, score, coverage, gate } = liveReport(dossier, now, { nextSteps: false });
  return {
    asOf,
    score,
    coverage,
    decision: gate.decision,
    decisionWithoutWaivers: gate.decisionWithoutWaivers,
    waivers: gate.waivers.length,
    reason: gate.reasons.find(({ waived }) => !waived) ?? null,
    revision: dossier.revision.revision,
    until: readsUntil(dossier, now),
  };
};

/** Whether a standing is still that of a release at `now` which has that revision. */
export const stillStands = (known: KnownStanding, revision: number | undefined, now: Instant): boolean =>
  known.revision === revision && (known.until === null || now < known.until);
