import { isMet, type Line } from '../measure/line.js';

/** A paragraph for each aim that was missed: why, and what would reach it; lines that miss for the same reason share one. */
export const whyMissed = (lines: readonly Line[]): readonly string[] => {
  const byReason = new Map<string, Line[]>();
  for (const line of lines) {
    if (isMet(line)) continue;
    const reason = line.whyMissed ?? 'not known yet.';
    byReason.set(reason, [...(byReason.get(reason) ?? []), line]);
  }
  return [...byReason].map(
    ([reason, missed]) => `**Missed (${missed.map(({ what }) => what).join('; ')}):** ${reason}`,
  );
};
