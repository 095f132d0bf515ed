import { REPORT_FORMATS, type ReportFormat } from './report-counts.js';

/** What `tests record` and `tests run` are told of the run. */
export interface RecordOptions {
  readonly format: ReportFormat | 'auto';
  readonly suite?: string | undefined;
  readonly release?: string | undefined;
  readonly commit?: string | undefined;
  readonly url?: string | undefined;
  readonly allowEmpty?: boolean | undefined;
  readonly strictReport?: boolean | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** What `--format` may be. */
export const FORMAT_CHOICES = ['auto', ...REPORT_FORMATS] as const;
