import type { Outcome } from '../report-counts.js';
import { laterOf, momentOf } from '../report-time.js';
import type { JsonFormat } from './json-format.js';
import type { JsonPath } from './json-walk.js';

const OUTCOMES: ReadonlyMap<unknown, Outcome> = new Map<unknown, Outcome>([
  ['passed', 'passed'],
  ['focused', 'passed'],
  ['failed', 'failed'],
  ['pending', 'skipped'],
  ['skipped', 'skipped'],
  ['disabled', 'skipped'],
  ['todo', 'skipped'],
]);

const isFile = ({ length, 0: list, 1: index }: JsonPath): boolean =>
  length === 2 && list === 'testResults' && typeof index === 'number';
const isTest = ({ length, 0: list, 2: tests, 3: index }: JsonPath): boolean =>
  length === 4 && list === 'testResults' && tests === 'assertionResults' && typeof index === 'number';

/**
 * Jest's json, which vitest writes too: one entry for each test, with its last attempt's status (invocations says how many there
 * were). A file that failed although none of its tests did could not be loaded, or a hook failed: one error.
 */
export const jestFormat: JsonFormat = {
  name: 'jest',
  list: ['testResults'],
  read: (tally) => {
    let status: unknown;
    let file = { status: undefined as unknown, failed: 0 };
    let [startedAt, ranAt]: (number | undefined)[] = [];
    let wentWrong = false;
    const inRoot = (name: unknown, value: unknown) => {
      if (name === 'startTime') startedAt = momentOf(value);
      if (name === 'success') wentWrong ||= value === false;
      if (name === 'wasInterrupted') wentWrong ||= value === true;
    };
    const closeTest = () => {
      const outcome = OUTCOMES.get(status) ?? 'errored';
      if (outcome === 'failed' || outcome === 'errored') file.failed += 1;
      tally.add(outcome);
    };
    return {
      open: (path) => {
        if (isFile(path)) file = { status: undefined, failed: 0 };
        else if (isTest(path)) status = undefined;
      },
      value: (path, value) => {
        const name = path.at(-1);
        if (path.length === 1) inRoot(name, value);
        else if (path.length === 3 && path[0] === 'testResults' && name === 'status') file.status = value;
        else if (path.length === 3 && path[0] === 'testResults' && name === 'endTime')
          ranAt = laterOf(ranAt, momentOf(value));
        else if (path.length === 5 && name === 'status' && isTest(path.slice(0, 4))) status = value;
      },
      close: (path) => {
        if (isTest(path)) closeTest();
        else if (isFile(path) && file.status === 'failed' && file.failed === 0) tally.add('errored');
      },
      finish: () => {
        // Errors outside of any test, or a run that was stopped: not every test that was to run passed.
        if (wentWrong && tally.isClean && tally.total > 0) tally.add('errored');
        const took = startedAt === undefined || ranAt === undefined ? -1 : ranAt - startedAt;
        return { ranAt, durationSeconds: took >= 0 ? took / 1000 : undefined };
      },
    };
  },
};
