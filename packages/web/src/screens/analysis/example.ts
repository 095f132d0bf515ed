import type { ReleaseSummary } from '@shipworthy/client';
import type { ProgressPoint } from './analysis-words.js';

/** Day by day: issues added, left, done; bugs found and resolved. */
const DAYS = [
  [8, 0, 0, 0, 0],
  [2, 0, 1, 1, 0],
  [0, 0, 2, 1, 0],
  [3, 1, 0, 1, 1],
  [0, 0, 2, 0, 0],
  [1, 0, 2, 1, 1],
  [0, 2, 1, 0, 1],
  [1, 0, 1, 1, 0],
  [0, 0, 1, 0, 1],
] as const;

const FIRST = Date.UTC(2026, 0, 5);
const DAY = 86_400_000;

const momentOf = (at: number): string => new Date(at).toISOString();

const pointsOf = (): readonly ProgressPoint[] => {
  const level = { done: 0, total: 0, bugs: 0, open_bugs: 0 };
  return DAYS.map(([added, removed, completed, found, resolved], day) => {
    level.done += completed;
    level.total += added - removed;
    level.bugs += found;
    level.open_bugs += found - resolved;
    const from = FIRST + day * DAY;
    return { from: momentOf(from), at: momentOf(from + DAY - 1), added, removed, canceled: 0, completed, ...level };
  });
};

/** What the progress of a release looks like; made up, the same every time. */
export const EXAMPLE_POINTS: readonly ProgressPoint[] = pointsOf();

export const EXAMPLE_SCOPE: ReleaseSummary['scope'] = {
  before_start: { added: 8, removed: 0, canceled: 0, net: 8 },
  after_start: { added: 7, removed: 3, canceled: 0, net: 4 },
  change_rate: 0.5,
};
