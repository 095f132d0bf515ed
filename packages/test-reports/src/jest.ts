import { HeadCounts, type JsonFormat, type JsonLeaf, type JsonPath, pathInWords } from './json-walk.js';
import { laterOf, momentOf, type Outcome } from './tally.js';

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

/** The statuses a file may have; `focused`: not all of its tests were run. */
const FILE_STATUSES: ReadonlySet<unknown> = new Set(['passed', 'failed', 'skipped', 'pending', 'focused', undefined]);

const isFile = ({ length, 0: list, 1: index }: JsonPath): boolean =>
  length === 2 && list === 'testResults' && typeof index === 'number';
const isTest = ({ length, 0: list, 2: tests, 3: index }: JsonPath): boolean =>
  length === 4 && list === 'testResults' && tests === 'assertionResults' && typeof index === 'number';

/**
 * Jest's json, which vitest writes too: one entry for each test, with its last attempt's status. A failed file without
 * a failed test is one error: it could not be loaded, or a hook failed. `failureMessages` of a passed test are ignored:
 * vitest writes those of its earlier attempts.
 */
export const jestFormat: JsonFormat = {
  name: 'jest',
  list: ['testResults'],
  shape: (path) => {
    if (path.length === 1 && path[0] === 'testResults') return 'list';
    if (path.length === 1 && (path[0] === 'success' || path[0] === 'wasInterrupted')) return 'plain value';
    if (path.length === 3 && path[2] === 'status' && isFile(path.slice(0, 2))) return 'plain value';
    if (path.length === 3 && path[2] === 'assertionResults' && isFile(path.slice(0, 2))) return 'list';
    return isFile(path) || isTest(path) ? 'object' : undefined;
  },
  read: (tally, refuse) => {
    let testStatus: unknown;
    let file = { status: undefined as unknown, failed: 0, hasTests: false };
    const head = new HeadCounts(
      tally,
      [],
      ['numPassedTests', 'numFailedTests', 'numRuntimeErrorTestSuites', 'numFailedTestSuites'],
    );
    let [startedAt, ranAt]: (number | undefined)[] = [];
    let wentWrong = false;
    const readFlag = (name: string, value: JsonLeaf, wrong: boolean) => {
      if (typeof value === 'boolean') wentWrong ||= value === wrong;
      else tally.doubt(`${name} is "${String(value).slice(0, 40)}", which is not known`);
    };
    const inRoot = (name: unknown, value: JsonLeaf) => {
      if (name === 'startTime') startedAt = momentOf(value);
      if (name === 'success') readFlag(name, value, false);
      if (name === 'wasInterrupted') readFlag(name, value, true);
    };
    const closeTest = () => {
      const outcome = OUTCOMES.get(testStatus);
      if (outcome === undefined) tally.addUnknown(testStatus);
      else tally.add(outcome);
      if (outcome === undefined || outcome === 'failed' || outcome === 'errored') file.failed += 1;
    };
    const closeFile = (path: JsonPath) => {
      if (!file.hasTests) refuse(`is not as its format has it: ${pathInWords(path)} has no list assertionResults`);
      if (!FILE_STATUSES.has(file.status)) tally.addUnknown(file.status, 'file');
      else if (file.status === 'failed' && file.failed === 0) tally.add('errored');
    };
    return {
      open: (path, kind) => {
        head.open(path, kind);
        if (isFile(path)) file = { status: undefined, failed: 0, hasTests: false };
        else if (isTest(path)) testStatus = undefined;
        else if (path.length === 3 && path[2] === 'assertionResults') file.hasTests = true;
      },
      value: (path, value) => {
        const name = path.at(-1);
        head.value(path, value);
        if (path.length === 1) inRoot(name, value);
        else if (path.length === 3 && path[0] === 'testResults' && name === 'status') file.status = value;
        else if (path.length === 3 && path[0] === 'testResults' && name === 'endTime')
          ranAt = laterOf(ranAt, momentOf(value));
        else if (path.length === 5 && name === 'status' && isTest(path.slice(0, 4))) testStatus = value;
      },
      close: (path) => {
        if (isTest(path)) closeTest();
        else if (isFile(path)) closeFile(path);
      },
      finish: () => {
        tally.compareWithHead(
          Math.max(head.sumOf('numFailedTests', 'numRuntimeErrorTestSuites'), head.sumOf('numFailedTestSuites')),
        );
        tally.compareTestsWithHead(head.sumOf('numPassedTests', 'numFailedTests'), { ran: true });
        // The run had an error outside of any test, or was stopped: an error, unless one is counted already.
        if (wentWrong && tally.total === 0) tally.doubt('the report says that it failed but lists no test that ran');
        else if (wentWrong && tally.isClean) tally.add('errored');
        const took = startedAt === undefined || ranAt === undefined ? -1 : ranAt - startedAt;
        return { ranAt, durationSeconds: took >= 0 ? took / 1000 : undefined };
      },
    };
  },
};
