/** Formats a report can be in; vitest writes the shape of jest. */
export const REPORT_FORMATS = ['junit', 'ctrf', 'tap', 'mocha', 'jest', 'vitest', 'playwright'] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** What a test came to. `errored`: it ran, and neither passed nor failed. `skipped`: it did not run, or its result is not to count. */
export type Outcome = 'passed' | 'failed' | 'errored' | 'skipped';

/** What one report says, counted from its elements. */
export interface ReportCounts {
  readonly format: ReportFormat;
  /** Tests that ran: passed, failed and errored. */
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  /** Outside of the total. */
  readonly skipped: number;
  /** Why the report is not to be taken at its word, one sentence each; what it did not list counts as errors. Almost always none. */
  readonly doubts: readonly string[];
  /** Seconds, where the report says so. */
  readonly durationSeconds?: number;
  /** End of the run in milliseconds since the epoch, where the report says so without leaving the zone open. */
  readonly ranAt?: number;
}

/** Takes a report piece by piece. Both throw BrokenReport. */
export interface ReportReader {
  write(piece: string): void;
  end(): ReportCounts;
}

/** What a report may say about time. */
export interface ReportTimes {
  readonly durationSeconds?: number | undefined;
  readonly ranAt?: number | undefined;
}
