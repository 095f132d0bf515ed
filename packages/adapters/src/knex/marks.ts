import type { Cause, Instant, Move } from '@shipworthy/domain';
import type { Access } from './access.js';
import { storeMoves, storeProjectMove } from './moves.js';
import { insert } from './sql.js';
import { asJson } from './well-formed.js';

/** What changed a release, and when. */
export interface Mark {
  readonly releaseId: string;
  readonly causes: readonly Move[];
}

/** How many causes a release keeps by name; the rest is only counted. */
const KEPT_CAUSES = 20;

/** Causes as they are kept: one per line, so that more can be put behind without reading them. */
const lines = (causes: readonly Cause[]): string =>
  causes
    .slice(0, KEPT_CAUSES)
    .map(({ kind, id, at }) => `${asJson({ kind, id, at })}\n`)
    .join('');

/** The first causes of such lines. */
export const causesOf = (text: string): readonly Cause[] =>
  text
    .split('\n', KEPT_CAUSES)
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Cause);

/** A release's first revision. */
export const firstMark = (access: Access, releaseId: string, projectId: string, changedAt: Instant): Promise<void> =>
  insert(access, 'release_marks', {
    release_id: releaseId,
    project_id: projectId,
    revision: 1,
    changed_at: access.dialect.moment(changedAt),
    dirty: 1,
    cause_count: 1,
    causes: lines([{ kind: 'release', id: releaseId, at: changedAt }]),
    claimed_count: 0,
    claimed_causes: '',
  });

const change = (greatest: string): string => `
  revision = m.revision + v.changes, changed_at = ${greatest}(m.changed_at, v.at), dirty = 1,
  cause_count = m.cause_count + v.changes,
  causes = case when m.cause_count < ${KEPT_CAUSES} then m.causes || v.causes else m.causes end`;

/**
 * Marks releases as changed, once per cause, in one statement, and keeps what moved them by a second one. Whatever reads
 * the windows of releases for it must run after the rows are stored: then whoever moves a window either sees the rows or
 * is seen here.
 */
export const markReleases = async (access: Access, marks: readonly Mark[]): Promise<void> => {
  if (marks.length === 0) return;
  const { dialect } = access;
  const columns = { release_id: 'id', changes: 'integer', at: 'moment', causes: 'text' } as const;
  const changed = dialect.rowset('v', columns);
  const rows = marks
    .toSorted((a, b) => (a.releaseId < b.releaseId ? -1 : 1))
    .map(({ releaseId, causes }) => {
      const latest = causes.reduce((most, { at }) => Math.max(most, at), Number.NEGATIVE_INFINITY);
      return [releaseId, causes.length, dialect.moment(latest), lines(causes)];
    });
  const marked = access.write(
    `update release_marks as m set ${change(dialect.greatest)} from ${changed.table} where m.release_id = v.release_id`,
    changed.bindings(rows),
    'mark-releases',
  );
  // Moves need the revision that was just counted up: PostgreSQL takes statements in the order they are sent, SQLite in any.
  if (dialect.name === 'sqlite') await marked;
  await Promise.all([marked, storeMoves(access, marks)]);
};

/** Marks one release as changed. */
export const markRelease = (access: Access, releaseId: string, cause: Move): Promise<void> =>
  markReleases(access, [{ releaseId, causes: [cause] }]);

/** Marks all releases of a project as changed. */
export const markProject = async (access: Access, projectId: string, cause: Move): Promise<void> => {
  const columns = { changes: 'integer', at: 'moment', causes: 'text' } as const;
  const changed = access.dialect.rowset('v', columns);
  await access.write(
    `update release_marks as m set ${change(access.dialect.greatest)} from ${changed.table} where m.project_id = ?`,
    [...changed.bindings([[1, access.dialect.moment(cause.at), lines([cause])]]), projectId],
  );
  await storeProjectMove(access, projectId, cause);
};
