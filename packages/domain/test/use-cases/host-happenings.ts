import fc from 'fast-check';
import type { HostIssue, HostIssueEvent, HostMilestone } from '../../src/repository/host.js';
import { hostIssueOf } from '../repository/host-issue-of.js';
import { milestoneOf } from '../repository/host-records-of.js';
import type { HostModel } from './host-model.js';

/** What milestones are called here. */
export const TITLES = ['1.0', '1.1', '2.0', '3.0'];
const MILESTONES = ['M1', 'M2', 'M3'];
const ISSUES = ['I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7'];
const LABELS = ['shop', 'bug', 'major', 'in progress', 'feature'];

/** Something that happens at the host. */
export type Happening =
  | { readonly kind: 'milestone'; readonly id: string; readonly title: string; readonly open: boolean }
  | { readonly kind: 'labels'; readonly id: string; readonly labels: readonly string[] }
  | { readonly kind: 'into'; readonly id: string; readonly milestoneId: string | null }
  | { readonly kind: 'closed'; readonly id: string; readonly as: 'completed' | 'not_planned' }
  | { readonly kind: 'reopened' | 'gone' | 'renamed'; readonly id: string };

const issueId = fc.constantFrom(...ISSUES);

export const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('milestone' as const),
      id: fc.constantFrom(...MILESTONES),
      title: fc.constantFrom(...TITLES),
      open: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('labels' as const), id: issueId, labels: fc.subarray(LABELS) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('into' as const),
      id: issueId,
      milestoneId: fc.constantFrom(...MILESTONES, null),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('closed' as const),
      id: issueId,
      as: fc.constantFrom('completed' as const, 'not_planned' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('reopened' as const, 'gone' as const, 'renamed' as const),
      id: issueId,
    }),
  },
);

const withEvent = (issue: HostIssue, ...events: readonly HostIssueEvent[]): HostIssue['history'] =>
  issue.history === null ? null : [...issue.history, ...events];

const moved = (
  issue: HostIssue,
  to: HostMilestone | undefined,
  from: HostMilestone | undefined,
  at: number,
): HostIssue => {
  const left: HostIssueEvent[] = from === undefined ? [] : [{ kind: 'demilestoned', milestone: from.title, at }];
  const joined: HostIssueEvent[] = to === undefined ? [] : [{ kind: 'milestoned', milestone: to.title, at }];
  return { ...issue, milestoneId: to?.id ?? null, history: withEvent(issue, ...left, ...joined) };
};

const changed = (model: HostModel, issue: HostIssue, event: Happening, at: number): HostIssue => {
  const milestone = (id: string | null) => model.milestones.find((one) => one.id === id);
  switch (event.kind) {
    case 'labels':
      return { ...issue, labels: event.labels };
    case 'into':
      return moved(issue, milestone(event.milestoneId), milestone(issue.milestoneId), at);
    case 'closed':
      return {
        ...issue,
        state: 'closed',
        closedAs: event.as,
        closedAt: at,
        history: withEvent(issue, { kind: 'closed', as: event.as, at }),
      };
    case 'reopened':
      return {
        ...issue,
        state: 'open',
        closedAs: null,
        closedAt: null,
        history: withEvent(issue, { kind: 'reopened', at }),
      };
    default:
      return { ...issue, title: `${issue.title}!` };
  }
};

/** Makes it happen at that moment. Titles of milestones are unique at the host; issues come to be when something first happens to them. */
export const happens = (model: HostModel, event: Happening, at: number, remembers: boolean): void => {
  if (event.kind === 'milestone') {
    const { id, title } = event;
    if (model.milestones.some((one) => one.id !== id && one.title === title)) return;
    const next = milestoneOf({ id, number: Number(id.slice(1)), title, state: event.open ? 'open' : 'closed' });
    model.milestones = [...model.milestones.filter((one) => one.id !== id), next];
    return;
  }
  const before = model.issues.find(({ id }) => id === event.id);
  const others = model.issues.filter(({ id }) => id !== event.id);
  if (event.kind === 'gone') {
    model.issues = others;
    return;
  }
  const issue =
    before ?? hostIssueOf({ id: event.id, createdAt: at, labels: ['shop'], history: remembers ? [] : null });
  model.issues = [...others, { ...changed(model, issue, event, at), updatedAt: at }];
};
