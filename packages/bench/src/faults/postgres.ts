import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { endBy } from '../process/child.js';
import { type Postgres, startPostgres } from '../process/postgres.js';
import type { Workshop } from '../process/workshop.js';
import { postgresQuery } from '../read-back.js';
import { standingServer } from '../subject/shipworthy.js';
import { type FaultLine, type FaultProgramme, type FaultSize, holds, tookAtMost } from './fault-programme.js';
import { openFaultProxy } from './fault-proxy.js';
import { fullDisk, type Outage, outagesOf, repeatUntilEnded } from './outages.js';
import { startReporters, type Try } from './reporters/crew.js';
import { readBack } from './reporters/read-back.js';
import { askServer, meaningOf, type ServerReply, setUpScene } from './reporters/requests.js';

const ANSWER_AIM_MS = 3_000;
const RECOVERY_AIM_MS = 5_000;
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 10;

/** Counts the answers that callers got during a fault. */
class Tally {
  done = 0;
  refused = 0;
  /** Answers that are neither done nor refused, and requests without an answer. */
  wrong = 0;
  longest = 0;
  /** When the last acknowledged change was sent, on the clock of `performance.now()`. */
  writtenAt = Number.NEGATIVE_INFINITY;

  hear({ asking, reply }: Try): void {
    if (reply === null) {
      this.wrong += 1;
      return;
    }
    const meaning = meaningOf(reply);
    if (meaning === 'done') this.done += 1;
    else if (meaning === 'again') this.refused += 1;
    else this.wrong += 1;
    if (meaning === 'done' && asking.method !== 'GET') this.writtenAt = reply.sentAt;
    this.longest = Math.max(this.longest, reply.took);
  }

  forget(): void {
    [this.done, this.refused, this.wrong, this.longest] = [0, 0, 0, 0];
  }
}

const until = async (what: string, isSo: () => boolean): Promise<void> => {
  for (const deadline = performance.now() + PATIENCE_MS; !isSo(); await pause(LOOK_EVERY_MS))
    if (performance.now() > deadline) throw new Error(`${what}: not within ${PATIENCE_MS / 1_000} s.`);
};

/** Lets an outage happen and last under load, and waits until everything is well again. */
const goThrough = async (
  outage: Outage,
  lastsMs: number,
  tally: Tally,
  health: HealthWatch,
): Promise<readonly FaultLine[]> => {
  tally.forget();
  health.longest();
  const before = { notAlive: health.notAlive, strays: health.strays };
  const end = await outage.begin();
  const begunAt = performance.now();
  let stillWritten = false;
  try {
    await pause(lastsMs);
    // The outage must show in some answers; without any, the measurement proves nothing.
    if (outage.leaves === 'nothing')
      await until(`${outage.name}: not ready`, () => !health.isReady && tally.refused > 0);
    stillWritten = outage.leaves === 'nothing' && tally.writtenAt > begunAt;
  } finally {
    await end();
  }
  const endedAt = performance.now();
  await until(`${outage.name}: back again`, () => health.isReady && tally.writtenAt > endedAt);
  const recovery = performance.now() - endedAt;
  const wrong = tally.wrong + (health.notAlive - before.notAlive) + (health.strays - before.strays);
  const { done, refused } = tally;
  return [
    holds(
      `${outage.name}: answers`,
      `${done} of 2xx, ${refused} of 503, ${wrong} other or none${stillWritten ? ', written without a database' : ''}`,
      'only 2xx, or 503 with Retry-After; livez always 200',
      wrong === 0 && !stillWritten,
    ),
    tookAtMost(`${outage.name}: longest answer`, Math.max(tally.longest, health.longest()), ANSWER_AIM_MS),
    tookAtMost(`${outage.name}: from its end until ready and written to`, recovery, RECOVERY_AIM_MS),
  ];
};

const HEALTH_EVERY_MS = 100;
const HEALTH_PATIENCE_MS = 10_000;

/** Watches the health that a server reports. */
interface HealthWatch {
  /** Answers of `livez` other than 200; there must be none. */
  readonly notAlive: number;
  /** The latest answer of `readyz`. */
  readonly isReady: boolean;
  /** Answers of `readyz` other than 200 and 503 with `Retry-After`. */
  readonly strays: number;
  /** The longest that either took since this was asked last, in milliseconds. */
  longest(): number;
  stop(): Promise<void>;
}

