export { readReport } from './read-report.js';
export { BrokenReport, REPORT_FORMATS, type ReportCounts, type ReportFormat, sumOf, type TestCounts } from './tally.js';
