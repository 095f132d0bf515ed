import { HeadCounts, type JsonFormat, type JsonPath, pathInWords } from './json-walk.js';
import { durationOf, momentOf, type Outcome } from './tally.js';

const OUTCOMES: ReadonlyMap<unknown, Outcome> = new Map<unknown, Outcome>([
  ['expected', 'passed'],
  ['flaky', 'passed'],
  ['unexpected', 'failed'],
  ['skipped', 'skipped'],
]);

/** The innermost list on a path such as suites, 0, specs, 1, tests, 0; undefined for a path of another form. */
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
const isAttempt = (path: JsonPath): boolean =>
  path.at(-2) === 'results' && typeof path.at(-1) === 'number' && isTest(path.slice(0, -2));
/** Whether a path leads to `error` of an attempt, or to an item of its `errors`. */
const isError = (path: JsonPath): boolean =>
  (path.at(-1) === 'error' && isAttempt(path.slice(0, -1))) ||
  (path.at(-2) === 'errors' && isAttempt(path.slice(0, -2)));

interface PlaywrightTest {
  status: unknown;
  expectedStatus: unknown;
  hasAttempts: boolean;
  /** Status of the last attempt that was not skipped; undefined where there is none. */
  lastAttempt: string | undefined;
}

const NO_TEST: PlaywrightTest = {
  status: undefined,
  expectedStatus: 'passed',
  hasAttempts: false,
  lastAttempt: undefined,
};

/** Whether the attempts agree with a test's status: for `skipped` all were skipped, else the last is as expected. */
const agrees = ({ status, expectedStatus, hasAttempts, lastAttempt }: PlaywrightTest): boolean => {
  if (!hasAttempts) return true;
  return status === 'skipped' ? lastAttempt === undefined : lastAttempt === expectedStatus;
};

/**
 * Playwright's json: one entry for each test and browser project, with its attempts; `flaky` passed in the end. Each
 * item of `errors` (a file that could not be loaded, the whole run's time-out) belongs to no test and is one error. A
 * test whose last attempt was interrupted has the status skipped or flaky: it is doubted, as is a spec that is not ok
 * without a failed test.
 */
export const playwrightFormat: JsonFormat = {
  name: 'playwright',
  list: ['suites'],
  shape: (path) => {
    if (path[0] === 'errors' && path.length <= 2) return path.length === 1 ? 'list' : 'object';
    if (path[0] === 'stats' && path.length === 1) return 'object';
    if (path.at(-1) === 'ok' && isSpec(path.slice(0, -1))) return 'plain value';
    return path.length === 0 || listOf(path) === undefined ? undefined : path.length % 2 === 0 ? 'object' : 'list';
  },
  read: (tally, refuse) => {
    const head = new HeadCounts(tally, ['stats'], ['expected', 'unexpected', 'flaky']);
    let spec = { isOk: true, hasTests: false, failed: 0 };
    let test = { ...NO_TEST };
    let attempt = { status: undefined as unknown, hasError: false };
    let [startedAt, took]: (number | undefined)[] = [];
    const closeTest = () => {
      const { status } = test;
      const outcome = OUTCOMES.get(status);
      if (outcome === undefined) tally.addUnknown(status);
      else if (outcome === 'failed' || agrees(test)) tally.add(outcome);
      else {
        const last = String(test.lastAttempt ?? 'skipped').slice(0, 40);
        tally.note(
          (count) =>
            `${count} ${count === 1 ? 'test has' : 'tests have'} the status "${status}" and the last attempt "${last}"`,
          (count) => `${count} ${count === 1 ? 'test has' : 'tests have'} another status than the last attempt`,
        );
        tally.add('errored');
      }
      if (outcome === undefined || outcome === 'failed' || !agrees(test)) spec.failed += 1;
    };
    const closeSpec = (path: JsonPath) => {
      if (!spec.hasTests) refuse(`is not as its format has it: ${pathInWords(path)} has no list tests`);
      if (spec.isOk || spec.failed > 0) return;
      tally.note((count) =>
        count === 1
          ? '1 spec is not ok although none of its tests failed'
          : `${count} specs are not ok although none of their tests failed`,
      );
      tally.add('errored');
      tally.errorsFromHead += 1;
    };
    const closeAttempt = () => {
      const { status, hasError } = attempt;
      test.hasAttempts = true;
      if (status !== 'skipped')
        test.lastAttempt = hasError && status === 'passed' ? 'passed with an error' : String(status);
    };
    return {
      open: (path, kind) => {
        head.open(path, kind);
        if (path.length === 2 && path[0] === 'errors') tally.add('errored');
        else if (isTest(path)) test = { ...NO_TEST };
        else if (isSpec(path)) spec = { isOk: true, hasTests: false, failed: 0 };
        else if (isAttempt(path)) attempt = { status: undefined, hasError: false };
        else if (path.at(-1) === 'tests' && listOf(path) === 'tests') spec.hasTests = true;
        else attempt.hasError ||= isError(path);
      },
      value: (path, value) => {
        head.value(path, value);
        const name = path.at(-1);
        if (name === 'status' && isTest(path.slice(0, -1))) test.status = value;
        else if (name === 'expectedStatus' && isTest(path.slice(0, -1))) test.expectedStatus = value;
        else if (name === 'status' && isAttempt(path.slice(0, -1))) attempt.status = value;
        else if (name === 'ok' && isSpec(path.slice(0, -1))) spec.isOk = value === true;
        else if (path.length === 2 && path[0] === 'stats' && name === 'startTime') startedAt = momentOf(value);
        else if (path.length === 2 && path[0] === 'stats' && name === 'duration') took = durationOf(value);
        else if (value) attempt.hasError ||= isError(path);
      },
      close: (path) => {
        if (isTest(path)) closeTest();
        else if (isSpec(path)) closeSpec(path);
        else if (isAttempt(path)) closeAttempt();
      },
      finish: () => {
        tally.compareWithHead(head.sumOf('unexpected'));
        tally.compareTestsWithHead(head.sumOf('expected', 'unexpected', 'flaky'), { ran: true });
        return {
          durationSeconds: took === undefined ? undefined : took / 1000,
          ranAt: startedAt === undefined || took === undefined ? undefined : Math.round(startedAt + took),
        };
      },
    };
  },
};
