import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import pg from 'pg';
import sqlite3 from 'sqlite3';
import { DEPLOYMENT_COLUMNS } from './baseline-process.js';

// Baseline: bare node:http and a driver, one prepared INSERT per request, nothing else. Argument: the address of a PostgreSQL
// database, or the file of an SQLite one.

/** Turns a body into the text of a baseline's answer. */
type Answerer = (body: Record<string, unknown>) => Promise<string>;

const send = (response: ServerResponse, status: number, text: string): void => {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  response.writeHead(status, headers).end(text);
};

/** Listens on a free port of 127.0.0.1 with nothing but node:http, answers 201 or 500 and tells the parent its port. */
const serveBare = (answer: Answerer): void => {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      answer(JSON.parse(text) as Record<string, unknown>).then(
        (reply) => send(response, 201, reply),
        (error: unknown) => send(response, 500, String(error)),
      );
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(typeof address === 'object' && address ? address.port : 0);
  });
};

const PROJECT = randomUUID();

/** The values of one row in the order of the columns; moments as `moment` writes them. */
const deploymentValues = <Moment>(
  body: Record<string, unknown>,
  moment: (milliseconds: number) => Moment,
): readonly [string, ...unknown[]] => {
  const now = moment(Date.now());
  return [
    randomUUID(),
    PROJECT,
    body.app_name,
    body.environment,
    body.commit_sha,
    body.version ?? null,
    body.deployed_by ?? null,
    body.status,
    body.url ?? null,
    now,
    body.status === 'started' ? null : now,
    body.duration_seconds ?? null,
    now,
    null,
    null,
    null,
    0,
  ];
};

const POOL = 16;

const serveOnPostgres = async (connectionString: string): Promise<void> => {
  const pool = new pg.Pool({ connectionString, max: POOL });
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
};

const serveOnSqlite = (file: string): void => {
  const database = new sqlite3.Database(file);
  const done = (error: Error | null): void => {
    if (error) throw error;
  };
  database.serialize(() => {
    database.exec('pragma journal_mode = wal; pragma synchronous = full;', done);
    database.exec(
      `create table deployments (
        id text primary key, project_id text not null, app_name text not null, environment text not null,
        commit_sha text not null, version text, deployed_by text, status text not null, url text,
        started_at integer not null, finished_at integer, duration_seconds real,
        created_at integer not null, external_id text, external_fingerprint text, is_return integer, late integer not null)`,
      done,
    );
    const places = DEPLOYMENT_COLUMNS.map(() => '?').join(', ');
    const insert = database.prepare(
      `insert into deployments (${DEPLOYMENT_COLUMNS.join(', ')}) values (${places})`,
      (error: Error | null) => {
        done(error);
        serveBare((body) => {
          const values = deploymentValues(body, (milliseconds) => milliseconds);
          return new Promise((resolve, reject) => {
            insert.run(values, (failure: Error | null) =>
              failure ? reject(failure) : resolve(JSON.stringify({ data: { id: values[0] } })),
            );
          });
        });
      },
    );
  });
};

const database = process.argv[2] ?? '';
if (/^postgres(ql)?:/.test(database)) await serveOnPostgres(database);
else serveOnSqlite(database);
