import type { Outcome } from '../report-counts.js';
import { momentOf } from '../report-time.js';
import { headCount } from '../tally.js';
import type { JsonFormat } from './json-format.js';
import type { JsonPath } from './json-walk.js';

const OUTCOMES: ReadonlyMap<unknown, Outcome> = new Map<unknown, Outcome>([
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['skipped', 'skipped'],
  ['pending', 'skipped'],
  ['other', 'errored'],
]);

const isTest = ({ length, 0: results, 1: tests, 2: index }: JsonPath): boolean =>
  length === 3 && results === 'results' && tests === 'tests' && typeof index === 'number';

/**
 * CTRF (https://ctrf.io): one entry for each test with its last attempt's status; the status other is an error. The summary counts
 * by the same words: failures above the listed ones are errors.
 */
export const ctrfFormat: JsonFormat = {
  name: 'ctrf',
  list: ['results', 'tests'],
  shape: (path) => {
    if (path.length === 1 && path[0] === 'results') return 'object';
    if (path.length === 2 && path[0] === 'results' && path[1] === 'tests') return 'list';
    return isTest(path) ? 'object' : undefined;
  },
  read: (tally) => {
    let test = { status: undefined as unknown, isRetried: false };
    let claimed = 0;
    let [start, stop]: (number | undefined)[] = [];
    return {
      open: (path) => {
        if (isTest(path)) test = { status: undefined, isRetried: false };
      },
      value: (path, value) => {
        if (path.length === 4 && isTest(path.slice(0, 3))) {
          if (path[3] === 'status') test.status = value;
          test.isRetried ||= (path[3] === 'flaky' && value === true) || (path[3] === 'retries' && headCount(value) > 0);
        } else if (path.length === 3 && path[0] === 'results' && path[1] === 'summary') {
          if (path[2] === 'start') start = momentOf(value);
          if (path[2] === 'stop') stop = momentOf(value);
          if (path[2] === 'failed' || path[2] === 'other') claimed += headCount(value);
        }
      },
      close: (path) => {
        if (!isTest(path)) return;
        const outcome = OUTCOMES.get(test.status);
        if (outcome === undefined) tally.addUnknown(test.status);
        else tally.add(outcome);
        if (outcome === 'passed' && test.isRetried) tally.excused += 1;
      },
      finish: () => {
        tally.claim(claimed, { precise: true });
        const took = start === undefined || stop === undefined ? -1 : stop - start;
        return { ranAt: stop, durationSeconds: took >= 0 ? took / 1000 : undefined };
      },
    };
  },
};
