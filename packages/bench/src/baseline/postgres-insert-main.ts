import pg from 'pg';
import { DEPLOYMENT_COLUMNS, deploymentValues, serveBare } from './bare-insert.js';

// Baseline: bare node:http and pg, one prepared INSERT per request, nothing else. Argument: connection string.

const POOL = 16;
const pool = new pg.Pool({ connectionString: process.argv[2], max: POOL });

await pool.query(`create table deployments (
  id uuid primary key, project_id uuid not null, app_name text not null, environment text not null,
  commit_sha text not null, version text, deployed_by text, status text not null, url text,
  started_at timestamptz not null, finished_at timestamptz, duration_seconds double precision,
  created_at timestamptz not null, external_id text, external_fingerprint text, is_return integer, late integer not null)`);

const places = DEPLOYMENT_COLUMNS.map((_, index) => `$${index + 1}`).join(', ');
const text = `insert into deployments (${DEPLOYMENT_COLUMNS.join(', ')}) values (${places})`;

serveBare(async (body) => {
  const values = deploymentValues(body, (milliseconds) => new Date(milliseconds));
  await pool.query({ name: 'insert-deployment', text, values: [...values] });
  return JSON.stringify({ data: { id: values[0] } });
});
