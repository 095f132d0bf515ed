// SQL by hand: one statement over a table of values increments the revisions of all releases that a report touches.
import { type Author, type Cause, type Happening, type Instant, type Move, pendingMove } from '@shipworthy/domain';
import type { RecordedPoint } from '@shipworthy/domain/ports';
import type { Axis } from '@shipworthy/domain/readiness';
import { asJson } from './dialect.js';
import { query, type TableOf } from './query.js';
import type { Access } from './sql.js';

type Cells = readonly [
  kind: Cause['kind'],
  id: string,
  at: number,
  what: string,
  axes: string,
  title?: string | null,
  by?: readonly [kind: Author['kind'], name: string, userId?: string],
];

const words = (text: string): readonly string[] => (text === '' ? [] : text.split(' '));

const moveOf = ([kind, id, at, what, axes, title, by]: Cells): Move => ({
  kind,
  id,
  at,
  what: words(what) as readonly Happening[],
  axes: words(axes) as readonly Axis[],
  title: title ?? null,
  ...(by && { by: { kind: by[0], name: by[1], ...(by[2] === undefined ? {} : { userId: by[2] }) } }),
});

/** Reads the moves that a row of `release_moves` stores as text. */
export const movesOf = (text: string): readonly Move[] => (JSON.parse(text) as readonly Cells[]).map(moveOf);

const textOf = (moves: readonly Move[]): string =>
  asJson(
    moves.map(({ kind, id, at, what, axes, title, by }): Cells => {
      const cells = [kind, id, at, what.join(' '), axes.join(' ')] as const;
      if (by !== undefined)
        return [...cells, title, by.userId === undefined ? [by.kind, by.name] : [by.kind, by.name, by.userId]];
      return title === null ? cells : [...cells, title];
    }),
  );

const movesWithEffect = (moves: readonly Move[]): readonly Move[] => moves.filter(({ what }) => what.length > 0);

/** Stores the moves of releases under the revisions that `markReleases` just incremented. */
const storeMoves = async (
  access: Access,
  marks: readonly { readonly releaseId: string; readonly causes: readonly Move[] }[],
): Promise<void> => {
  const rows = marks.flatMap(({ releaseId, causes }) => {
    const moves = movesWithEffect(causes);
    return moves.length === 0 ? [] : [[releaseId, moves.length, textOf(moves)] as const];
  });
  if (rows.length === 0) return;
  const given = access.dialect.rowset('v', { release_id: 'id', size: 'integer', moves: 'text' });
  await access.write(
    `insert into release_moves (release_id, revision, turn, size, moves)
      select m.release_id, m.revision, 0, v.size, v.moves
      from ${given.table} join release_marks m on m.release_id = v.release_id`,
    given.bindings(rows),
    'store-moves',
  );
};

/** Stores a move of all releases of a project, under the revisions that were just incremented. */
const storeProjectMove = async (access: Access, projectId: string, move: Move): Promise<void> => {
  if (movesWithEffect([move]).length === 0) return;
  const given = access.dialect.rowset('v', { moves: 'text' });
  await access.write(
    `insert into release_moves (release_id, revision, turn, size, moves)
      select m.release_id, m.revision, 0, 1, v.moves from ${given.table} join release_marks m on m.project_id = ?`,
    [...given.bindings([[textOf([move])]]), projectId],
  );
};

/** Stores the time limits that caused points; one that was stored with an earlier point stays as it is. */
export const storeLimits = async (access: Access, points: readonly RecordedPoint[]): Promise<void> => {
  for (const { releaseId, revision, causes } of points) {
    for (const { kind, at } of causes) {
      if (kind !== 'time_limit') continue;
      const cells: Cells = [kind, releaseId, at, 'passed', ''];
      await access.write(
        `insert into release_moves (release_id, revision, turn, size, moves) values (?, ?, ?, 1, ?)
          on conflict (release_id, turn) where turn > 0 do nothing`,
        [releaseId, revision, at, asJson([cells])],
      );
    }
  }
};

/** What changed a release, and when. */
export interface ReleaseCauses {
  readonly releaseId: string;
  readonly causes: readonly Move[];
}

/** How many causes of a release's changes are stored; further ones are only counted. */
const KEPT_CAUSES = 20;

/** Writes causes one per line, so that a statement can append more without reading the stored ones. */
const causeLines = (causes: readonly Cause[]): string =>
  causes
    .slice(0, KEPT_CAUSES)
    .map(({ kind, id, at, by }) => `${asJson({ kind, id, at, by })}\n`)
    .join('');

