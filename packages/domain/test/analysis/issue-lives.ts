import fc from 'fast-check';
import { ISSUE_STATES, ISSUE_TYPES, type Issue, type IssueEvent, issueEvents } from '../../src/issue.js';
import type { Instant } from '../../src/time.js';

/** A Wednesday. */
export const START = Date.UTC(2026, 0, 14);
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** An edit of one of some issues: its new state, and the time since the edit before. */
export interface Edit {
  readonly issue: number;
  readonly after: Pick<Issue, 'state' | 'type' | 'releaseId'>;
  readonly later: number;
}

/** What some issues went through, edit by edit. */
export interface Lives {
  readonly events: readonly IssueEvent[];
  /** The issues as of that moment, including its own events. */
  at(moment: Instant): readonly Issue[];
}

const BORN: Issue = {
  id: '',
  projectId: 'p1',
  releaseId: null,
  title: 'Pay',
  type: 'task',
  state: 'todo',
  severity: null,
  url: null,
  externalId: null,
  version: 1,
  createdAt: START,
  updatedAt: START,
};

/** Lets the edits happen, with the events that the use cases keep. */
export const livesOf = (edits: readonly Edit[]): Lives => {
  const events: IssueEvent[] = [];
  const states: { readonly at: Instant; readonly issue: Issue }[] = [];
  const current = new Map<number, Issue>();
  let at = START;
  for (const { issue, after, later } of edits) {
    at += later;
    const before = current.get(issue) ?? null;
    const next = { ...(before ?? { ...BORN, id: `i${issue}` }), ...after };
    events.push(...issueEvents(before, next, at));
    current.set(issue, next);
    states.push({ at, issue: next });
  }
  return {
    events,
    at: (moment) => [
      ...new Map(states.filter((state) => state.at <= moment).map(({ issue }) => [issue.id, issue])).values(),
    ],
  };
};

/** Any edits of up to six issues among two releases and none; some in the same moment, some days apart. */
export const anyEdits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.record({
    issue: fc.integer({ min: 0, max: 5 }),
    after: fc.record({
      state: fc.constantFrom(...ISSUE_STATES),
      type: fc.constantFrom(...ISSUE_TYPES),
      releaseId: fc.constantFrom('r1', 'r1', 'r2', null),
    }),
    later: fc.oneof(fc.constantFrom(0, 1, HOUR, DAY), fc.integer({ min: 0, max: 3 * DAY })),
  }),
  { maxLength: 40 },
);

/** An event of release r1. */
export const event = (
  issueId: string,
  kind: IssueEvent['kind'],
  at: Instant,
  type: IssueEvent['type'] = 'task',
): IssueEvent => ({ issueId, releaseId: 'r1', at, kind, type });
