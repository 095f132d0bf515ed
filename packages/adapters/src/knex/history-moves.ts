import type { Knowledge, Moves, PageKey, PageRequest } from '@shipworthy/domain';
import type { Access } from './access.js';
import { movesOf } from './moves.js';

interface MovesRow {
  readonly revision: number;
  readonly turn: number;
  readonly moves: string;
  readonly total: number | string;
}

// `shown` counts the moves up to and with a row that stand behind the page before, so that no more rows are read than a page needs.
const SQL = `select revision, turn, moves, total from (
    select revision, turn, moves, size, sum(size) over () as total,
      sum(case when (revision, turn) > (?, ?) then size else 0 end) over (order by revision, turn) as shown
    from release_moves where release_id = ? and (revision, turn) > (?, ?) and (revision, turn) <= (?, ?)) as moved
  where (revision, turn) >= (?, ?) and shown - size <= ? order by revision, turn`;

const isBehind = (key: PageKey, after: PageKey): boolean => {
  const place = key.findIndex((value, index) => value !== after[index]);
  return place >= 0 && Number(key[place]) > Number(after[place]);
};

/** What moved a release, read by its key alone, and counted on the way. */
export const pageOfMoves = async (
  access: Access,
  releaseId: string,
  from: Knowledge,
  until: Knowledge,
  { limit, after }: PageRequest,
): Promise<Moves> => {
  const last = after ?? [from.revision, from.at, Number.MAX_SAFE_INTEGER];
  const [revision = 0, turn = 0] = last;
  const rows = await access.read<MovesRow>(SQL, [
    revision,
    turn,
    releaseId,
    from.revision,
    from.at,
    until.revision,
    until.at,
    revision,
    turn,
    limit,
  ]);
  const all = rows.flatMap((row) =>
    movesOf(row.moves).map((move, index) => ({ move, key: [Number(row.revision), Number(row.turn), index] })),
  );
  const behind = all.filter(({ key }) => isBehind(key, last));
  const page = behind.slice(0, limit);
  const next = behind.length > limit ? (page.at(-1)?.key ?? null) : null;
  return { rows: page.map(({ move }) => move), next, count: Number(rows[0]?.total ?? 0) };
};
