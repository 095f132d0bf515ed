import type { IssueEvent } from '@shipworthy/domain';
import type { Access } from './access.js';

interface HistoryRow {
  readonly release_id: string;
  readonly events: string;
}

type EventCells = readonly [issueId: string, at: number, kind: IssueEvent['kind'], type: IssueEvent['type']];

/**
 * What happened in each of the releases, in the order asked. A release's history is one text: as rows of their own tens of
 * thousands of events take twice as long to arrive.
 */
export const eventsOf = async (
  { dialect, read }: Access,
  releaseIds: readonly string[],
): Promise<readonly (readonly IssueEvent[])[]> => {
  const { jsonArray, jsonArrayOf, milliseconds, among, list } = dialect;
  const event = `${jsonArray}(issue_id, ${milliseconds('at')}, kind, type)`;
  const rows = await read<HistoryRow>(
    `select release_id, ${jsonArrayOf}(${event} order by at, place) as events from issue_events
      where ${among('release_id', 'id')} group by release_id`,
    [list(releaseIds)],
  );
  const byRelease = new Map(rows.map(({ release_id, events }) => [release_id, events]));
  return releaseIds.map((releaseId) => {
    const cells: readonly EventCells[] = JSON.parse(byRelease.get(releaseId) ?? '[]');
    return cells.map(([issueId, at, kind, type]) => ({ issueId, releaseId, at, kind, type }));
  });
};
