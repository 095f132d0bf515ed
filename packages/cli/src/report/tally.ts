import type { Outcome, ReportCounts, ReportFormat, ReportTimes } from './report-counts.js';

/** Counts outcomes. */
export class Tally implements Record<Outcome, number> {
  passed = 0;
  failed = 0;
  errored = 0;
  skipped = 0;

  /** Tests that ran. */
  get total(): number {
    return this.passed + this.failed + this.errored;
  }

  /** Whether every test that ran passed. */
  get isClean(): boolean {
    return this.failed + this.errored === 0;
  }

  add(outcome: Outcome, times = 1): void {
    this[outcome] += times;
  }

  addAll(other: Tally): void {
    for (const outcome of ['passed', 'failed', 'errored', 'skipped'] as const) this[outcome] += other[outcome];
  }

  counts(format: ReportFormat, { durationSeconds, ranAt }: ReportTimes): ReportCounts {
    const { total, passed, failed, skipped } = this;
    return {
      format,
      total,
      passed,
      failed,
      skipped,
      ...(durationSeconds === undefined ? {} : { durationSeconds }),
      ...(ranAt === undefined ? {} : { ranAt }),
    };
  }
}
