import type { Axis, Cause, Happening, Move, RecordedPoint } from '@shipworthy/domain';
import type { Access } from './access.js';
import { asJson } from './well-formed.js';

type Cells = readonly [kind: Cause['kind'], id: string, at: number, what: string, axes: string, title?: string];

const words = (text: string): readonly string[] => (text === '' ? [] : text.split(' '));

const moveOf = ([kind, id, at, what, axes, title]: Cells): Move => ({
  kind,
  id,
  at,
  what: words(what) as readonly Happening[],
  axes: words(axes) as readonly Axis[],
  title: title ?? null,
});

/** The moves of a row. */
export const movesOf = (text: string): readonly Move[] => (JSON.parse(text) as readonly Cells[]).map(moveOf);

const textOf = (moves: readonly Move[]): string =>
  asJson(
    moves.map(({ kind, id, at, what, axes, title }): Cells => {
      const cells = [kind, id, at, what.join(' '), axes.join(' ')] as const;
      return title === null ? cells : [...cells, title];
    }),
  );

const counting = (moves: readonly Move[]): readonly Move[] => moves.filter(({ what }) => what.length > 0);

/** Keeps what moved releases, under the revisions that were just counted up. */
export const storeMoves = async (
  access: Access,
  marks: readonly { readonly releaseId: string; readonly causes: readonly Move[] }[],
): Promise<void> => {
  const rows = marks.flatMap(({ releaseId, causes }) => {
    const moves = counting(causes);
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

/** The same for all releases of a project. */
export const storeProjectMove = async (access: Access, projectId: string, move: Move): Promise<void> => {
  if (counting([move]).length === 0) return;
  const given = access.dialect.rowset('v', { moves: 'text' });
  await access.write(
    `insert into release_moves (release_id, revision, turn, size, moves)
      select m.release_id, m.revision, 0, 1, v.moves from ${given.table} join release_marks m on m.project_id = ?`,
    [...given.bindings([[textOf([move])]]), projectId],
  );
};

/** Keeps the time limits that a point was settled for; one that an earlier point showed already stays where it is. */
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
