import type { TestCounts } from '@shipworthy/test-reports';
import { countOf } from '../../../wording/numbers.js';

/** The counts that a report of a test run needs. */
export interface RunCounts {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped?: number;
}

/** Counts as a person entered them, or what is wrong with each. */
export type Entered =
  | { readonly counts: RunCounts }
  | { readonly counts: null; readonly wrong: { readonly total?: string; readonly passed?: string } };

const MOST = 2_147_483_647;
const UNREADABLE = 'Enter a whole number.';

const wholeNumber = (text: string): number | null => {
  const trimmed = text.trim();
  return /^\d{1,10}$/.test(trimmed) && Number(trimmed) <= MOST ? Number(trimmed) : null;
};

/** Reads what was entered; tests that did not pass count as failed. */
export const enteredCounts = (totalText: string, passedText: string): Entered => {
  const [total, passed] = [wholeNumber(totalText), wholeNumber(passedText)];
  if (total === null || passed === null || total === 0)
    return {
      counts: null,
      wrong: {
        ...(total === null ? { total: UNREADABLE } : total === 0 ? { total: 'At least one test must have run.' } : {}),
        ...(passed === null ? { passed: UNREADABLE } : {}),
      },
    };
  if (passed > total) return { counts: null, wrong: { passed: `More than the ${countOf(total, 'test')} that ran.` } };
  return { counts: { total, passed, failed: total - passed } };
};

/** The values of a report besides its counts, in the form of the API. */
export const timesOf = ({ skipped, durationSeconds, ranAt }: TestCounts) => ({
  skipped,
  ...(durationSeconds === undefined ? {} : { duration_seconds: durationSeconds }),
  ...(ranAt === undefined ? {} : { ran_at: new Date(ranAt).toISOString() }),
});
