import type { Author } from '../access/principal.js';
import { type ChecklistItem, countedState } from '../checklist.js';
import type { Issue } from '../issue.js';
import { AXES, type Axis, type AxisName } from '../readiness/axis.js';
import { axesOfPolicy, type Policy, type PolicyVersion } from '../readiness/policy.js';
import type { Instant } from '../time.js';
import type { ReleaseState } from './release.js';

/** What happened to a record. */
export type Happening =
  | 'begun'
  | 'finished'
  | 'recorded'
  | 'set_aside'
  | 'restored'
  | 'added'
  | 'removed'
  | 'done'
  | 'reopened'
  | 'canceled'
  | 'type_changed'
  | 'severity_changed'
  | 'not_applicable'
  | 'evidence_added'
  | 'evidence_removed'
  | 'signed'
  | 'withdrawn'
  | 'changed'
  | 'window_changed'
  | 'shipped'
  | 'issues_pending'
  | 'issues_read'
  | 'passed';

/** What moved a release's report. */
export interface Cause {
  readonly kind:
    | 'deployment'
    | 'test_run'
    | 'axis_report'
    | 'issue'
    | 'checklist_item'
    | 'waiver'
    | 'policy'
    | 'release'
    | 'project'
    | 'time_limit';
  /** The record that moved it. */
  readonly id: string;
  /** When the service learned of the change. */
  readonly at: Instant;
  /** Missing: it is not known, or time alone moved the report. */
  readonly by?: Author;
}

/** A cause with what it did. */
export interface Move extends Cause {
  /** Empty: nothing that an axis or the gate looks at. */
  readonly what: readonly Happening[];
  /**
   * The axes it counts for, in axis order; empty where it concerns only the gate, or only own axes that count such
   * records.
   */
  readonly axes: readonly AxisName[];
  /** The record's title where it cannot be read later: of a policy version or a removed record; null everywhere else. */
  readonly title: string | null;
}

/** The move of one kind of record whose title can be looked up. */
const move = (
  kind: Cause['kind'],
  id: string,
  at: Instant,
  what: readonly Happening[],
  axes: readonly AxisName[] = [],
): Move => ({ kind, id, at, what, axes, title: null });

/** A deployment that was reported or ended. */
export const deploymentMove = (id: string, what: 'begun' | 'finished', at: Instant): Move =>
  move('deployment', id, at, [what], ['stability']);

/** A test run that was recorded, set aside or taken back. */
export const testRunMove = (id: string, at: Instant, what: 'recorded' | 'set_aside' | 'restored' = 'recorded'): Move =>
  move('test_run', id, at, [what], ['verification']);

/** Evidence of a checklist item that was linked or removed: it moves only own axes that count it. */
export const evidenceMove = (itemId: string, what: 'evidence_added' | 'evidence_removed', at: Instant): Move =>
  move('checklist_item', itemId, at, [what]);

/** A report of an own axis. */
export const axisReportMove = (id: string, axis: string, at: Instant): Move =>
  move('axis_report', id, at, ['recorded'], [axis]);

/** A waiver that was signed or withdrawn; its axis is that of the reason it accepts. */
export const waiverMove = (
  { id, axis }: { readonly id: string; readonly axis: AxisName | null },
  what: 'signed' | 'withdrawn',
  at: Instant,
): Move => move('waiver', id, at, [what], axis === null ? [] : [axis]);

/** A version of a project's policy that follows `before`. */
export const policyMove = (projectId: string, before: Policy, { policy, version, changedAt }: PolicyVersion): Move => ({
  ...move('policy', projectId, changedAt, ['changed'], axesOfPolicy(before, policy)),
  title: `version ${version}`,
});

/**
 * A change of a project's name, or of whether its imported issues are current: reports show it, but no axis counts it.
 */
export const projectMove = (id: string, at: Instant): Move => move('project', id, at, []);

/** A release that began to wait for its issues to be read, or whose issues are all read now. */
export const pendingMove = (id: string, what: 'issues_pending' | 'issues_read', at: Instant): Move =>
  move('release', id, at, [what], ['scope', 'quality']);

/** A time limit of a report that passed. */
export const timeLimitMove = (releaseId: string, at: Instant): Move => move('time_limit', releaseId, at, ['passed']);

