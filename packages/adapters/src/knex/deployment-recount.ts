import type { CountDifference, DailyCount } from '@shipworthy/domain';
import type { Access } from './access.js';
import { floorOf, HOUR } from './buckets.js';

interface BucketRow {
  readonly project_id: string;
  readonly environment: string;
  readonly bucket: number;
  readonly hours: number;
  readonly kept_started: number | null;
  readonly kept_success: number;
  readonly kept_failure: number;
  readonly kept_returned: number;
  readonly started: number | null;
  readonly success: number;
  readonly failure: number;
  readonly returned: number;
}

const recounted = (milliseconds: string, hours: number): string => `
  select project_id, ${hours} as hours, ${floorOf(milliseconds, hours * HOUR)} as bucket, environment,
    sum(case when status = 'started' then 1 else 0 end) as started,
    sum(case when status = 'success' and is_return is null then 1 else 0 end) as success,
    sum(case when status = 'failure' then 1 else 0 end) as failure,
    sum(case when status = 'success' and is_return = 1 then 1 else 0 end) as returned
  from deployments group by 1, 2, 3, 4`;

type Counts = Omit<DailyCount, 'projectId' | 'environment' | 'day' | 'started'>;

const countOf = (row: BucketRow, started: number | null, counts: Counts): DailyCount | null => {
  const { project_id: projectId, environment, bucket, hours } = row;
  return started === null ? null : { projectId, environment, day: bucket * hours * HOUR, started, ...counts };
};

/**
 * The days, and the hours within them, whose kept counts differ from the rows. A kept count of nothing but zeros is no
 * difference to there being no rows, nor is one from before records were removed. Takes as long as reading all deployments takes.
 */
export const recount = (access: Access): Promise<readonly CountDifference[]> =>
  access.atomically(async (inside) => {
    const { name, milliseconds } = inside.dialect;
    if (name === 'postgres') await inside.write('set local statement_timeout = 0');
    const time = milliseconds('started_at');
    const rows = await inside.read<BucketRow>(
      `select x.* from (select coalesce(k.project_id, c.project_id) as project_id, coalesce(k.environment, c.environment) as environment,
          coalesce(k.bucket, c.bucket) as bucket, coalesce(k.hours, c.hours) as hours, k.started as kept_started,
          k.success as kept_success, k.failure as kept_failure, k.returned as kept_returned, c.started, c.success, c.failure, c.returned
        from (select * from deployment_counts where started <> 0 or success <> 0 or failure <> 0 or returned <> 0) k
          full join (${recounted(time, 24)} union all ${recounted(time, 1)}) c on c.project_id = k.project_id
            and c.hours = k.hours and c.bucket = k.bucket and c.environment = k.environment
        where k.project_id is null or c.project_id is null
          or k.started <> c.started or k.success <> c.success or k.failure <> c.failure or k.returned <> c.returned) x
          left join projects p on p.id = x.project_id
        where p.deployments_since is null or x.bucket * x.hours * ${HOUR} >= ${milliseconds('p.deployments_since')}
        order by 1, 2, 4 desc, 3`,
    );
    return rows.map((row) => ({
      kept: countOf(row, row.kept_started, {
        success: row.kept_success,
        failure: row.kept_failure,
        returned: row.kept_returned,
      }),
      recounted: countOf(row, row.started, { success: row.success, failure: row.failure, returned: row.returned }),
    }));
  });
