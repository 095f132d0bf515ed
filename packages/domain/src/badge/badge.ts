import type { Instant } from '../instant.js';
import type { GateDecision, ReadinessReport } from '../readiness/readiness-report.js';

/** That a project shows its badge to whoever has the token; at most one of each project. */
export interface BadgeOptIn {
  readonly projectId: string;
  /** SHA-256, hexadecimal; the token itself is kept nowhere. */
  readonly tokenHash: string;
  readonly createdAt: Instant;
  readonly createdBy: string;
}

/** What a badge says. */
export interface Badge {
  readonly message: string;
  /** null: no release is active. */
  readonly decision: GateDecision | null;
}

/** A score 0-100 with one decimal, rounded down, as scores are everywhere; they come with two at most. */
const oneDecimal = (score: number): string => (Math.floor(Math.round(score * 100) / 10) / 10).toFixed(1);

/** The badge of the active release with that report: its name, the decision, and the score where there is one. */
export const badgeOf = (name: string, { score, gate }: Pick<ReadinessReport, 'score' | 'gate'>): Badge => ({
  message: `${name}: ${gate.decision}${score === null ? '' : ` ${oneDecimal(score)}`}`,
  decision: gate.decision,
});

/** The badge of a project of which no release is active. */
export const NO_RELEASE_BADGE: Badge = { message: 'no active release', decision: null };
