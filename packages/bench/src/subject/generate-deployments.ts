import pg from 'pg';
import type { Project } from './project.js';

/** Over how many days the deployments of a project are spread, up to now. */
export const SPREAD_DAYS = 1_000;
const CHUNK = 500_000;
/** The buckets deployments are counted in. */
const BUCKET_HOURS = [1, 24];

const insertRows = `
  insert into deployments (id, project_id, app_name, environment, commit_sha, version, deployed_by, status, started_at,
    finished_at, duration_seconds, created_at)
  select uuidv7(at - now()), $1, $2, (array['production', 'eu-production', 'staging'])[1 + i % 3],
    md5(i::text) || lpad(to_hex(i % 65536), 8, '0'), '4.' || i / 1000, 'ci',
    case when i % 997 = 0 then 'started' when i % 25 = 0 then 'failure' else 'success' end, at,
    case when i % 997 = 0 then null else at + interval '90 seconds' end, 90, at
  from (select i, $3::timestamptz - ($4 - i) * ($5::double precision * interval '1 day' / $4::double precision) as at
    from generate_series($6::bigint, $7::bigint) as i) as moments`;

const countRows = `
  insert into deployment_counts (project_id, hours, bucket, environment, started, success, failure)
  select project_id, $2::integer, floor(extract(epoch from started_at) / ($2::integer * 3600)), environment,
    count(*) filter (where status = 'started'), count(*) filter (where status = 'success'),
    count(*) filter (where status = 'failure')
  from deployments where project_id = $1 group by 1, 2, 3, 4`;

/**
 * Writes past deployments of a project straight into PostgreSQL, evenly spread, with their counts and a mark on its
 * releases: what the service would have stored had they been reported one by one. The project must have none yet.
 */
export const generateDeployments = async (connectionString: string, project: Project, count: number): Promise<void> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    // The rows are right by construction: looking up the same project ten million times would only take time.
    await client.query('set session_replication_role = replica');
    // The last one has finished by now, as all the others.
    const until = new Date(Date.now() - 120_000);
    for (let from = 1; from <= count; from += CHUNK) {
      const to = Math.min(count, from + CHUNK - 1);
      await client.query(insertRows, [project.id, project.name, until, count, SPREAD_DAYS, from, to]);
    }
    for (const hours of BUCKET_HOURS) await client.query(countRows, [project.id, hours]);
    await client.query('update release_marks set revision = revision + 1, changed_at = now() where project_id = $1', [
      project.id,
    ]);
    await client.query('vacuum analyze deployments');
    await client.query('vacuum analyze deployment_counts');
  } finally {
    await client.end();
  }
};
