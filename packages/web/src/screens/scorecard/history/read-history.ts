import type { HistoryPoint } from '@shipworthy/client';
import { client } from '../../../api/client.js';
import { inRelease, type ReleasePlace } from '../../../navigation/places.js';

const PAGE = 200;
/** More points than that are no longer told apart on a screen. */
const MOST_PAGES = 10;

/** The trend of a release from its beginning, in order of time, and whether there is more of it. */
export const readHistory = async (
  place: ReleasePlace,
  signal: AbortSignal,
): Promise<{ readonly points: readonly HistoryPoint[]; readonly more: boolean }> => {
  const points: HistoryPoint[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query: { limit: number; cursor?: string } = cursor === null ? { limit: PAGE } : { limit: PAGE, cursor };
    const { body } = await client.listHistory({ path: inRelease(place), query, signal });
    points.push(...body.data);
    cursor = body.next_cursor;
    if (cursor === null) break;
  }
  return { points, more: cursor !== null };
};
