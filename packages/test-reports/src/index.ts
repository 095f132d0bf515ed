export type { Measurement } from './measurement.js';
export { readCoverage, readLighthouse, readReport } from './read-report.js';
export { BrokenReport, REPORT_FORMATS, type ReportCounts, type ReportFormat, sumOf, type TestCounts } from './tally.js';
