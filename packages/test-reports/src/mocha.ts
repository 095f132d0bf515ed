import { HeadCounts, type JsonFormat, type JsonLeaf, type JsonPath } from './json-walk.js';
import { saysFailure, statedOutcome } from './junit.js';
import { durationOf, momentOf, type Outcome } from './tally.js';

const LISTS: ReadonlyMap<unknown, Outcome> = new Map<unknown, Outcome>([
  ['passes', 'passed'],
  ['failures', 'failed'],
  ['pending', 'skipped'],
]);

const isItem = ({ length, 0: list, 1: index }: JsonPath): boolean =>
  length === 2 && typeof index === 'number' && (list === 'tests' || LISTS.has(list));

/** Whether a member of an item says that it failed: anything in `err`, or a `state` such as failed. An empty `err` says nothing. */
const namesFailure = (path: JsonPath, value?: JsonLeaf): boolean => {
  if (typeof path[1] !== 'number') return false;
  if (path[2] === 'err') return path.length > 3 || (path.length === 3 && Boolean(value));
  return path.length === 3 && path[2] === 'state' && saysFailure(statedOutcome(String(value)));
};

/**
 * Mocha's json reporter: the lists passes, failures and pending; the list tests holds the same once more. A failed hook is
 * listed in failures only. A retried attempt is not listed at all.
 */
export const mochaFormat: JsonFormat = {
  name: 'mocha',
  list: ['passes'],
  shape: (path) => {
    if (path.length === 1 && path[0] === 'stats') return 'object';
    if (path.length === 1 && (path[0] === 'tests' || LISTS.has(path[0]))) return 'list';
    return isItem(path) ? 'object' : undefined;
  },
  read: (tally, refuse) => {
    let hasFailures = false;
    let failed = false;
    /** How many tests the list `tests` has, and how many of them failed. */
    const inTests = { all: 0, failed: 0 };
    const head = new HeadCounts(tally, ['stats'], ['tests', 'passes', 'failures', 'pending']);
    let [durationSeconds, ranAt]: (number | undefined)[] = [];
    const closeItem = (list: unknown) => {
      const outcome = LISTS.get(list);
      if (outcome === undefined) {
        inTests.all += 1;
        inTests.failed += failed ? 1 : 0;
      } else if (failed && outcome !== 'failed') {
        const what = outcome === 'passed' ? 'passed' : 'pending';
        tally.note((count) => (count === 1 ? `1 ${what} test has an error` : `${count} ${what} tests have an error`));
        tally.add('errored');
      } else tally.add(outcome);
    };
    return {
      open: (path, kind) => {
        head.open(path, kind);
        if (path.length === 1 && path[0] === 'failures') hasFailures = true;
        if (isItem(path)) failed = false;
        failed ||= namesFailure(path);
      },
      value: (path, value) => {
        head.value(path, value);
        failed ||= namesFailure(path, value);
        if (path.length !== 2 || path[0] !== 'stats') return;
        if (path[1] === 'end') ranAt = momentOf(value);
        const ms = path[1] === 'duration' ? durationOf(value) : undefined;
        if (ms !== undefined) durationSeconds = ms / 1000;
      },
      close: (path) => {
        if (isItem(path)) closeItem(path[0]);
      },
      finish: () => {
        if (!hasFailures) refuse('is not as its format has it: the list failures is missing');
        tally.compareWithHead(head.sumOf('failures'));
        const missing = inTests.failed - tally.failed - tally.errored;
        if (missing > 0)
          tally.doubt(
            `the list tests has ${inTests.failed} that failed but the list failures ${tally.failed || 'none'}`,
            missing,
          );
        tally.compareTestsWithHead(
          Math.max(head.sumOf('tests'), head.sumOf('passes', 'failures', 'pending'), inTests.all),
        );
        return { durationSeconds, ranAt };
      },
    };
  },
};
