import type { IssueEvent } from '../issue.js';
import type { Instant } from '../time.js';

/** What is in a release: issues that are not canceled, and the bugs among them. */
export interface Levels {
  readonly done: number;
  readonly total: number;
  readonly bugs: number;
  readonly openBugs: number;
}

/** How many issues moved: `added - removed - canceled` is the change of the total. */
export interface Flows {
  /** Came to count: added to the release, or taken up again after it was canceled. */
  readonly added: number;
  /** Left the release. */
  readonly removed: number;
  readonly canceled: number;
  /** Became done; an issue that is reopened and done again counts again. */
  readonly completed: number;
}

/** The change of one moment: the differences of the levels, and the flows. */
export interface Movement extends Levels, Flows {
  readonly at: Instant;
}

interface TrackedIssue {
  readonly place: 'out' | 'open' | 'done' | 'canceled';
  readonly bug: boolean;
}

const OUT: TrackedIssue = Object.freeze({ place: 'out', bug: false });

const PLACES = Object.freeze({
  added: 'open',
  reopened: 'open',
  done: 'done',
  canceled: 'canceled',
  removed: 'out',
} as const satisfies { readonly [kind in IssueEvent['kind']]: TrackedIssue['place'] });

const counts = ({ place }: TrackedIssue): number => (place === 'open' || place === 'done' ? 1 : 0);
const isDone = ({ place }: TrackedIssue): number => (place === 'done' ? 1 : 0);
const isBug = (issue: TrackedIssue): number => (issue.bug ? counts(issue) : 0);
const isOpenBug = ({ place, bug }: TrackedIssue): number => (bug && place === 'open' ? 1 : 0);

/** The change that one issue makes in a moment, from its state before to its state after, all its events taken together. */
const stepOf = (before: TrackedIssue, after: TrackedIssue): Omit<Movement, 'at'> => {
  const left = counts(before) > counts(after);
  return {
    done: isDone(after) - isDone(before),
    total: counts(after) - counts(before),
    bugs: isBug(after) - isBug(before),
    openBugs: isOpenBug(after) - isOpenBug(before),
    added: counts(after) > counts(before) ? 1 : 0,
    removed: left && after.place === 'out' ? 1 : 0,
    canceled: left && after.place === 'canceled' ? 1 : 0,
    completed: isDone(after) > isDone(before) ? 1 : 0,
  };
};

/** The levels and flows without any issue. */
export const NO_MOVEMENT: Levels & Flows = Object.freeze({
  done: 0,
  total: 0,
  bugs: 0,
  openBugs: 0,
  added: 0,
  removed: 0,
  canceled: 0,
  completed: 0,
});

/** A running sum, changed in place: a history may have hundreds of thousands of movements. */
export type MovementTotals = { -readonly [count in keyof (Levels & Flows)]: number };

export const addTo = (
  sum: MovementTotals,
  { done, total, bugs, openBugs, added, removed, canceled, completed }: Levels & Flows,
) => {
  sum.done += done;
  sum.total += total;
  sum.bugs += bugs;
  sum.openBugs += openBugs;
  sum.added += added;
  sum.removed += removed;
  sum.canceled += canceled;
  sum.completed += completed;
};

const isStill = ({ done, total, bugs, openBugs, added, removed, canceled, completed }: MovementTotals): boolean =>
  [done, total, bugs, openBugs, added, removed, canceled, completed].every((change) => change === 0);

/** Gathers the change of each moment from events that are added one by one. */
interface MovementGathering {
  /** Takes the next event, which is no earlier than the one before. */
  readonly add: (event: IssueEvent) => void;
  /** Ends the gathering. Answers what each moment changed, in order, without moments at which nothing changed. */
  readonly end: () => readonly Movement[];
}

/**
 * Gathers the history of one release without keeping its events.
 * An issue whose type changes leaves and joins at one moment, which changes no scope. An issue whose history begins in
 * the middle counts as added at its first event.
 */
export const gatherMovements = (): MovementGathering => {
  const issues = new Map<string, TrackedIssue>();
  const touched = new Map<string, TrackedIssue>();
  const movements: Movement[] = [];
  let at = Number.NEGATIVE_INFINITY;
  const settle = (): void => {
    const sum: MovementTotals = { ...NO_MOVEMENT };
    for (const [issueId, before] of touched) addTo(sum, stepOf(before, issues.get(issueId) ?? OUT));
    touched.clear();
    if (!isStill(sum)) movements.push({ at, ...sum });
  };
  return {
    add: (event) => {
      if (event.at > at) settle();
      at = event.at;
      const before = issues.get(event.issueId) ?? OUT;
      if (!touched.has(event.issueId)) touched.set(event.issueId, before);
      issues.set(event.issueId, { place: PLACES[event.kind], bug: event.type === 'bug' });
    },
    end: () => {
      settle();
      return movements;
    },
  };
};

/**
 * Returns what each moment changed in the history of one release (see `gatherMovements`).
 *
 * @param events of one release; those of the same moment in the order they happened
 */
export const movementsOf = (events: readonly IssueEvent[]): readonly Movement[] => {
  const gathering = gatherMovements();
  for (const event of events.toSorted((one, other) => one.at - other.at)) gathering.add(event);
  return gathering.end();
};

export const PROGRESS_STEPS = ['day', 'week', 'change'] as const;
/** How far apart the points of a progress are: a UTC day, a week from Monday on, or one moment at which something changed. */
export type ProgressStep = (typeof PROGRESS_STEPS)[number];

/** Most points of a progress; where there would be more, neighbours are taken together. */
export const MOST_POINTS = 500;

/** A span of time with its first and its last moment, both included. */
export interface Span {
  readonly from: Instant;
  readonly at: Instant;
}

const DAY = 86_400_000;
const LENGTHS = Object.freeze({ day: DAY, week: 7 * DAY });
/** When the first day and the first week begin; the week with Monday, 1970-01-05. */
const FIRSTS = Object.freeze({ day: 0, week: 4 * DAY });

const perPoint = (count: number): number => Math.max(1, Math.ceil(count / MOST_POINTS));

const calendar = (step: 'day' | 'week', { from, at }: Span): readonly Span[] => {
  const [length, first] = [LENGTHS[step], FIRSTS[step]];
  const begin = Math.floor((from - first) / length) * length + first;
  const stride = length * perPoint(Math.ceil((at - begin + 1) / length));
  const spans: Span[] = [];
  for (let start = begin; start <= at; start += stride)
    spans.push({ from: Math.max(start, from), at: Math.min(start + stride - 1, at) });
  return spans;
};

const changes = ({ from, at }: Span, movements: readonly { readonly at: Instant }[]): readonly Span[] => {
  const begin = movements.findIndex((movement) => movement.at >= from);
  const end = movements.findLastIndex((movement) => movement.at <= at) + 1;
  if (begin === -1) return [];
  const stride = perPoint(end - begin);
  const momentOf = (place: number): Instant => movements[place]?.at ?? at;
  const spans: Span[] = [];
  for (let place = begin; place < end; place += stride)
    spans.push({ from: momentOf(place), at: momentOf(Math.min(place + stride, end) - 1) });
  return spans;
};

/**
 * Returns what each point of a progress covers, oldest first, at most `MOST_POINTS`: whole days or weeks of UTC cut to
 * the span, or the moments of the movements. Together they cover the whole span, or all movements in it.
 *
 * @param movements in order; only their moments are read
 */
export const spansOf = (
  step: ProgressStep,
  span: Span,
  movements: readonly { readonly at: Instant }[],
): readonly Span[] => (step === 'change' ? changes(span, movements) : calendar(step, span));
