/** What a test came to. `errored`: it ran, and neither passed nor failed. `skipped`: it did not run, or its result is not to count. */
export type Outcome = 'passed' | 'failed' | 'errored' | 'skipped';

/** What a report says of time, where it does: seconds, and the end of the run in milliseconds since the epoch. */
export interface ReportTimes {
  readonly durationSeconds?: number | undefined;
  readonly ranAt?: number | undefined;
}

/** What reports say, counted from their elements. */
export interface ReportCounts extends ReportTimes {
  /** Tests that ran: passed, failed and errored. */
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly errored: number;
  /** Outside of the total. */
  readonly skipped: number;
  /** Why the report is not to be taken at its word, one sentence each; what it did not list counts as errors. Almost always none. */
  readonly doubts: readonly string[];
}

/** What is counted of a report that does not list it: so many errors, and why. */
interface Unlisted {
  readonly errors: number;
  readonly doubts: readonly string[];
}

/** Counts outcomes, and what a report says without listing it. */
export const countsOf = (
  outcomes: Iterable<Outcome>,
  times: ReportTimes = {},
  { errors, doubts }: Unlisted = { errors: 0, doubts: [] },
): ReportCounts => {
  const counts: Record<Outcome, number> = { passed: 0, failed: 0, errored: errors, skipped: 0 };
  for (const outcome of outcomes) counts[outcome] += 1;
  return { ...counts, total: counts.passed + counts.failed + counts.errored, doubts, ...times };
};

const laterOf = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : other === undefined ? one : Math.max(one, other);

const added = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : one + (other ?? 0);

/** Several reports as one run: it took as long as all of them, and ended with the last one. */
export const sumOf = (reports: readonly ReportCounts[]): ReportCounts =>
  reports.reduce(
    (sum, one) => ({
      total: sum.total + one.total,
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      errored: sum.errored + one.errored,
      skipped: sum.skipped + one.skipped,
      doubts: [...sum.doubts, ...one.doubts],
      durationSeconds: added(sum.durationSeconds, one.durationSeconds),
      ranAt: laterOf(sum.ranAt, one.ranAt),
    }),
    countsOf([]),
  );
