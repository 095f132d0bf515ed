import type { HistoryPoint } from '@shipworthy/client';
import { client } from '../../../api/client.js';
import { type Rows, readRows } from '../../../api/read-rows.js';
import { inRelease, type ReleasePlace } from '../../../navigation/places.js';

/** More points than that are no longer told apart on a screen. */
const MOST_POINTS = 2_000;

/** The trend of a release from its beginning, in order of time. */
export const readHistory = (place: ReleasePlace, signal: AbortSignal): Promise<Rows<HistoryPoint>> =>
  readRows(
    async (query, stop) => (await client.listHistory({ path: inRelease(place), query, signal: stop })).body,
    MOST_POINTS,
    signal,
  );
