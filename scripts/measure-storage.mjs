// Measures what records take on PostgreSQL: bytes by table after so many deployments and test runs went through the server,
// and the log written for them. Needs a built checkout. Usage: node scripts/measure-storage.mjs [deployments, 100000 unless given]
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopPostgres, testDatabase } from '@shipworthy/adapters/test-database';
import { setUp } from '@shipworthy/example-own-pipeline/person';
import { startServer } from '@shipworthy/example-own-pipeline/server-process';
import pg from 'pg';

const BATCH = 1000;
const HOUR = 3_600_000;
const DAYS = 100;
const deployments = Number(process.argv[2] ?? 100_000);

const commit = () => randomBytes(20).toString('hex');

const folder = await mkdtemp(join(tmpdir(), 'storage-'));
const database = await testDatabase({ empty: true });
const client = new pg.Client({ connectionString: database.url });
let server;

const logPlace = async () => (await client.query('select pg_current_wal_lsn() as place')).rows[0].place;
const logSince = async (place) =>
  Number((await client.query('select pg_wal_lsn_diff(pg_current_wal_lsn(), $1) as bytes', [place])).rows[0].bytes);

const sizes = async () => {
  // Measures without dead rows: autovacuum keeps the sizes near that.
  await client.query('vacuum full analyze');
  const { rows } = await client.query(
    `select relname as name, pg_table_size(oid) as rows, pg_indexes_size(oid) as indexes, reltuples::bigint as count
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  return new Map(rows.map(({ name, ...size }) => [name, { ...size, total: Number(size.rows) + Number(size.indexes) }]));
};

const print = (what, count, table, measured) => {
  const { rows, indexes, total, count: stored } = measured.get(table);
  const each = (bytes) => Math.round(Number(bytes) / Math.max(1, count));
  console.log(
    `${what}: ${each(total)} bytes each (${each(rows)} row, ${each(indexes)} indexes), ${stored} rows in ${table}`,
  );
};

try {
  await client.connect();
  server = await startServer(folder, 'a token of this run', {
    DATABASE_URL: database.url,
    SHIPWORTHY_SECRET_KEY: 'q3dGm0Yx7TzVb1RkPs9LcWnE4uJhAf2oX8iZy6KtMvB',
    SHIPWORTHY_RATE_LIMIT: 'off',
  });
  const person = await setUp(server.url, server.setupToken);
  const team = (await person.createTeam({ body: { name: 'Payments' } })).body.data;
  const project = (await person.createProject({ path: { team_id: team.id }, body: { name: 'checkout' } })).body.data;
  const path = { team_id: team.id, project_id: project.id };
  const startsAt = new Date(Date.now() - DAYS * 24 * HOUR).toISOString();
  const release = (await person.createRelease({ path, body: { name: '1.0', starts_at: startsAt } })).body.data;
  await person.activateRelease({ path: { ...path, release_id: release.id } });
  const key = (
    await person.createApiKey({ body: { name: 'ci', scopes: ['read', 'deployments:write', 'test-runs:write'] } })
  ).body.data.key;

  const send = async (address, body, headers = {}) => {
    const answer = await fetch(server.url + address, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const deployment = (index) => {
    const started = Date.now() - ((index * 7919) % (DAYS * 24 * 60)) * 60_000 - HOUR;
    return {
      app_name: 'checkout',
      environment: index % 3 === 0 ? 'production' : 'staging',
      commit_sha: commit(),
      version: `1.${index}.0`,
      deployed_by: 'GitHub Actions',
      status: index % 10 === 0 ? 'failure' : 'success',
      started_at: new Date(started).toISOString(),
      finished_at: new Date(started + 90_000).toISOString(),
      url: `https://ci.example.org/payments/checkout/actions/runs/${index}`,
    };
  };

  let place = await logPlace();
  for (let sent = 0; sent < deployments; sent += BATCH)
    await send(
      '/api/deployments/batch',
      Array.from({ length: BATCH }, (_, index) => deployment(sent + index)),
    );
  console.log(`log of an imported deployment: ${Math.round((await logSince(place)) / deployments)} bytes`);
  print('deployment', deployments, 'deployments', await sizes());

  const singles = Math.min(deployments / 10, 10_000);
  place = await logPlace();
  for (let sent = 0; sent < singles; sent += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        send('/api/deployments', deployment(sent + index), { 'idempotency-key': commit() }),
      ),
    );
  console.log(`log of a deployment with its key, 50 at once: ${Math.round((await logSince(place)) / singles)} bytes`);
  place = await logPlace();
  const runs = `/api/teams/${team.id}/projects/${project.id}/test-runs`;
  for (let sent = 0; sent < singles; sent += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        send(runs, {
          total: 1200,
          passed: 1190 + ((sent + index) % 10),
          failed: 1,
          suite: 'unit',
          commit_sha: commit(),
        }),
      ),
    );
  console.log(`log of a test run, 50 at once: ${Math.round((await logSince(place)) / singles)} bytes`);
  const measured = await sizes();
  print('remembered answer', measured.get('idempotency').count, 'idempotency', measured);
  print('test run', singles, 'test_runs', measured);
  print('kept counts', measured.get('deployment_counts').count, 'deployment_counts', measured);
  const points = Number(measured.get('history_points').count);
  if (points > 0) print('point of a trend', points, 'history_points', measured);
  print('moves of one revision', Number(measured.get('release_moves').count), 'release_moves', measured);
  console.log(
    `moves per report: ${Math.round(measured.get('release_moves').total / (deployments + 2 * singles))} bytes`,
  );
  const { rows } = await client.query('select pg_database_size(current_database()) as bytes');
  console.log(`whole database: ${Math.round(Number(rows[0].bytes) / 2 ** 20)} MiB`);
} finally {
  await server?.stop();
  await client.end();
  await database.drop();
  await stopPostgres();
  await rm(folder, { recursive: true, force: true });
}
