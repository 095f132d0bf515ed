import { DEFAULT_POLICY, judgeRelease, type ReleaseFacts } from '@shipworthy/domain/readiness';

/** The text of a badge: "hold 98", or "unknown" where nothing is measured. */
export const badgeText = (facts: ReleaseFacts, asOf: number): string => {
  const { score, gate } = judgeRelease(facts, DEFAULT_POLICY, asOf);
  return score === null ? gate.decision : `${gate.decision} ${score}`;
};
