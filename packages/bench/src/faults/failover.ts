import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../figures.js';
import type { Workshop } from '../process/workshop.js';
import { postgresQuery } from '../read-back.js';
import { standingServer } from '../subject/shipworthy.js';
import { type FaultLine, type FaultProgramme, type FaultSize, holds, tookAtMost } from './fault-programme.js';
import { type Cluster, type ClusterMember, startCluster } from './patroni.js';
import { startReporters } from './reporters/crew.js';
import { readBack } from './reporters/read-back.js';
import { meaningOf, setUpScene } from './reporters/requests.js';

const REPORTERS = 8;
const DATABASE = 'shipworthy';
/** From a new primary to the first acknowledged change, in milliseconds. */
const BACK_AIM_MS = 3_000;
const PATIENCE_MS = 60_000;
/** How long it is reported to before each fault, in milliseconds. */
const WORK_MS = 1_000;

interface FailoverSize {
  readonly kills: number;
  readonly switchovers: number;
  readonly cuts: number;
}

const SIZES: Readonly<Record<FaultSize, FailoverSize>> = {
  full: { kills: 20, switchovers: 5, cuts: 3 },
  short: { kills: 1, switchovers: 1, cuts: 1 },
};

/** A way to lose the primary. */
interface Loss {
  readonly name: string;
  readonly times: number;
  begin(cluster: Cluster, primary: ClusterMember): Promise<void>;
  /** Brings back what was lost. */
  end(primary: ClusterMember): void;
}

const lossesOf = ({ kills, switchovers, cuts }: FailoverSize): readonly Loss[] => [
  {
    name: 'kill -9 of the primary and its Patroni',
    times: kills,
    begin: (_, primary) => primary.kill(),
    end: (primary) => primary.start(),
  },
  { name: 'switchover', times: switchovers, begin: (cluster) => cluster.switchOver(), end: () => {} },
  {
    name: 'primary cut off from the other members and etcd',
    times: cuts,
    begin: async (_, primary) => primary.cut(),
    end: (primary) => primary.mend(),
  },
];

/** The primary lost in every way, with a standby taking its place. */
export const failover: FaultProgramme = {
  name: 'failover',
  title: 'PostgreSQL by Patroni: the primary killed, switched over, cut off',
  run: async (size, workshop) => {
    const cluster = await startCluster(workshop);
    await cluster.createDatabase(DATABASE);
    return { lines: await failOver(workshop, cluster, lossesOf(SIZES[size])), remarks: remarks(SIZES[size]) };
  },
};

const failOver = async (
  workshop: Workshop,
  cluster: Cluster,
  losses: readonly Loss[],
): Promise<readonly FaultLine[]> => {
  const server = await standingServer(workshop, cluster.url(DATABASE));
  await server.start();
  const process = server.pid();
  const scene = await setUpScene(server, REPORTERS);
  let writtenAt = Number.NEGATIVE_INFINITY;
  const crew = startReporters({
    scene,
    ports: [server.port],
    reporters: REPORTERS,
    patienceMs: 30_000,
    pauseMs: 50,
    heard: ({ asking, reply }) => {
      if (reply !== null && asking.method !== 'GET' && meaningOf(reply) === 'done') writtenAt = reply.sentAt;
    },
  });
  const writtenAfter = async (moment: number): Promise<void> => {
    for (const deadline = performance.now() + PATIENCE_MS; writtenAt < moment; await pause(5))
      if (performance.now() > deadline) throw new Error(`Nothing was acknowledged for ${PATIENCE_MS / 1_000} s.`);
  };
  const lines: FaultLine[] = [];
  for (const loss of losses) {
    const [back, away]: [number[], number[]] = [[], []];
    for (let time = 0; time < loss.times; time += 1) {
      await cluster.whole();
      await pause(WORK_MS);
      const primary = await cluster.primary();
      const lostAt = performance.now();
      await loss.begin(cluster, primary);
      await cluster.primary(primary);
      const takenOverAt = performance.now();
      await writtenAfter(takenOverAt);
      back.push(performance.now() - takenOverAt);
      away.push(performance.now() - lostAt);
      loss.end(primary);
    }
    const times = `${loss.name}, ${loss.times} times`;
    lines.push(
      tookAtMost(
        `${times}: from a new primary to the first acknowledged change (longest)`,
        Math.max(...back),
        BACK_AIM_MS,
      ),
      {
        ...tookAtMost(`${times}: from the loss to the first acknowledged change (median)`, median(away), PATIENCE_MS),
        aim: 'as long as Patroni takes',
      },
    );
  }
  await cluster.whole();
  await crew.stop(60_000);
  lines.push(
    holds('answers other than 2xx and "try again"', crew.strays[0] ?? '0', '0', crew.strays.length === 0),
    holds('starts of the server', server.pid() === process ? '1' : 'more', '1', server.pid() === process),
    ...(await readBack(postgresQuery(await cluster.urlOfPrimary(DATABASE)), server.port, scene, crew.ledger)),
  );
  await server.end('SIGTERM');
  return lines;
};

const remarks = ({ kills, switchovers, cuts }: FailoverSize): readonly string[] => [
  `Three members on one machine by \`deploy/patroni/member.yaml\`, one etcd, PostgreSQL 15; one standby is synchronous. ${kills} kills, ${switchovers} switchovers, ${cuts} cuts, each once the cluster is whole again.`,
  `${REPORTERS} reporters without a pause, all the time; the server has all three members in DATABASE_URL. A member that is cut off still answers clients.`,
  "It needs Debian's patroni, etcd-server and postgresql-15; it is no part of `npm test`.",
];
