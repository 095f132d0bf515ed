import { HeadCounts, type JsonFormat, type JsonPath } from './json-walk.js';
import { momentOf, type Outcome } from './tally.js';

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
 * CTRF (https://ctrf.io): one entry for each test, with its last attempt's status; the status `other` is an error.
 * Failures and tests that the summary counts and the list lacks are errors, too. A retried test that passed is no
 * failure in the summary.
 */
export const ctrfFormat: JsonFormat = {
  name: 'ctrf',
  list: ['results', 'tests'],
  shape: (path) => {
    if (path.length === 1 && path[0] === 'results') return 'object';
    if (path.length === 2 && path[0] === 'results' && path[1] === 'tests') return 'list';
    if (path.length === 2 && path[0] === 'results' && path[1] === 'summary') return 'object';
    return isTest(path) ? 'object' : undefined;
  },
  read: (tally) => {
    let status: unknown;
    const head = new HeadCounts(tally, ['results', 'summary'], ['tests', 'passed', 'failed', 'other']);
    let [start, stop]: (number | undefined)[] = [];
    return {
      open: (path, kind) => {
        if (isTest(path)) status = undefined;
        head.open(path, kind);
      },
      value: (path, value) => {
        head.value(path, value);
        if (path.length === 4 && path[3] === 'status' && isTest(path.slice(0, 3))) status = value;
        else if (path.length === 3 && path[0] === 'results' && path[1] === 'summary') {
          if (path[2] === 'start') start = momentOf(value);
          if (path[2] === 'stop') stop = momentOf(value);
        }
      },
      close: (path) => {
        if (!isTest(path)) return;
        const outcome = OUTCOMES.get(status);
        if (outcome === undefined) tally.addUnknown(status);
        else tally.add(outcome);
      },
      finish: () => {
        tally.compareWithHead(head.sumOf('failed', 'other'), { precise: true });
        tally.compareTestsWithHead(head.sumOf('tests'));
        tally.compareTestsWithHead(head.sumOf('passed', 'failed', 'other'), { ran: true });
        const took = start === undefined || stop === undefined ? -1 : stop - start;
        return { ranAt: stop, durationSeconds: took >= 0 ? took / 1000 : undefined };
      },
    };
  },
};
