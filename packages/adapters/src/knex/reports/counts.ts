import { countsAsReturn, type DailyCount, type Deployment, type DeploymentStatus } from '@shipworthy/domain';
import type { Access } from '../access.js';
import { BUCKET_HOURS, bucketOf } from '../buckets.js';

/** How a deployment moves the counts: it comes, or goes from one status to another. */
export interface Move {
  readonly deployment: Deployment;
  readonly from: DeploymentStatus | null;
}

type Counts = Pick<DailyCount, DeploymentStatus | 'returned'>;
type Row = [projectId: string, hours: number, bucket: number, environment: string, Record<keyof Counts, number>];

const rowsOf = (moves: readonly Move[]): readonly Row[] => {
  const rows = new Map<string, Row>();
  for (const { deployment, from } of moves) {
    const { projectId, environment, startedAt, status } = deployment;
    const to = countsAsReturn(deployment) ? 'returned' : status;
    for (const hours of BUCKET_HOURS) {
      const bucket = bucketOf(startedAt, hours);
      const key = `${projectId} ${hours} ${bucket} ${environment}`;
      const row = rows.get(key) ?? [
        projectId,
        hours,
        bucket,
        environment,
        { started: 0, success: 0, failure: 0, returned: 0 },
      ];
      row[4][to] += 1;
      if (from !== null) row[4][from] -= 1;
      rows.set(key, row);
    }
  }
  return [...rows.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
};

/** Moves the kept counts in one statement, in the order of their keys. */
export const moveCounts = async (access: Access, moves: readonly Move[]): Promise<void> => {
  if (moves.length === 0) return;
  const kinds = {
    project_id: 'id',
    hours: 'integer',
    bucket: 'integer',
    environment: 'text',
    started: 'integer',
    success: 'integer',
    failure: 'integer',
    returned: 'integer',
  } as const;
  const names = Object.keys(kinds).join(', ');
  const rowset = access.dialect.rowset('v', kinds);
  await access.write(
    `insert into deployment_counts as c (${names}) select ${names} from ${rowset.table} where true
      on conflict (project_id, hours, bucket, environment) do update set started = c.started + excluded.started,
        success = c.success + excluded.success, failure = c.failure + excluded.failure,
        returned = c.returned + excluded.returned`,
    rowset.bindings(
      rowsOf(moves).map(([projectId, hours, bucket, environment, { started, success, failure, returned }]) => [
        projectId,
        hours,
        bucket,
        environment,
        started,
        success,
        failure,
        returned,
      ]),
    ),
    'move-counts',
  );
};
