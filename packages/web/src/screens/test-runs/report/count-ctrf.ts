import { BrokenReport } from './broken-report.js';
import { Doubts } from './doubts.js';
import { countsOf, type Outcome, type ReportCounts } from './report-counts.js';
import { momentOf } from './report-time.js';

const OUTCOMES: ReadonlyMap<unknown, Outcome> = new Map<unknown, Outcome>([
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['skipped', 'skipped'],
  ['pending', 'skipped'],
  ['other', 'errored'],
]);

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

const outcomeOf = (test: Members, doubts: Doubts): Outcome => {
  const outcome = OUTCOMES.get(test.status);
  if (outcome === undefined) doubts.noteUnknown(test.status);
  return outcome ?? 'errored';
};

/**
 * Counts CTRF (https://ctrf.io) by its tests: one entry each, with the status of the last attempt; `other` is an error. The summary
 * counts by the same words: failures and tests above the listed ones are errors. Throws BrokenReport.
 */
export const countCtrf = (report: unknown): ReportCounts => {
  const results = member(report, 'results');
  const tests = member(results, 'tests');
  if (!Array.isArray(tests)) throw new BrokenReport('is JSON, but no CTRF report: the list results.tests is missing');
  const doubts = new Doubts();
  const summary = member(results, 'summary');
  if (summary !== undefined && !isObject(summary))
    throw new BrokenReport('is not as its format has it: results.summary is no object');
  const head = (name: string) => doubts.countAtHead(name, member(summary, name));
  const [all, passed, failed, other] = [head('tests'), head('passed'), head('failed'), head('other')];
  const outcomes = tests.map((test: unknown, at) => {
    if (!isObject(test)) throw new BrokenReport(`is not as its format has it: results.tests[${at}] is no object`);
    return outcomeOf(test, doubts);
  });
  const skipped = outcomes.filter((outcome) => outcome === 'skipped').length;
  const ran = outcomes.length - skipped;
  const notPassed = outcomes.filter((outcome) => outcome === 'failed' || outcome === 'errored').length;
  doubts.compareWithHead(failed + other, { failed: notPassed }, { precise: true });
  doubts.compareTestsWithHead(all, { ran, skipped });
  doubts.compareTestsWithHead(passed + failed + other, { ran, skipped }, { ran: true });
  const [start, stop] = [momentOf(member(summary, 'start')), momentOf(member(summary, 'stop'))];
  const took = start === undefined || stop === undefined ? -1 : stop - start;
  const times = { durationSeconds: took >= 0 ? took / 1000 : undefined, ranAt: stop };
  return countsOf(outcomes, times, { errors: doubts.errors, doubts: doubts.sentences });
};
