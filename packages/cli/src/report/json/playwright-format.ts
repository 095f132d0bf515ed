import type { Outcome } from '../report-counts.js';
import { lengthOf, momentOf } from '../report-time.js';
import type { JsonFormat } from './json-format.js';
import type { JsonPath } from './json-walk.js';

const OUTCOMES: ReadonlyMap<unknown, Outcome> = new Map<unknown, Outcome>([
  ['expected', 'passed'],
  ['flaky', 'passed'],
  ['unexpected', 'failed'],
  ['skipped', 'skipped'],
]);

/** Whether a path leads to a test: suites, n, ..., specs, n, tests, n. */
const isTest = (path: JsonPath): boolean => {
  const { length } = path;
  if (length < 6 || length % 2 === 1 || path[length - 2] !== 'tests' || path[length - 4] !== 'specs') return false;
  for (let at = 0; at < length - 4; at += 2) if (path[at] !== 'suites') return false;
  return typeof path[length - 1] === 'number';
};

/**
 * Playwright's json: one entry for each test and browser project, its attempts within it; flaky passed at last. What stands under
 * errors (a file that could not be loaded, the whole run's time-out) belongs to no test: one error each.
 */
export const playwrightFormat: JsonFormat = {
  name: 'playwright',
  list: ['suites'],
  read: (tally) => {
    let status: unknown;
    let [startedAt, took]: (number | undefined)[] = [];
    return {
      open: (path) => {
        if (path.length === 2 && path[0] === 'errors') tally.add('errored');
        else if (isTest(path)) status = undefined;
      },
      value: (path, value) => {
        const name = path.at(-1);
        if (name === 'status' && isTest(path.slice(0, -1))) status = value;
        else if (path.length === 2 && path[0] === 'stats' && name === 'startTime') startedAt = momentOf(value);
        else if (path.length === 2 && path[0] === 'stats' && name === 'duration') took = lengthOf(value);
      },
      close: (path) => {
        if (isTest(path)) tally.add(OUTCOMES.get(status) ?? 'errored');
      },
      finish: () => ({
        durationSeconds: took === undefined ? undefined : took / 1000,
        ranAt: startedAt === undefined || took === undefined ? undefined : Math.round(startedAt + took),
      }),
    };
  },
};
