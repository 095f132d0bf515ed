import type { PageRequest } from '../page.js';
import type { Stores } from '../ports.js';
import { passedLimits } from '../release/history-point.js';
import type { Knowledge, Moves } from '../release/history-store.js';
import type { Move } from '../release/move.js';
import type { ReleaseDossier } from '../release/release-facts-store.js';

/** The time limits that passed since the last change and that no point was settled for yet, as far as only `until` knows them. */
const unsettledLimits = (
  dossier: ReleaseDossier,
  settledUntil: number,
  from: Knowledge,
  until: Knowledge,
): readonly Move[] => {
  const { revision } = dossier.revision;
  if (dossier.release.state === 'shipped' || revision !== until.revision) return [];
  return passedLimits(dossier, until.at).filter(
    ({ at }) => at > settledUntil && (revision > from.revision || at > from.at),
  );
};

/** A page of what moved a release from one knowledge to another: what is kept, and behind it what no point was settled for yet. */
export const moveRows = async (
  { history }: Pick<Stores, 'history'>,
  dossier: ReleaseDossier,
  from: Knowledge,
  until: Knowledge,
  { limit, after }: PageRequest,
): Promise<Moves> => {
  const { id: releaseId } = dossier.release;
  // Read first: a time limit that is settled meanwhile is then among the kept moves.
  const [last] = await history.latest([releaseId]);
  const kept = await history.moves(releaseId, from, until, { limit, after });
  const unsettled = unsettledLimits(dossier, last?.at ?? 0, from, until).filter(
    ({ at }) => !kept.rows.some((row) => row.kind === 'time_limit' && row.at === at),
  );
  const count = kept.count + unsettled.length;
  if (kept.next !== null) return { ...kept, count };
  const [revision, turn] = (after ?? [0, 0]).map(Number);
  const behind = unsettled.filter(({ at }) => revision !== until.revision || at > (turn ?? 0));
  const shown = behind.slice(0, limit - kept.rows.length);
  const following = behind[shown.length];
  // Just before the one that follows: it may be settled by then, and is found there, too.
  const next = following === undefined ? null : [until.revision, following.at - 1, 0];
  return { rows: [...kept.rows, ...shown], next, count };
};
