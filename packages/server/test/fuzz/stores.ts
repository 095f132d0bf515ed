import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knexStores, openDatabase } from '@shipworthy/adapters/knex';
import { testDatabase, writeMigratedFile } from '@shipworthy/adapters/test-database';
import type { StoresToServe } from '../harness/openings.js';

/** Stores that tell what was changed in them. */
export interface WatchedStores extends StoresToServe {
  /** What was changed since it was asked last, such as `insert into teams`. */
  changes(): Promise<readonly string[]>;
}

/**
 * What only requests change, and only those that succeed. Left out are tables that background work writes, that count tries to
 * sign in, or that note when a person was last seen.
 */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  insert: [
    'users teams memberships sessions api_keys invitations idempotency projects former_project_names policies releases',
    'frozen_reports checklist_items evidence issues issue_events deployments deployment_counts test_runs latest_test_runs',
    'waivers host_connections host_approvals repository_links webhooks badges event_sources checklist_templates',
  ],
  update: [
    'users teams memberships invitations projects policies releases checklist_items evidence issues deployments',
    'deployment_counts test_runs latest_test_runs waivers badges event_sources checklist_templates',
  ],
  delete: [
    'users teams memberships sessions api_keys projects policies releases checklist_items evidence issues deployments',
    'test_runs latest_test_runs waivers host_connections repository_links webhooks badges event_sources',
  ],
};

const statements = (): readonly string[] =>
  Object.entries(KEPT).flatMap(([verb, tables]) =>
    tables
      .join(' ')
      .split(' ')
      .map(
        (table) => `create trigger watch_${verb}_${table} after ${verb} on ${table}
          begin insert into changes (what) values ('${verb} ${table}'); end`,
      ),
  );

/** A busy machine may keep a connection waiting for longer than a service would wait; in milliseconds. */
const PATIENCE = 60_000;

const openSqlite = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shipworthy-fuzz-'));
  const path = join(folder, 'service.db');
  await writeMigratedFile(path);
  const database = await openDatabase({ url: `sqlite:${path}`, waitMs: PATIENCE });
  const close = async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { database, stores: { stores: knexStores(database), close } };
};

/** A SQLite file of its own. */
export const patientSqlite = async (): Promise<StoresToServe> => (await openSqlite()).stores;

/** A database of its own on a real PostgreSQL. */
export const patientPostgres = async (): Promise<StoresToServe> => {
  const { url, drop } = await testDatabase();
  const database = await openDatabase({ url, waitMs: PATIENCE, statementMs: PATIENCE });
  const close = async () => {
    await database.close();
    await drop();
  };
  return { stores: knexStores(database), close };
};

/** A SQLite file of its own in which triggers note every change. */
export const watchedSqlite = async (): Promise<WatchedStores> => {
  const { database, stores } = await openSqlite();
  const { access } = database;
  await access.write('create table changes (id integer primary key, what text not null)');
  for (const statement of statements()) await access.write(statement);
  let seen = 0;
  const changes = async () => {
    const rows = await access.read<{ id: number; what: string }>(
      'select id, what from changes where id > ? order by id',
      [seen],
    );
    seen = rows.at(-1)?.id ?? seen;
    return rows.map(({ what }) => what);
  };
  return { ...stores, changes };
};
