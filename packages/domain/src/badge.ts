import type { GateDecision, ReadinessReport } from './readiness/report.js';
import type { Instant } from './time.js';

/** A project's consent to show its badge to everyone who has the token; at most one of each project. */
export interface BadgeOptIn {
  readonly projectId: string;
  /** SHA-256, hexadecimal; the token itself is kept nowhere. */
  readonly tokenHash: string;
  readonly createdAt: Instant;
  readonly createdBy: string;
}

/** The text of a badge, and the decision that its color shows. */
export interface Badge {
  readonly message: string;
  /** null: no release is active. */
  readonly decision: GateDecision | null;
}

/** Formats a score (0-100, at most two decimals) with one decimal, rounded down like every score. */
const oneDecimal = (score: number): string => (Math.floor(Math.round(score * 100) / 10) / 10).toFixed(1);

const waivedBy = (count: number): string => (count === 0 ? '' : ` with ${count} ${count === 1 ? 'waiver' : 'waivers'}`);

/** How many of all axes with a weight are measured, as text; empty when all are. */
const partOf = ({ axes, ownAxes = [] }: Pick<ReadinessReport, 'axes' | 'ownAxes'>): string => {
  const counting = [...axes, ...ownAxes].filter(({ weight }) => weight > 0);
  const measured = counting.filter(({ state }) => state === 'measured').length;
  return measured === counting.length ? '' : `, ${measured} of ${counting.length} measured`;
};

/**
 * Makes the badge of the active release from its report: name, decision, how many waivers apply, score, and how many
 * axes are measured unless all are. An `unknown` decision is shown without a score.
 */
export const badgeOf = (name: string, report: Pick<ReadinessReport, 'score' | 'axes' | 'ownAxes' | 'gate'>): Badge => {
  const { score, gate } = report;
  const shown = score === null || gate.decision === 'unknown' ? '' : ` ${oneDecimal(score)}`;
  const message = `${name}: ${gate.decision}${waivedBy(gate.waivers.length)}${shown}${partOf(report)}`;
  return { message, decision: gate.decision };
};

/** The badge of a project of which no release is active. */
export const NO_RELEASE_BADGE: Badge = { message: 'no active release', decision: null };

export interface BadgeStore {
  /** Replaces the project's former badge, whose token stops working. */
  put(optIn: BadgeOptIn): Promise<void>;
  ofProject(projectId: string): Promise<BadgeOptIn | undefined>;
  /** Returns whether the project had a badge. */
  remove(projectId: string): Promise<boolean>;
}
