// SQL by hand: one statement updates the stored counts of all hours and days that a batch touches.
import {
  type CountDifference,
  countsAsReturn,
  type DailyCount,
  type Deployment,
  type DeploymentStatus,
  type Instant,
  type ListOrder,
} from '@shipworthy/domain';
import { SQL_ORDERS } from '../deployment-rows-sql.js';
import type { Value } from '../dialect.js';
import { type Access, timesIn } from '../sql.js';

/** Length of an hour in milliseconds. */
export const HOUR = 3_600_000;

/** The lengths of the buckets deployments are counted in, in hours. */
const BUCKET_HOURS = [24, 1] as const;

/** The number of the bucket of `hours` hours that holds the moment, counted from 1970. */
const bucketOf = (at: number, hours: number): number => Math.floor(at / (hours * HOUR));

/** SQL for a value divided by `length`, rounded down, also below zero. */
export const floorOf = (value: string, length: number): string =>
  `((${value}) - (((${value}) % ${length}) + ${length}) % ${length}) / ${length}`;

/** SQL for a value divided by `length`, rounded up. */
export const ceilingOf = (value: string, length: number): string => floorOf(`${value} + ${length - 1}`, length);

/** The end of an open window in statements: later than any stored moment, and the beginning of an hour and of a day. */
export const FOREVER = 4_000_000 * 24 * HOUR;

/** Which hours are looked for. */
interface Wanted {
  /** Returns the SQL condition on a stored count, of an hour or of its day; `count` is the name of the table. */
  readonly condition: (count: string) => string;
  readonly bindings: readonly Value[];
  /** null: since the beginning. */
  readonly from: Instant | null;
  /** Exclusive, but the hour that holds it is included. */
  readonly to: Instant;
  readonly limit: number;
  readonly order: ListOrder;
}

/**
 * Returns the first hours, in this order and at most `limit`, in which such deployments of the project started; reads
 * only the stored counts. Hours are numbered from 1970.
 */
export const hoursHolding = async (
  { dialect, read }: Access,
  projectId: string,
  { condition, bindings, from, to, limit, order }: Wanted,
): Promise<readonly number[]> => {
  const [way] = SQL_ORDERS[order];
  const least = (bucket: string): string => (from === null ? '' : `and ${bucket} >= ?`);
  const first = (hours: number): readonly Value[] => (from === null ? [] : [bucketOf(from, hours)]);
  // Selects the days in one subquery and the hours of each day in another: with a join, a database may read all hours.
  const days = await read<{ hours: string | null }>(
    `select (select ${dialect.jsonArrayOf}(x.bucket) from (select distinct h.bucket from deployment_counts h
        where h.project_id = ? and h.hours = 1 and h.bucket >= s.bucket * 24 and h.bucket < s.bucket * 24 + 24
          and h.bucket <= ? ${least('h.bucket')} and ${condition('h')}) x) as hours
      from (select distinct d.bucket from deployment_counts d where d.project_id = ? and d.hours = 24
        and d.bucket <= ? ${least('d.bucket')} and ${condition('d')} order by d.bucket ${way} limit ?) s`,
    [
      ...[projectId, bucketOf(to, 1), ...first(1), ...bindings],
      ...[projectId, bucketOf(to, 24), ...first(24), ...bindings, limit],
    ],
  );
  return days
    .flatMap(({ hours: ofDay }) => (ofDay === null ? [] : (JSON.parse(ofDay) as readonly number[])))
    .toSorted((a, b) => (order === 'newest-first' ? b - a : a - b))
    .slice(0, limit);
};

/** Makes spans of time from hours in this order; joins hours that follow each other, so that one search covers many. */
export const joinedHours = (
  hours: readonly number[],
  order: ListOrder,
): readonly { readonly from: Instant; readonly to: Instant }[] => {
  const spans: { readonly from: Instant; readonly to: Instant }[] = [];
  for (const hour of hours) {
    const from = hour * HOUR;
    const last = spans.at(-1);
    if (order === 'newest-first' && last?.from === from + HOUR) spans[spans.length - 1] = { ...last, from };
    else if (order === 'oldest-first' && last?.to === from) spans[spans.length - 1] = { ...last, to: from + HOUR };
    else spans.push({ from, to: from + HOUR });
  }
  return spans;
};

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