const watchHealth = (port: number): HealthWatch => {
  const agent = new Agent({ keepAlive: true });
  let [notAlive, strays, longest, isReady] = [0, 0, 0, false];
  const asked = async (path: string): Promise<ServerReply | null> => {
    const reply = await askServer(agent, port, { method: 'GET', path, headers: {} }, HEALTH_PATIENCE_MS).catch(
      () => null,
    );
    longest = Math.max(longest, reply?.took ?? HEALTH_PATIENCE_MS);
    return reply;
  };
  const look = async (): Promise<void> => {
    const [alive, ready] = await Promise.all([asked('/livez'), asked('/readyz')]);
    if (alive?.status !== 200) notAlive += 1;
    isReady = ready?.status === 200;
    if (!isReady && !(ready?.status === 503 && ready.retryAfter !== undefined)) strays += 1;
  };
  const stop = repeatUntilEnded(look, HEALTH_EVERY_MS);
  return {
    get notAlive() {
      return notAlive;
    },
    get isReady() {
      return isReady;
    },
    get strays() {
      return strays;
    },
    longest: () => {
      const most = longest;
      longest = 0;
      return most;
    },
    stop: async () => {
      await stop();
      agent.destroy();
    },
  };
};

const ASK_EVERY_MS = 25;

const happensInTime = async (isSo: () => Promise<boolean>): Promise<boolean> => {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; ) {
    if (await isSo()) return true;
    await pause(ASK_EVERY_MS);
  }
  return false;
};

const status = async (port: number, path: string): Promise<number> =>
  fetch(`http://127.0.0.1:${port}${path}`).then(
    (response) => response.status,
    () => 0,
  );

/** An instance that starts while its database, which is empty, is away. */
const startLate = async (workshop: Workshop, postgres: Postgres): Promise<readonly FaultLine[]> => {
  const server = await standingServer(workshop, await postgres.createDatabase('late'));
  await postgres.stop();
  const child = server.begin('start');
  const isUp = await happensInTime(async () => (await status(server.port, '/livez')) === 200);
  const duringOutage = [await status(server.port, '/readyz'), await status(server.port, '/api/about')];
  await postgres.start();
  const startedAt = performance.now();
  const health = watchHealth(server.port);
  const isReady = await happensInTime(async () => health.isReady);
  const took = performance.now() - startedAt;
  const afterwards = await status(server.port, '/api/about');
  await health.stop();
  await endBy(child.process, 'SIGTERM');
  return [
    holds(
      'started while PostgreSQL is away: readyz and a request, then a request once it is ready',
      [...duringOutage, afterwards].join(', '),
      '503, 503, 200',
      isUp && isReady && [...duringOutage, afterwards].join() === '503,503,200',
    ),
    tookAtMost('started while PostgreSQL is away: schema made and ready after it is back', took, RECOVERY_AIM_MS),
  ];
};

const REPORTERS = 24;
/** How long each outage lasts, in milliseconds. */
const LASTS: Readonly<Record<FaultSize, number>> = { full: 10_000, short: 300 };
/** How many outages a short run has. */
const SHORT = 3;
const ROUND_MS = 300;

/** PostgreSQL gone in every way. */
export const postgresOutages: FaultProgramme = {
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
    const crew = startReporters({
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
    lines.push(holds('unexpected answers', crew.strays[0] ?? '0', '0', crew.strays.length === 0));
    lines.push(...(await readBack(postgresQuery(url), server.port, scene, crew.ledger)));
    await server.end('SIGTERM');
    lines.push(...(await startLate(workshop, database)));
    return {
      lines,
      remarks: [
        `Each lasts ${lastsMs / 1_000} s under the load of ${REPORTERS} reporters, who send again what was not acknowledged; the server is never restarted.`,
        all.some(({ name }) => name.startsWith('told'))
          ? 'No disk can be mounted here: a trigger raises what PostgreSQL raises on a full one.'
          : 'The full disk, where it is run, is a small one in memory that holds deployments, their keys and an index; the log of writes is elsewhere.',
      ],
    };
  },
};
