import type { Issue } from '../issue/issue.js';
import { AXES, type Axis } from '../readiness/axis.js';
import type { Happening, Move } from './move.js';

/** What of an issue an axis looks at. */
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
  readonly axes: readonly Axis[];
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
