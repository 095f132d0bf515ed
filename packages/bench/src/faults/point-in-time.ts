import { execFile, spawn } from 'node:child_process';
import { chownSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../process/child.js';
import { type Postgres, startPostgres } from '../process/postgres.js';
import type { Workshop } from '../process/workshop.js';
import { postgresQuery } from '../read-back.js';
import { standingServer } from '../subject/shipworthy.js';
import { type FaultLine, type FaultProgramme, type FaultSize, holds } from './fault-programme.js';
import { startReporters } from './reporters/crew.js';
import { readBack } from './reporters/read-back.js';
import { type Ledger, setUpScene } from './reporters/requests.js';

const REPORTERS = 8;
/** How long the server is under load before and after the moment, in milliseconds. */
const WORK_MS: Readonly<Record<FaultSize, number>> = { full: 10_000, short: 500 };
const MOMENT = 'before_the_accident';

/** Makes a folder that belongs to the user who owns the server's data. */
const folderBeside = (workshop: Workshop, { data }: Postgres, name: string): string => {
  const folder = workshop.path(name);
  const { uid, gid } = statSync(data);
  mkdirSync(folder, { mode: 0o700 });
  chownSync(folder, uid, gid);
  return folder;
};

const command = async (url: string, ...statements: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};

/** Writes a file into a server's data, which belongs to the same user as the data. */
const give = (data: string, name: string, text: string): void => {
  const { uid, gid } = statSync(data);
  writeFileSync(join(data, name), text);
  chownSync(join(data, name), uid, gid);
};

/** Copies the data of the running server as PostgreSQL's manual says. */
const backUp = async (url: string, postgres: Postgres, copy: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('base', true)`);
    await promisify(execFile)('cp', ['-a', `${postgres.data}/.`, copy]);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(true)');
    give(copy, 'backup_label', rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  rmSync(join(copy, 'postmaster.pid'));
};

/** Starts a server on the copy that replays the archive up to the moment; returns its port once it takes changes. */
const startRestored = async (
  workshop: Workshop,
  postgres: Postgres,
  copy: string,
  archive: string,
): Promise<number> => {
  const [binary = ''] = readFileSync(join(postgres.data, 'postmaster.opts'), 'utf8').split(' ', 1);
  const { uid, gid } = statSync(postgres.data);
  const port = await freePort();
  give(copy, 'recovery.signal', '');
  const settings = {
    listen_addresses: '127.0.0.1',
    archive_mode: 'off',
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_name: MOMENT,
    recovery_target_action: 'promote',
    max_connections: 200,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = workshop.path('restored.log');
  const output = openSync(log, 'a');
  const server = spawn(binary, ['-D', copy, '-p', String(port), ...flags], {
    uid,
    gid,
    stdio: ['ignore', output, output],
  });
  workshop.keep(server);
  const url = `postgres://postgres:bench@127.0.0.1:${port}/postgres`;
  const takesChanges = async (): Promise<boolean> =>
    postgresQuery(url)('select pg_is_in_recovery() as recovering').then(
      ([row]) => row?.recovering === false,
      () => false,
    );
  while (!(await takesChanges())) {
    if (server.exitCode !== null) throw new Error(`The restored server ended: ${readFileSync(log, 'utf8')}`);
    await pause(100);
  }
  return port;
};

/**
 * What the restored database must hold: what was acknowledged before the moment. What was sent until it had come may be
 * there or not. Ticks are left out: they change all the time.
 */
const expectedAt = (before: Ledger, after: Ledger): Ledger => ({
  deployments: new Map(
    [...after.deployments.keys()].map((commit) => [
      commit,
      before.deployments.get(commit) ?? { id: null, state: 'started' },
    ]),
  ),
  testRuns: new Map([...after.testRuns.keys()].map((commit) => [commit, before.testRuns.get(commit) ?? null])),
  items: new Map(),
  acknowledged: before.acknowledged,
});

const restoreUnderLoad = async (size: FaultSize, workshop: Workshop): Promise<readonly FaultLine[]> => {
  const archive = workshop.path('archive');
  const postgres = await startPostgres(workshop, 'durable', ['archive_mode=on', `archive_command=cp %p ${archive}/%f`]);
  const { uid, gid } = statSync(postgres.data);
  mkdirSync(archive, { mode: 0o700 });
  chownSync(archive, uid, gid);
  const url = await postgres.createDatabase('shipworthy');
  const server = await standingServer(workshop, url);
  await server.start();
  const scene = await setUpScene(server, REPORTERS);
  const crew = startReporters({ scene, ports: [server.port], reporters: REPORTERS, patienceMs: 20_000, pauseMs: 20 });
  await pause(WORK_MS[size]);
  const copy = folderBeside(workshop, postgres, 'copy');
  await backUp(url, postgres, copy);
  await pause(WORK_MS[size]);
  const before = structuredClone(crew.ledger);
  await command(url, `select pg_create_restore_point('${MOMENT}')`);
  const after = structuredClone(crew.ledger);
  await pause(WORK_MS[size]);
  await crew.stop(30_000);
  await server.end('SIGTERM');
  // The accident, and the end of the log brought into the archive.
  await command(url, 'delete from deployment_counts', 'select pg_switch_wal()', 'checkpoint');
  await postgres.stop();

  const port = await startRestored(workshop, postgres, copy, archive);
  const restoredUrl = url.replace(`:${postgres.port}/`, `:${port}/`);
  const restored = await standingServer(workshop, restoredUrl);
  await restored.start();
  const later = [...crew.ledger.deployments.keys()].filter((commit) => !after.deployments.has(commit)).length;
  const lines = [
    holds('deployments begun after the moment', `${later}`, '1 or more', later > 0),
    ...(await readBack(postgresQuery(restoredUrl), restored.port, scene, expectedAt(before, after))),
  ];
  await restored.end('SIGTERM');
  return lines;
};

/** A backup restored to a moment under load. */
export const pointInTime: FaultProgramme = {
  name: 'restore',
  title: 'PostgreSQL restored to a moment under load',
  run: async (size, workshop) => ({
    lines: await restoreUnderLoad(size, workshop),
    remarks: [
      `A base backup and the archived log, both taken while ${REPORTERS} reporters reported without a pause; restored to a named point that was set ${WORK_MS[size] / 1_000} s after the backup, with as much reported after it, and a table emptied then.`,
      'Acknowledged means: before the point was asked for. What was on its way then may be there or not; nothing that was sent later is.',
    ],
  }),
};