const recounted = (milliseconds: string, hours: number, condition: string): string => `
  select project_id, ${hours} as hours, ${floorOf(milliseconds, hours * HOUR)} as bucket, environment,
    sum(case when status = 'started' then 1 else 0 end) as started,
    sum(case when status = 'success' and is_return is null then 1 else 0 end) as success,
    sum(case when status = 'failure' then 1 else 0 end) as failure,
    sum(case when status = 'success' and is_return = 1 then 1 else 0 end) as returned
  from deployments ${condition} group by 1, 2, 3, 4`;

type CountedRows = Omit<DailyCount, 'projectId' | 'environment' | 'day' | 'started'>;

const countOf = (row: BucketRow, started: number | null, counts: CountedRows): DailyCount | null => {
  const { project_id: projectId, environment, bucket, hours } = row;
  return started === null ? null : { projectId, environment, day: bucket * hours * HOUR, started, ...counts };
};

/** On a cluster: reads the differences of one project after the other, ordered like those of one statement for all. */
const differingOfEach = async ({ read }: Access, sql: string): Promise<readonly BucketRow[]> => {
  const projects = await read<{ id: string }>('select id from projects order by id');
  const found: BucketRow[] = [];
  for (const { id } of projects) found.push(...(await read<BucketRow>(sql, timesIn(sql, id))));
  return found;
};

/**
 * Returns the days, and the hours within them, whose stored counts differ from the deployments. A count of only zeros
 * equals no deployments. Leaves out counts from before the kept deployments. Takes as long as reading all of them.
 */
export const recount = (access: Access): Promise<readonly CountDifference[]> =>
  access.atomically(async (inside) => {
    const { cluster, name, milliseconds } = inside.dialect;
    if (name === 'postgres') await inside.write('set local statement_timeout = 0');
    const time = milliseconds('started_at');
    const differing = (only: string): string =>
      `select x.* from (select coalesce(k.project_id, c.project_id) as project_id, coalesce(k.environment, c.environment) as environment,
          coalesce(k.bucket, c.bucket) as bucket, coalesce(k.hours, c.hours) as hours, k.started as kept_started,
          k.success as kept_success, k.failure as kept_failure, k.returned as kept_returned, c.started, c.success, c.failure, c.returned
        from (select * from deployment_counts where ${only === '' ? '' : `${only} and`} (started <> 0 or success <> 0 or failure <> 0 or returned <> 0)) k
          full join (${recounted(time, 24, only && `where ${only}`)} union all ${recounted(time, 1, only && `where ${only}`)}) c on ${only === '' ? 'c.project_id = k.project_id and' : ''}
            c.hours = k.hours and c.bucket = k.bucket and c.environment = k.environment
        where k.project_id is null or c.project_id is null
          or k.started <> c.started or k.success <> c.success or k.failure <> c.failure or k.returned <> c.returned) x
          left join projects p on p.id = x.project_id
        where p.deployments_since is null or x.bucket * x.hours * ${HOUR} >= ${milliseconds('p.deployments_since')}
        order by 1, 2, 4 desc, 3`;
    const rows = await (cluster === null
      ? inside.read<BucketRow>(differing(''))
      : differingOfEach(inside, differing('project_id = ?')));
    return rows.map((row) => ({
      kept: countOf(row, row.kept_started, {
        success: row.kept_success,
        failure: row.kept_failure,
        returned: row.kept_returned,
      }),
      recounted: countOf(row, row.started, { success: row.success, failure: row.failure, returned: row.returned }),
    }));
  });

/** A deployment that is new (`from`: null), or that changed from another status to its present one. */
interface StatusChange {
  readonly deployment: Deployment;
  readonly from: DeploymentStatus | null;
}

type Counts = Pick<DailyCount, DeploymentStatus | 'returned'>;
type Row = [projectId: string, hours: number, bucket: number, environment: string, Record<keyof Counts, number>];

const rowsOf = (changes: readonly StatusChange[]): readonly Row[] => {
  const rows = new Map<string, Row>();
  for (const { deployment, from } of changes) {
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

/** Updates the stored counts in one statement, in the order of their keys. */
export const moveCounts = async (access: Access, changes: readonly StatusChange[]): Promise<void> => {
  if (changes.length === 0) return;
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
      rowsOf(changes).map(([projectId, hours, bucket, environment, { started, success, failure, returned }]) => [
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
