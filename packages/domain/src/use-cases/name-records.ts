import type { Stores } from '../ports.js';
import type { Cause, Move } from '../release/move.js';

type Titles = readonly (readonly [id: string, title: string])[];

const idsOf = (causes: readonly Cause[], kind: Cause['kind']): readonly string[] => [
  ...new Set(causes.filter((cause) => cause.kind === kind).map(({ id }) => id)),
];

const titlesOf = async <Found extends { readonly id: string }>(
  causes: readonly Cause[],
  kind: Cause['kind'],
  find: (ids: readonly string[]) => Promise<readonly (Found | undefined)[]>,
  titleOf: (found: Found) => string,
): Promise<Titles> => {
  const ids = idsOf(causes, kind);
  if (ids.length === 0) return [];
  return (await find(ids)).flatMap((found) => (found === undefined ? [] : [[found.id, titleOf(found)] as const]));
};

/** The moves with their records in short, as they are now, where nothing was kept with them: one query at most for each kind of record. */
export const nameRecords = async (
  { deployments, testRuns, issues, checklists, waivers }: Stores,
  releaseId: string,
  moves: readonly Move[],
): Promise<readonly Move[]> => {
  const found = await Promise.all([
    titlesOf(
      moves,
      'deployment',
      (ids) => deployments.byIds(ids),
      ({ environment, status }) => `${environment}, ${status}`,
    ),
    titlesOf(
      moves,
      'test_run',
      (ids) => testRuns.byIds(ids),
      ({ passed, total }) => `${passed} of ${total} passed`,
    ),
    titlesOf(
      moves,
      'issue',
      (ids) => issues.byIds(ids),
      ({ title }) => title,
    ),
    titlesOf(
      moves,
      'checklist_item',
      () => checklists.ofRelease(releaseId),
      ({ title }) => title,
    ),
    titlesOf(
      moves,
      'waiver',
      () => waivers.ofRelease(releaseId),
      ({ code, axis }) => (axis === null ? code : `${code}, ${axis}`),
    ),
  ]);
  const titles = new Map(found.flat());
  return moves.map((move) => ({ ...move, title: move.title ?? titles.get(move.id) ?? null }));
};
