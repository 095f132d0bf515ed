import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { distributeTables, migrate, openDatabase } from '@shipworthy/adapters/knex';
import pg from 'pg';
import { type PostgresServer, startPostgres } from './postgres/embedded-postgres.js';
import { startPooler } from './postgres/pooler.js';

/** A database that is there for one suite. */
export interface TestDatabase {
  readonly url: string;
  /** Removes it and ends the remaining connections. */
  drop(): Promise<void>;
}

interface Ground extends Omit<PostgresServer, 'data'> {
  /** The url of the same database as tests reach it. */
  urlOf(url: string): string;
  /** A database with the whole schema and no rows, to be copied. */
  readonly template: string;
}

const named = (url: string, name: string): string => {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
};

/** Carries out statements on the server's own database, one after the other; answers the rows of the last one. */
const command = async (url: string, ...statements: readonly string[]): Promise<readonly Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let rows: readonly Record<string, unknown>[] = [];
  try {
    for (const sql of statements) rows = (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
  return rows;
};

/** The nodes of the cluster of Citus that a database belongs to, its coordinator first, each with its address. */
const nodesOf = async (url: string): Promise<readonly { readonly url: string; readonly address: string }[]> => {
  const rows = await command(url, 'select nodename, nodeport from pg_dist_node where isactive order by groupid');
  return rows.map(({ nodename, nodeport }) => {
    const node = new URL(url);
    node.hostname = String(nodename);
    node.port = String(nodeport);
    return { url: node.href, address: `'${nodename}', ${nodeport}` };
  });
};

/** Few shards: making them is most of the time a test takes on a cluster. */
const SHARDS = 4;

/** A database on every node of the cluster, with the whole schema, distributed. */
const onCluster = async (url: string, name: string): Promise<TestDatabase> => {
  const nodes = await nodesOf(url);
  for (const node of nodes) {
    await command(node.url, `create database ${name}`, `alter database ${name} set citus.shard_count = ${SHARDS}`);
    await command(named(node.url, name), 'create extension citus');
  }
  const [coordinator, ...workers] = nodes.map(({ address }) => address);
  await command(
    named(url, name),
    `select citus_set_coordinator_host(${coordinator})`,
    ...workers.map((worker) => `select citus_add_node(${worker})`),
  );
  for (const step of [migrate, distributeTables]) {
    const database = await openDatabase({ url: named(url, name), statementMs: 60_000, connections: 1 });
    await step(database).finally(() => database.close());
  }
  return {
    url: named(url, name),
    drop: async () => {
      for (const node of nodes) await command(node.url, `drop database if exists ${name} with (force)`);
    },
  };
};

const start = async (): Promise<Ground> => {
  const given = process.env.TEST_DATABASE_URL;
  const server = given === undefined || given === '' ? await startPostgres() : { url: given, stop: async () => {} };
  const poolSize = Number(process.env.TEST_DATABASE_POOL_SIZE ?? 0);
  const template = `shipworthy_template_${randomBytes(6).toString('hex')}`;
  try {
    await command(server.url, `create database ${template}`);
    const database = await openDatabase({ url: named(server.url, template) });
    await migrate(database).finally(() => database.close());
  } catch (error) {
    await server.stop();
    throw error;
  }
  if (poolSize === 0) return { ...server, template, urlOf: (url) => url };
  const pooler = await startPooler(server.url, poolSize);
  const stop = async (): Promise<void> => {
    await pooler.stop();
    await server.stop();
  };
  return { url: server.url, template, urlOf: pooler.urlOf, stop };
};

let ground: Promise<Ground> | undefined;

interface TestDatabaseOptions {
  readonly empty?: boolean;
  /** Past a pooler in any case: for what only a connection of one's own can tell or do. */
  readonly direct?: boolean;
}

/**
 * A new database with the whole schema, or without any when `empty`, on the PostgreSQL server of this process, which is
 * started with the first one; on the server of TEST_DATABASE_URL instead when that is set, and through a PgBouncer with as many
 * connections to it as TEST_DATABASE_POOL_SIZE says. With TEST_DATABASE_CITUS a database with the schema is distributed over the
 * cluster whose coordinator that server is.
 */
export const testDatabase = async (options: TestDatabaseOptions = {}): Promise<TestDatabase> => {
  ground ??= start();
  const { url, template, urlOf } = await ground;
  const name = `shipworthy_test_${randomBytes(6).toString('hex')}`;
  const source = options.empty === true ? 'template0' : template;
  if (process.env.TEST_DATABASE_CITUS !== undefined && options.empty !== true) return onCluster(url, name);
  // Copying files takes half of the processor time of writing each block to the log, which is the default.
  await command(url, `create database ${name} template ${source} strategy file_copy`);
  const place = named(url, name);
  return {
    url: options.direct === true ? place : urlOf(place),
    drop: async () => {
      await command(url, `drop database if exists ${name} with (force)`);
    },
  };
};

/** Stops the server that `testDatabase` started, if it did. In tests this happens by itself. */
export const stopPostgres = async (): Promise<void> => {
  const running = ground;
  ground = undefined;
  if (running === undefined) return;
  const { url, template, stop } = await running;
  await command(url, `drop database if exists ${template} with (force)`).finally(stop);
};

const migratedFile = async (): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), 'shipworthy-template-'));
  const path = join(folder, 'data.db');
  try {
    const database = await openDatabase({ url: `sqlite:${path}` });
    // Closing brings what the write-ahead log holds into the file.
    await migrate(database).finally(() => database.close());
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
};

let schemaFile: Promise<Buffer> | undefined;

/**
 * Writes a SQLite file with the whole schema and no rows. The schema is made once in each process: making it takes far
 * more processor time than most tests that need it.
 */
export const writeMigratedFile = async (path: string): Promise<void> => {
  schemaFile ??= migratedFile();
  await writeFile(path, await schemaFile);
};
