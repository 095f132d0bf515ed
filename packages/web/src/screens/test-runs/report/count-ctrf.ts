import { BrokenReport } from './broken-report.js';
import { countsOf, type Outcome, type ReportCounts } from './report-counts.js';
import { momentOf } from './report-time.js';

const OUTCOMES: ReadonlyMap<unknown, Outcome> = new Map<unknown, Outcome>([
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['skipped', 'skipped'],
  ['pending', 'skipped'],
]);

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

/** Counts CTRF (https://ctrf.io) by its tests: one entry each, with the status of the last attempt; `other` is an error. */
export const countCtrf = (report: unknown): ReportCounts => {
  const results = member(report, 'results');
  const tests = member(results, 'tests');
  if (!Array.isArray(tests)) throw new BrokenReport('is JSON, but no CTRF report: the list results.tests is missing');
  const summary = member(results, 'summary');
  const [start, stop] = [momentOf(member(summary, 'start')), momentOf(member(summary, 'stop'))];
  const took = start === undefined || stop === undefined ? -1 : stop - start;
  return countsOf(
    tests.map((test) => OUTCOMES.get(member(test, 'status')) ?? 'errored'),
    { durationSeconds: took >= 0 ? took / 1000 : undefined, ranAt: stop },
  );
};
