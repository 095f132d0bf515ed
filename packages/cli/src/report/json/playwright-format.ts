import type { Outcome } from '../report-counts.js';
import { lengthOf, momentOf } from '../report-time.js';
import { headCount } from '../tally.js';
import { type JsonFormat, pathInWords } from './json-format.js';
import type { JsonPath } from './json-walk.js';

const OUTCOMES: ReadonlyMap<unknown, Outcome> = new Map<unknown, Outcome>([
  ['expected', 'passed'],
  ['flaky', 'passed'],
  ['unexpected', 'failed'],
  ['skipped', 'skipped'],
]);

/** Of which kind the list is that a path leads into, or to: suites, n, ..., specs, n, tests, n. */
const listOf = (path: JsonPath): 'suites' | 'specs' | 'tests' | undefined => {
  const last = path.length - (path.length % 2 === 0 ? 2 : 1);
  const list = path[last];
  if (list !== 'suites' && list !== 'specs' && list !== 'tests') return undefined;
  // Suites are in suites, specs in the last of them, tests in a spec.
  const suites = list === 'suites' ? last : list === 'specs' ? last - 2 : last - 4;
  if (list !== 'suites' && suites < 0) return undefined;
  if (list === 'tests' && path[last - 2] !== 'specs') return undefined;
  for (let at = 0; at <= suites; at += 2) if (path[at] !== 'suites') return undefined;
  for (let at = 1; at < path.length; at += 2) if (typeof path[at] !== 'number') return undefined;
  return list;
};

const isSpec = (path: JsonPath): boolean => path.length % 2 === 0 && listOf(path) === 'specs';
const isTest = (path: JsonPath): boolean => path.length % 2 === 0 && listOf(path) === 'tests';

/**
 * Playwright's json: one entry for each test and browser project, its attempts within it; flaky passed at last. What stands under
 * errors (a file that could not be loaded, the whole run's time-out) belongs to no test: one error each.
 */
export const playwrightFormat: JsonFormat = {
  name: 'playwright',
  list: ['suites'],
  shape: (path) => {
    if (path[0] === 'errors' && path.length <= 2) return path.length === 1 ? 'list' : 'object';
    return path.length === 0 || listOf(path) === undefined ? undefined : path.length % 2 === 0 ? 'object' : 'list';
  },
  read: (tally, refuse) => {
    let claimed = 0;
    let hasTests = false;
    let status: unknown;
    let [startedAt, took]: (number | undefined)[] = [];
    return {
      open: (path) => {
        if (path.length === 2 && path[0] === 'errors') tally.add('errored');
        else if (isTest(path)) status = undefined;
        else if (isSpec(path)) hasTests = false;
        else if (path.at(-1) === 'tests' && listOf(path) === 'tests') hasTests = true;
      },
      value: (path, value) => {
        const name = path.at(-1);
        if (name === 'status' && isTest(path.slice(0, -1))) status = value;
        else if (path.length === 2 && path[0] === 'stats' && name === 'unexpected') claimed = headCount(value);
        else if (path.length === 2 && path[0] === 'stats' && name === 'startTime') startedAt = momentOf(value);
        else if (path.length === 2 && path[0] === 'stats' && name === 'duration') took = lengthOf(value);
      },
      close: (path) => {
        if (!hasTests && isSpec(path)) refuse(`is not as its format has it: ${pathInWords(path)} has no list tests`);
        if (!isTest(path)) return;
        const outcome = OUTCOMES.get(status);
        if (outcome === undefined) tally.addUnknown(status);
        else tally.add(outcome);
        if (status === 'flaky') tally.excused += 1;
      },
      finish: () => {
        tally.claim(claimed);
        return {
          durationSeconds: took === undefined ? undefined : took / 1000,
          ranAt: startedAt === undefined || took === undefined ? undefined : Math.round(startedAt + took),
        };
      },
    };
  },
};
