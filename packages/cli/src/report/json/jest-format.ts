import type { Outcome } from '../report-counts.js';
import { laterOf, momentOf } from '../report-time.js';
import { headCount } from '../tally.js';
import { type JsonFormat, pathInWords } from './json-format.js';
import type { JsonPath } from './json-walk.js';

const OUTCOMES: ReadonlyMap<unknown, Outcome> = new Map<unknown, Outcome>([
  ['passed', 'passed'],
  ['focused', 'passed'],
  ['failed', 'failed'],
  // A file that could not be loaded.
  ['error', 'errored'],
  ['pending', 'skipped'],
  ['skipped', 'skipped'],
  ['disabled', 'skipped'],
  ['todo', 'skipped'],
]);

/** What a file may say of itself; `focused`: not all of its tests were run. */
const FILE_STATUSES: ReadonlySet<unknown> = new Set(['passed', 'failed', 'skipped', 'pending', 'focused', undefined]);

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
  shape: (path) => {
    if (path.length === 1 && path[0] === 'testResults') return 'list';
    if (path.length === 3 && path[2] === 'assertionResults' && isFile(path.slice(0, 2))) return 'list';
    return isFile(path) || isTest(path) ? 'object' : undefined;
  },
  read: (tally, refuse) => {
    let test = { status: undefined as unknown, isRetried: false };
    let file = { status: undefined as unknown, failed: 0, hasTests: false };
    const head = { numFailedTests: 0, numRuntimeErrorTestSuites: 0, numFailedTestSuites: 0 };
    let [startedAt, ranAt]: (number | undefined)[] = [];
    let wentWrong = false;
    const inRoot = (name: unknown, value: unknown) => {
      if (name === 'numFailedTests' || name === 'numRuntimeErrorTestSuites' || name === 'numFailedTestSuites')
        head[name] = headCount(value);
      if (name === 'startTime') startedAt = momentOf(value);
      if (name === 'success') wentWrong ||= value === false;
      if (name === 'wasInterrupted') wentWrong ||= value === true;
    };
    const closeTest = () => {
      const outcome = OUTCOMES.get(test.status);
      if (outcome === undefined) tally.addUnknown(test.status);
      else tally.add(outcome);
      if (outcome === undefined || outcome === 'failed' || outcome === 'errored') file.failed += 1;
      if (outcome === 'passed' && test.isRetried) tally.excused += 1;
    };
    const closeFile = (path: JsonPath) => {
      if (!file.hasTests) refuse(`is not as its format has it: ${pathInWords(path)} has no list assertionResults`);
      if (!FILE_STATUSES.has(file.status)) tally.addUnknown(file.status, 'file');
      else if (file.status === 'failed' && file.failed === 0) tally.add('errored');
    };
    return {
      open: (path) => {
        if (isFile(path)) file = { status: undefined, failed: 0, hasTests: false };
        else if (isTest(path)) test = { status: undefined, isRetried: false };
        else if (path.length === 3 && path[2] === 'assertionResults') file.hasTests = true;
      },
      value: (path, value) => {
        const name = path.at(-1);
        if (path.length === 1) inRoot(name, value);
        else if (path.length === 3 && path[0] === 'testResults' && name === 'status') file.status = value;
        else if (path.length === 3 && path[0] === 'testResults' && name === 'endTime')
          ranAt = laterOf(ranAt, momentOf(value));
        else if (path.length === 5 && isTest(path.slice(0, 4))) {
          if (name === 'status') test.status = value;
          test.isRetried ||= name === 'invocations' && headCount(value) > 1;
        }
      },
      close: (path) => {
        if (isTest(path)) closeTest();
        else if (isFile(path)) closeFile(path);
      },
      finish: () => {
        tally.claim(Math.max(head.numFailedTests + head.numRuntimeErrorTestSuites, head.numFailedTestSuites));
        // Errors outside of any test, or a run that was stopped: not every test that was to run passed.
        if (wentWrong && tally.isClean && tally.total > 0) tally.add('errored');
        const took = startedAt === undefined || ranAt === undefined ? -1 : ranAt - startedAt;
        return { ranAt, durationSeconds: took >= 0 ? took / 1000 : undefined };
      },
    };
  },
};
