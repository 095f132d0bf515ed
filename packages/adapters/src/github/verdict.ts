import { createHash } from 'node:crypto';
import type { Instant } from '@shipworthy/domain';

/** How a check ended, and when; `conclusion` in the words of either interface, in any case. */
export interface Conclusion {
  readonly id: string;
  readonly conclusion: string | null;
  readonly completedAt: Instant;
}

const FAILED = new Set(['failure', 'timed_out', 'startup_failure', 'action_required']);

/** Conclusions counted like tests. What was canceled, skipped or overtaken, and what is neutral, says neither. */
export interface Verdict {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** When the last of them finished. */
  readonly ranAt: Instant;
}

/** The verdict of at least one conclusion; undefined for none. */
export const verdictOf = (conclusions: readonly Conclusion[]): Verdict | undefined => {
  if (conclusions.length === 0) return undefined;
  const words = conclusions.map(({ conclusion }) => conclusion?.toLowerCase() ?? '');
  const passed = words.filter((word) => word === 'success').length;
  const failed = words.filter((word) => FAILED.has(word)).length;
  return {
    passed,
    failed,
    skipped: words.length - passed - failed,
    ranAt: conclusions.reduce((last, { completedAt }) => Math.max(last, completedAt), 0),
  };
};

/** Names what was concluded: the same for the same conclusions in any order, another one once a check has run again. */
export const digestOf = (conclusions: readonly Conclusion[]): string => {
  const lines = conclusions.map(({ id, conclusion, completedAt }) => `${id} ${conclusion} ${completedAt}`);
  return createHash('sha256').update(lines.sort().join('\n'), 'utf8').digest('hex').slice(0, 16);
};
