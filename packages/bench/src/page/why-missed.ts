import { isMet, type Line } from '../measure/line.js';

/** What was missed, and why. */
interface Missed {
  readonly what: string;
  readonly whyMissed?: string;
}

/** A paragraph for each reason; what was missed for the same one shares it. */
export const reasonsOf = (missed: readonly Missed[]): readonly string[] => {
  const byReason = new Map<string, string[]>();
  for (const { what, whyMissed: reason = 'not known yet.' } of missed)
    byReason.set(reason, [...(byReason.get(reason) ?? []), what]);
  return [...byReason].map(([reason, names]) => `**Missed (${names.join('; ')}):** ${reason}`);
};

/** A paragraph for each aim that was missed: why, and what would reach it. */
export const whyMissed = (lines: readonly Line[]): readonly string[] => reasonsOf(lines.filter((line) => !isMet(line)));