/** Reads the first `KEPT_CAUSES` causes of a text that `causeLines` wrote. */
export const causesOf = (text: string): readonly Cause[] =>
  text
    .split('\n', KEPT_CAUSES)
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Cause);

interface MarkColumns {
  readonly release_id: string;
  readonly project_id: string;
  readonly revision: number;
  readonly changed_at: number;
  readonly dirty: number;
  readonly cause_count: number;
  readonly causes: string;
  readonly claimed_count: number;
  readonly claimed_causes: string;
  readonly claimed_until: number | null;
  readonly next_time_limit: number | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    release_marks: TableOf<MarkColumns, 'changed_at' | 'claimed_until' | 'next_time_limit'>;
  }
}

/** The cause with the author of the transaction, unless it has one of its own. */
const authored = <Known extends Cause>({ by }: Access, cause: Known): Known =>
  by === undefined || cause.by !== undefined ? cause : { ...cause, by };

export const insertFirstRevision = async (
  access: Access,
  releaseId: string,
  projectId: string,
  changedAt: Instant,
): Promise<void> => {
  await query(access)
    .from('release_marks')
    .insert({
      release_id: releaseId,
      project_id: projectId,
      revision: 1,
      changed_at: access.dialect.moment(changedAt),
      dirty: 1,
      cause_count: 1,
      causes: causeLines([authored(access, { kind: 'release', id: releaseId, at: changedAt })]),
      claimed_count: 0,
      claimed_causes: '',
    });
};

const change = (greatest: string): string => `
  revision = m.revision + v.changes, changed_at = ${greatest}(m.changed_at, v.at), dirty = 1,
  cause_count = m.cause_count + v.changes,
  causes = case when m.cause_count < ${KEPT_CAUSES} then m.causes || v.causes else m.causes end`;

/**
 * Increments the revisions of releases, once per cause, in one statement, and stores their moves in a second one. The
 * caller must read the windows of releases after it stored its rows: then a concurrent transaction that moves a window
 * sees the rows, or the caller sees the moved window.
 */
export const markReleases = async (access: Access, changes: readonly ReleaseCauses[]): Promise<void> => {
  if (changes.length === 0) return;
  const marks = changes.map(({ releaseId, causes }) => ({
    releaseId,
    causes: causes.map((cause) => authored(access, cause)),
  }));
  const { dialect } = access;
  const columns = { release_id: 'id', changes: 'integer', at: 'moment', causes: 'text' } as const;
  const changed = dialect.rowset('v', columns);
  const rows = marks
    .toSorted((a, b) => (a.releaseId < b.releaseId ? -1 : 1))
    .map(({ releaseId, causes }) => {
      const latest = causes.reduce((most, { at }) => Math.max(most, at), Number.NEGATIVE_INFINITY);
      return [releaseId, causes.length, dialect.moment(latest), causeLines(causes)];
    });
  const marked = access.write(
    `update release_marks as m set ${change(dialect.greatest)} from ${changed.table} where m.release_id = v.release_id`,
    changed.bindings(rows),
    'mark-releases',
  );
  // Moves need the new revision: PostgreSQL runs statements in the order they are sent, SQLite perhaps in another.
  if (dialect.name === 'sqlite') await marked;
  await Promise.all([marked, storeMoves(access, marks)]);
};

/** Marks one release as changed. */
export const markRelease = (access: Access, releaseId: string, cause: Move): Promise<void> =>
  markReleases(access, [{ releaseId, causes: [cause] }]);

/** Marks all releases of a project as changed. */
export const markProject = async (access: Access, projectId: string, move: Move): Promise<void> => {
  const cause = authored(access, move);
  const columns = { changes: 'integer', at: 'moment', causes: 'text' } as const;
  const changed = access.dialect.rowset('v', columns);
  await access.write(
    `update release_marks as m set ${change(access.dialect.greatest)} from ${changed.table} where m.project_id = ?`,
    [...changed.bindings([[1, access.dialect.moment(cause.at), causeLines([cause])]]), projectId],
  );
  await storeProjectMove(access, projectId, cause);
};

/**
 * Marks the releases that became pending or stopped being pending as changed: those in only one of the two lists of
 * ids. `stored` is the earlier list, as JSON; `after` is the new one.
 */
export const markPending = (access: Access, stored: string, after: readonly string[], at: Instant): Promise<void> => {
  const before = JSON.parse(stored) as readonly string[];
  const read = before.filter((id) => !after.includes(id)).map((id) => pendingMove(id, 'issues_read', at));
  const pending = after.filter((id) => !before.includes(id)).map((id) => pendingMove(id, 'issues_pending', at));
  return markReleases(
    access,
    [...read, ...pending].map((move) => ({ releaseId: move.id, causes: [move] })),
  );
};
