import type { IssueEvent } from '@shipworthy/domain';
import type { Access } from './access.js';
import { grouped } from './grouped.js';

interface EventRow {
  readonly release_id: string;
  readonly issue_id: string;
  readonly at: number;
  readonly kind: IssueEvent['kind'];
  readonly type: IssueEvent['type'];
}

const eventOf = (row: EventRow): IssueEvent => ({
  issueId: row.issue_id,
  releaseId: row.release_id,
  at: row.at,
  kind: row.kind,
  type: row.type,
});

/** What happened in each of the releases, in the order asked. */
export const eventsOf = async (
  { dialect, read }: Access,
  releaseIds: readonly string[],
): Promise<readonly (readonly IssueEvent[])[]> => {
  const rows = await read<EventRow>(
    `select release_id, issue_id, at, kind, type from issue_events where ${dialect.among('release_id', 'id')}
      order by release_id, at, place`,
    [dialect.list(releaseIds)],
  );
  const byRelease = grouped(rows.map(eventOf), ({ releaseId }) => releaseId);
  return releaseIds.map((id) => byRelease.get(id) ?? []);
};
