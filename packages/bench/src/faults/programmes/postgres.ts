import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '../../process/postgres.js';
import { postgresQuery } from '../../read-back/query.js';
import { standingServer } from '../../subject/shipworthy.js';
import { type FaultLine, type FaultProgramme, type FaultSize, holds } from '../fault-programme.js';
import { outagesOf } from '../outages/all-outages.js';
import { fullDisk } from '../outages/full-disk.js';
import { goThrough, Tally } from '../outages/go-through.js';
import { watchHealth } from '../outages/health-watch.js';
import { startLate } from '../outages/late-start.js';
import { openFaultProxy } from '../proxy/fault-proxy.js';
import { startCrew } from '../reporters/crew.js';
import { readBack } from '../reporters/read-back.js';
import { setUpScene } from '../reporters/scene.js';

const REPORTERS = 24;
/** How long each outage lasts, in milliseconds. */
const LASTS: Readonly<Record<FaultSize, number>> = { full: 10_000, short: 300 };
/** How many of them a short run has. */
const SHORT = 3;
const ROUND_MS = 300;

/** PostgreSQL gone in every way. */
export const postgres: FaultProgramme = {
  name: 'postgres',
  title: 'PostgreSQL stopped, killed, frozen, cut off, locked, full',
  run: async (size, workshop) => {
    const lastsMs = LASTS[size];
    const database = await startPostgres(workshop, 'durable');
    const url = await database.createDatabase('shipworthy');
    const proxy = await openFaultProxy(workshop, database.port);
    const server = await standingServer(workshop, url.replace(`:${database.port}/`, `:${proxy.port}/`));
    await server.start();
    const scene = await setUpScene(server, REPORTERS);
    const usual = outagesOf(database, url, proxy);
    const all = size === 'full' ? [...usual, await fullDisk(workshop, url)] : usual.slice(0, SHORT);
    const tally = new Tally();
    const health = watchHealth(server.port);
    const crew = startCrew({
      scene,
      ports: [server.port],
      reporters: REPORTERS,
      patienceMs: 30_000,
      pauseMs: 50,
      heard: (tried) => tally.hear(tried),
    });
    const lines: FaultLine[] = [];
    for (const outage of all) {
      lines.push(...(await goThrough(outage, lastsMs, tally, health)));
      await pause(ROUND_MS);
    }
    await crew.stop(30_000);
    await health.stop();
    lines.push(holds('answers nobody should get', crew.strays[0] ?? '0', '0', crew.strays.length === 0));
    lines.push(...(await readBack(postgresQuery(url), server.port, scene, crew.ledger)));
    await server.end('SIGTERM');
    lines.push(...(await startLate(workshop, database)));
    return {
      lines,
      remarks: [
        `Each lasts ${lastsMs / 1_000} s under the load of ${REPORTERS} reporters, who send again what was not acknowledged; the server is never restarted.`,
        all.some(({ name }) => name.startsWith('told'))
          ? 'Nobody may mount a disk here: a trigger raises what PostgreSQL raises on a full one.'
          : 'The full disk, where it is run, is a small one in memory that holds deployments, their keys and an index; the log of writes is elsewhere.',
      ],
    };
  },
};
