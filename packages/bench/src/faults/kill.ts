import { setTimeout as pause } from 'node:timers/promises';
import { hasPooler, startPooler } from '@shipworthy/adapters/test-pooler';
import { median } from '../figures.js';
import { endBy } from '../process/child.js';
import { startPostgres } from '../process/postgres.js';
import type { Workshop } from '../process/workshop.js';
import { postgresStorage, type Storage, sqliteStorage } from '../read-back.js';
import { standingServer } from '../subject/shipworthy.js';
import { type FaultLine, type FaultProgramme, type FaultSize, holds, tookAtMost } from './fault-programme.js';
import { startReporters } from './reporters/crew.js';
import { readBack } from './reporters/read-back.js';
import { setUpScene } from './reporters/requests.js';

const REPORTERS = 8;
const KILLS: Readonly<Record<FaultSize, number>> = { full: 200, short: 1 };
/** The latest kill after the server became ready and got reports, in milliseconds. */
const LATEST_KILL_MS = 600;
/** The most acknowledgements waited for before a kill: on a slow machine, too, it finds the server at work. */
const MOST_REPORTS = 24;
/** One kill in so many comes while the server is still starting. */
const EARLY_EVERY = 5;
/** The aim for a first answer, as after a start from nothing, in milliseconds. */
const ANSWER_AIM_MS = 1_500;
const WHY_SLOW =
  'most of it is processor time of a start, which lasts longer when the machine has other work; its load is given below.';

/** Kills a server again and again under load, then reads everything back. */
const killOn = async (
  workshop: Workshop,
  { databaseUrl, query }: Storage,
  kills: number,
): Promise<readonly FaultLine[]> => {
  const server = await standingServer(workshop, databaseUrl);
  await server.start();
  const scene = await setUpScene(server, REPORTERS);
  let killedAt: number | null = null;
  const silences: number[] = [];
  const crew = startReporters({
    scene,
    ports: [server.port],
    reporters: REPORTERS,
    patienceMs: 20_000,
    pauseMs: 20,
    heard: ({ reply }) => {
      if (killedAt === null || reply === null || reply.sentAt < killedAt) return;
      silences.push(performance.now() - killedAt);
      killedAt = null;
    },
  });
  for (let kill = 1; kill <= kills; kill += 1) {
    const enough = crew.ledger.acknowledged + Math.random() * MOST_REPORTS;
    while (crew.ledger.acknowledged < enough) await pause(1);
    await pause(Math.random() * LATEST_KILL_MS);
    await server.end('SIGKILL');
    if (kill % EARLY_EVERY === 0) {
      const starting = server.begin('start').process;
      await pause(Math.random() * LATEST_KILL_MS);
      await endBy(starting, 'SIGKILL');
    }
    killedAt = performance.now();
    await server.start();
  }
  await crew.stop(30_000);
  const lines = [
    holds('answers other than 2xx and "try again"', crew.strays[0] ?? '0', '0', crew.strays.length === 0),
    ...(await readBack(query, server.port, scene, crew.ledger)),
    {
      ...tookAtMost('from a kill to the first answer, starting included (median)', median(silences), ANSWER_AIM_MS),
      whyMissed: WHY_SLOW,
    },
  ];
  await server.end('SIGTERM');
  return lines;
};

const named = (database: string, lines: readonly FaultLine[]): readonly FaultLine[] =>
  lines.map((line) => ({ ...line, what: `${database}: ${line.what}` }));

/** What a run of that size does, in words. */
const remarksOf = (size: FaultSize): readonly string[] => [
  `Kills per database: ${KILLS[size]}, at random moments; every fifth comes twice, the second time while the server starts.`,
  `${REPORTERS} reporters without a pause: deployments begin and end, test runs, checklist items ticked and opened, reports read. What is not acknowledged is sent again under the same key until it is.`,
];

/** kill -9 of the server. */
export const kill: FaultProgramme = {
  name: 'kill',
  title: 'The server killed at random moments (kill -9)',
  run: async (size, workshop) => {
    const kills = KILLS[size];
    const onSqlite = await killOn(workshop, sqliteStorage(workshop.path('shipworthy.db')), kills);
    const postgres = await startPostgres(workshop, 'durable');
    const url = await postgres.createDatabase('shipworthy');
    const onPostgres = await killOn(workshop, postgresStorage(url), kills);
    return { lines: [...named('SQLite', onSqlite), ...named('PostgreSQL', onPostgres)], remarks: remarksOf(size) };
  },
};

const POOL_SIZE = 5;

/** kill -9 of a server that reaches PostgreSQL through a pooler, which keeps the connections of a server that is gone. */
export const killBehindPooler: FaultProgramme = {
  name: 'pooler',
  title: 'The server killed at random moments, PostgreSQL behind PgBouncer',
  run: async (size, workshop) => {
    if (!hasPooler()) throw new Error('It needs PgBouncer at /usr/sbin/pgbouncer.');
    const postgres = await startPostgres(workshop, 'durable');
    const url = await postgres.createDatabase('shipworthy');
    const pooler = await startPooler(url, POOL_SIZE);
    workshop.atClose(() => pooler.stop());
    const storage = { ...postgresStorage(url), databaseUrl: pooler.urlOf(url) };
    const lines = await killOn(workshop, storage, KILLS[size]);
    const remark = `PgBouncer runs in transaction mode, with ${POOL_SIZE} connections to the database; the rows are read past it.`;
    return { lines, remarks: [remark, ...remarksOf(size)] };
  },
};
