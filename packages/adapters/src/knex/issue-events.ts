import type { IssueEvent, Page, PageRequest } from '@shipworthy/domain';
import type { Access } from './access.js';
import { FIRST_MOMENT } from './dialect.js';

type EventCells = readonly [
  issueId: string,
  at: number,
  kind: IssueEvent['kind'],
  type: IssueEvent['type'],
  place: number,
];

/** What happened in a release. A page is one text: as rows of their own thousands of events take twice as long to arrive. */
export const eventsOf = async (
  { dialect, read }: Access,
  releaseId: string,
  { limit, after }: PageRequest,
): Promise<Page<IssueEvent>> => {
  const { jsonArray, jsonArrayOf, milliseconds, moment } = dialect;
  const [at, place] = after ?? [FIRST_MOMENT, 0];
  const event = `${jsonArray}(issue_id, ${milliseconds('at')}, kind, type, place)`;
  const [row] = await read<{ readonly events: string | null }>(
    `select ${jsonArrayOf}(${event} order by at, place) as events
      from (select issue_id, at, kind, type, place from issue_events
        where release_id = ? and (at, place) > (?, ?) order by at, place limit ?) as e`,
    [releaseId, moment(Number(at)), Number(place), limit + 1],
    'events-of-release',
  );
  const cells: readonly EventCells[] = JSON.parse(row?.events ?? '[]');
  const shown = cells.slice(0, limit);
  const last = shown.at(-1);
  return {
    rows: shown.map(([issueId, happenedAt, kind, type]) => ({ issueId, releaseId, at: happenedAt, kind, type })),
    next: cells.length > limit && last !== undefined ? [last[1], last[4]] : null,
  };
};
