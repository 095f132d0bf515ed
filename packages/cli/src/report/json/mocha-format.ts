import type { Outcome } from '../report-counts.js';
import { lengthOf, momentOf } from '../report-time.js';
import { headCount } from '../tally.js';
import type { JsonFormat } from './json-format.js';

const LISTS: ReadonlyMap<unknown, Outcome> = new Map<unknown, Outcome>([
  ['passes', 'passed'],
  ['failures', 'failed'],
  ['pending', 'skipped'],
]);

/**
 * Mocha's json reporter: the lists passes, failures and pending; the list tests holds the same once more. A hook that failed
 * stands among the failures only. An attempt that was retried stands nowhere.
 */
export const mochaFormat: JsonFormat = {
  name: 'mocha',
  list: ['passes'],
  shape: ({ length, 0: list, 1: item }) => {
    if (list !== 'tests' && !LISTS.has(list)) return undefined;
    if (length === 1) return 'list';
    return length === 2 && typeof item === 'number' ? 'object' : undefined;
  },
  read: (tally, refuse) => {
    let claimed = 0;
    let hasFailures = false;
    let [durationSeconds, ranAt]: (number | undefined)[] = [];
    const count = (list: unknown) => {
      const outcome = LISTS.get(list);
      if (outcome !== undefined) tally.add(outcome);
    };
    return {
      open: (path, kind) => {
        if (path.length === 1 && path[0] === 'failures') hasFailures = true;
        if (path.length === 2 && kind === 'object' && typeof path[1] === 'number') count(path[0]);
      },
      value: (path, value) => {
        if (path.length !== 2 || path[0] !== 'stats') return;
        if (path[1] === 'failures') claimed = headCount(value);
        if (path[1] === 'end') ranAt = momentOf(value);
        const ms = path[1] === 'duration' ? lengthOf(value) : undefined;
        if (ms !== undefined) durationSeconds = ms / 1000;
      },
      close: () => undefined,
      finish: () => {
        if (!hasFailures) refuse('is not as its format has it: the list failures is missing');
        tally.claim(claimed);
        return { durationSeconds, ranAt };
      },
    };
  },
};