interface Windowed {
  readonly id: string;
  readonly state: ReleaseState;
  readonly startsAt: Instant | null;
}

/** The move of a release whose window changed. No axis looks at its other fields. */
export const releaseMove = (before: Windowed, { id, state, startsAt }: Windowed, at: Instant): Move => {
  const ended: readonly Happening[] =
    before.state !== state && (state === 'shipped' || state === 'canceled') ? [state] : [];
  const what: readonly Happening[] = before.startsAt === startsAt ? ended : ['window_changed', ...ended];
  return move('release', id, at, what, what.length === 0 ? [] : ['stability']);
};

/** The members of an issue that axes count. */
export type CountedIssue = Pick<Issue, 'releaseId' | 'type' | 'state' | 'severity'>;

const endOf = ({ state }: CountedIssue): 'done' | 'canceled' | null =>
  state === 'done' || state === 'canceled' ? state : null;

/** The axes an issue counts for. */
const axesOf = ({ type, state }: CountedIssue): readonly Axis[] => {
  if (state === 'canceled') return [];
  return type === 'bug' ? ['scope', 'quality'] : ['scope'];
};

interface Moved {
  readonly what: readonly Happening[];
  readonly axes: readonly AxisName[];
}

const MOVED_NOTHING: Moved = { what: [], axes: [] };

const came = (is: CountedIssue): Moved => {
  const axes = axesOf(is);
  if (axes.length === 0) return MOVED_NOTHING;
  return { what: is.state === 'done' ? ['added', 'done'] : ['added'], axes };
};

const left = (was: CountedIssue): Moved => {
  const axes = axesOf(was);
  return axes.length === 0 ? MOVED_NOTHING : { what: ['removed'], axes };
};

const stayed = (was: CountedIssue, is: CountedIssue): Moved => {
  const axes = new Set<Axis>();
  const what: Happening[] = [];
  if (endOf(was) !== endOf(is)) {
    what.push(endOf(is) ?? 'reopened');
    for (const axis of [...axesOf(was), ...axesOf(is)]) axes.add(axis);
  }
  if ((was.type === 'bug') !== (is.type === 'bug') && was.state !== 'canceled' && is.state !== 'canceled') {
    what.push('type_changed');
    axes.add('quality');
  }
  // Only open bugs are told apart by severity.
  if (was.severity !== is.severity && is.type === 'bug' && endOf(is) === null) {
    what.push('severity_changed');
    axes.add('quality');
  }
  return { what, axes: AXES.filter((axis) => axes.has(axis)) };
};

/** How a change of an issue, known since its `updatedAt`, moved the releases it was and is in. */
export const issueMoves = (
  before: CountedIssue | null,
  after: Issue,
): readonly { readonly releaseId: string; readonly move: Move }[] =>
  [...new Set([before?.releaseId ?? null, after.releaseId])].flatMap((releaseId) => {
    if (releaseId === null) return [];
    const was = before?.releaseId === releaseId ? before : null;
    const is = after.releaseId === releaseId ? after : null;
    const both = was !== null && is !== null ? stayed(was, is) : null;
    const moved = both ?? (is === null ? (was === null ? MOVED_NOTHING : left(was)) : came(is));
    return [{ releaseId, move: { kind: 'issue', id: after.id, at: after.updatedAt, ...moved, title: null } }];
  });

/** The members of a checklist item that its move needs. */
export type CountedItem = Pick<ChecklistItem, 'id' | 'title' | 'state' | 'mark'>;

const HAPPENED = { open: 'reopened', done: 'done', not_applicable: 'not_applicable' } as const;

/**
 * How a change of a checklist item moved its release; a mark that awaits an owner counts as open.
 * @param before null: it is new or restored @param after null: it was removed, and its title is kept
 */
export const itemMove = (before: CountedItem | null, after: CountedItem | null, at: Instant): Move => {
  const id = after?.id ?? before?.id ?? '';
  const was = before === null ? 'not_applicable' : countedState(before);
  const is = after === null ? 'not_applicable' : countedState(after);
  const what: readonly Happening[] =
    was === is ? [] : [before === null ? 'added' : after === null ? 'removed' : HAPPENED[is]];
  const axes = what.length === 0 ? [] : (['ops'] as const);
  return { kind: 'checklist_item', id, at, what, axes, title: after === null ? (before?.title ?? null) : null };
};
