import sqlite3 from 'sqlite3';
import { DEPLOYMENT_COLUMNS, deploymentValues, serveBare } from './bare-insert.js';

// Baseline: bare node:http and sqlite3, one prepared INSERT per request, nothing else. Argument: the database file.

const file = process.argv[2] ?? '';
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
