import type { Instant } from '../instant.js';
import type { Axis } from '../readiness/axis.js';
import type { Policy, PolicyVersion } from '../readiness/policy.js';
import { axesOfPolicy } from '../readiness/policy-axes.js';
import type { ReleaseState } from './release.js';

/** What became of a record. */
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
    | 'issue'
    | 'checklist_item'
    | 'waiver'
    | 'policy'
    | 'release'
    | 'project'
    | 'time_limit';
  /** The record that moved it. */
  readonly id: string;
  /** When the service learned of it. */
  readonly at: Instant;
}

/** A cause with what it did. */
export interface Move extends Cause {
  /** Empty: nothing that an axis or the gate looks at. */
  readonly what: readonly Happening[];
  /** The axes it counts for, in axis order; empty where it concerns the gate alone. */
  readonly axes: readonly Axis[];
  /** Its record in short where the record itself cannot tell any more; null everywhere else. */
  readonly title: string | null;
}

/** The move of one kind of record whose title can be looked up. */
const move = (
  kind: Cause['kind'],
  id: string,
  at: Instant,
  what: readonly Happening[],
  axes: readonly Axis[] = [],
): Move => ({ kind, id, at, what, axes, title: null });

/** A deployment that was reported or ended. */
export const deploymentMove = (id: string, what: 'begun' | 'finished', at: Instant): Move =>
  move('deployment', id, at, [what], ['stability']);

/** A test run that was recorded, set aside or taken back. */
export const testRunMove = (id: string, at: Instant, what: 'recorded' | 'set_aside' | 'restored' = 'recorded'): Move =>
  move('test_run', id, at, [what], ['verification']);

/** A waiver that was signed or withdrawn; its axis is that of the reason it accepts. */
export const waiverMove = (
  { id, axis }: { readonly id: string; readonly axis: Axis | null },
  what: 'signed' | 'withdrawn',
  at: Instant,
): Move => move('waiver', id, at, [what], axis === null ? [] : [axis]);

/** A version of a project's policy that follows `before`. */
export const policyMove = (projectId: string, before: Policy, { policy, version, changedAt }: PolicyVersion): Move => ({
  ...move('policy', projectId, changedAt, ['changed'], axesOfPolicy(before, policy)),
  title: `version ${version}`,
});

/** A name or what is known of the import changed in a project: it is shown, and no axis looks at it. */
export const projectMove = (id: string, at: Instant): Move => move('project', id, at, []);

/** A release whose issues are not all read yet, or are by now. */
export const pendingMove = (id: string, what: 'issues_pending' | 'issues_read', at: Instant): Move =>
  move('release', id, at, [what], ['scope', 'quality']);

/** A moment that passed at which a report changed by time alone. */
export const timeLimitMove = (releaseId: string, at: Instant): Move => move('time_limit', releaseId, at, ['passed']);

interface Windowed {
  readonly id: string;
  readonly state: ReleaseState;
  readonly startsAt: Instant | null;
}

/** A release whose window changed; other changes of it move no axis. */
export const releaseMove = (before: Windowed, { id, state, startsAt }: Windowed, at: Instant): Move => {
  const ended: readonly Happening[] =
    before.state !== state && (state === 'shipped' || state === 'canceled') ? [state] : [];
  const what: readonly Happening[] = before.startsAt === startsAt ? ended : ['window_changed', ...ended];
  return move('release', id, at, what, what.length === 0 ? [] : ['stability']);
};
