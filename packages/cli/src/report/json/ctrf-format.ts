import type { Outcome } from '../report-counts.js';
import { momentOf } from '../report-time.js';
import type { JsonFormat } from './json-format.js';
import type { JsonPath } from './json-walk.js';

const OUTCOMES: ReadonlyMap<unknown, Outcome> = new Map<unknown, Outcome>([
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['skipped', 'skipped'],
  ['pending', 'skipped'],
]);

const isTest = ({ length, 0: results, 1: tests, 2: index }: JsonPath): boolean =>
  length === 3 && results === 'results' && tests === 'tests' && typeof index === 'number';

/** CTRF (https://ctrf.io): one entry for each test with its last attempt's status; the status other is an error. */
export const ctrfFormat: JsonFormat = {
  name: 'ctrf',
  list: ['results', 'tests'],
  read: (tally) => {
    let status: unknown;
    let [start, stop]: (number | undefined)[] = [];
    return {
      open: (path) => {
        if (isTest(path)) status = undefined;
      },
      value: (path, value) => {
        if (path.length === 4 && path[3] === 'status' && isTest(path.slice(0, 3))) status = value;
        else if (path.length === 3 && path[0] === 'results' && path[1] === 'summary') {
          if (path[2] === 'start') start = momentOf(value);
          if (path[2] === 'stop') stop = momentOf(value);
        }
      },
      close: (path) => {
        if (isTest(path)) tally.add(OUTCOMES.get(status) ?? 'errored');
      },
      finish: () => {
        const took = start === undefined || stop === undefined ? -1 : stop - start;
        return { ranAt: stop, durationSeconds: took >= 0 ? took / 1000 : undefined };
      },
    };
  },
};
