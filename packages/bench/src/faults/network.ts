import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient, ShipworthyError } from '@shipworthy/client';
import { countWords } from '../page/table.js';
import { startPostgres } from '../process/postgres.js';
import type { Workshop } from '../process/workshop.js';
import { postgresQuery, type Query } from '../read-back.js';
import { type StandingServer, standingServer } from '../subject/shipworthy.js';
import { type FaultLine, type FaultProgramme, type FaultSize, holds, mayMiss, tookAtMost } from './fault-programme.js';
import { type FaultProxy, openFaultProxy, rage, STORMS, type Weather } from './fault-proxy.js';
import { type RunningReporters, startReporters, type Try } from './reporters/crew.js';
import { readBack } from './reporters/read-back.js';
import {
  type Asking,
  askServer,
  askToBegin,
  type Ledger,
  meaningOf,
  mergedLedger,
  type ReportedDeployment,
  type Scene,
  setUpScene,
} from './reporters/requests.js';

const REPORTERS = 16;
const EXIT_AIM_MS = 20_000;
const WORK_MS = 500;

const RESET =
  'A connection that reaches the system in the moment in which listening ends is reset by it, and so is one that a caller kept and uses in the moment in which the server closes it as idle: in HTTP/1.1 neither side can tell the other in time. Nothing is lost, since the key of the report makes it safe to send again, as the client and the command do. A balancer that stops sending before the signal comes (`deploy/helm` waits for that) leaves no such moment.';

const detailOf = (body: string): string => /"detail":"([^"]*)"/.exec(body)?.[1] ?? body.slice(0, 200);

/**
 * Asks the servers to end (SIGTERM), one after the other, while they are all reported to, and starts each again. There is no
 * balancer: a caller that is refused a connection goes to the next server.
 */
const restartEachGracefully = async (
  servers: readonly StandingServer[],
  scene: Scene,
  times: number,
): Promise<{ readonly lines: readonly FaultLine[]; readonly crew: RunningReporters }> => {
  const [failed, reset]: [string[], string[]] = [[], []];
  let answered = 0;
  const heard = ({ asking, reply, failure }: Try): void => {
    const called = (how: string | undefined) => `${asking.method} ${asking.path}: ${how}`;
    if (reply !== null) answered += 1;
    else if (failure?.code === 'ECONNRESET') reset.push(called(failure.message));
    else if (failure?.isRefused !== true) failed.push(called(failure?.message));
    if (reply !== null && reply.status >= 400) failed.push(called(`${reply.status} ${detailOf(reply.body)}`));
  };
  const crew = startReporters({
    scene,
    ports: servers.map(({ port }) => port),
    reporters: REPORTERS,
    patienceMs: 30_000,
    pauseMs: 5,
    heard,
  });
  let [longest, unclean] = [0, 0];
  for (let time = 0; time < times; time += 1) {
    const server = servers[time % servers.length];
    if (server === undefined) throw new Error('There is no server.');
    await pause(WORK_MS);
    const askedAt = performance.now();
    if ((await server.end('SIGTERM')) !== 0) unclean += 1;
    longest = Math.max(longest, performance.now() - askedAt);
    await server.start();
  }
  await pause(WORK_MS);
  await crew.stop(30_000);
  const asked = answered + failed.length + reset.length;
  const found = (those: readonly string[]) =>
    `${those.length} of ${asked}${those[0] === undefined ? '' : ` (${those[0]})`}`;
  return {
    crew,
    lines: [
      holds(
        `SIGTERM under load, ${times} times: failed requests`,
        found(failed),
        '0',
        failed.length === 0 && answered > 0,
      ),
      mayMiss('SIGTERM under load: connections reset before an answer', found(reset), '0', reset.length === 0, RESET),
      holds('SIGTERM under load: ended with another code than 0', `${unclean}`, '0', unclean === 0),
      tookAtMost('SIGTERM under load: until the process is gone', longest, EXIT_AIM_MS),
    ],
  };
};

const program = join(dirname(fileURLToPath(import.meta.resolve('@shipworthy/cli'))), 'main.js');

/** The worst for a command: the answer is lost, the request is lost, nothing arrives. */
const WEATHERS: readonly Weather[] = [
  { kind: 'break after', direction: 'down', bytes: 40, by: 'reset' },
  { kind: 'break after', direction: 'up', bytes: 100, by: 'cut' },
  { kind: 'black hole' },
];

const run = (workshop: Workshop, args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...env } });
    workshop.keep(child);
    let [output, complaint] = ['', ''];
    child.stdout.on('data', (text) => {
      output += String(text);
    });
    child.stderr.on('data', (text) => {
      complaint += String(text);
    });
    child.once('close', (code) => {
      if (code === 0) resolve(output.trim());
      else reject(new Error(`shipworthy ${args.join(' ')} ended with ${code}: ${complaint}`));
    });
  });

/** Reports by the command while nothing gets through, sends what it kept once the weather is clear, and counts the records. */
const reportByCommand = async (
  workshop: Workshop,
  scene: Scene,
  proxy: FaultProxy,
  query: Query,
  ledger: Ledger,
  count: number,
): Promise<FaultLine> => {
  const home = workshop.path('home');
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_DATA_HOME: join(home, 'data'),
    SHIPWORTHY_API_URL: `http://127.0.0.1:${proxy.port}`,
    SHIPWORTHY_API_KEY: scene.key,
    SHIPWORTHY_APP: scene.project.name,
  };
  const commits = Array.from({ length: count }, () => randomBytes(20).toString('hex'));
  let kept = 0;
  for (const [index, commit] of commits.entries()) {
    ledger.deployments.set(commit, { id: null, state: 'started' });
    proxy.setWeather(WEATHERS[index % WEATHERS.length] ?? { kind: 'clear' });
    const args = ['deploy', 'start', '--env', 'production', '--commit', commit, '--timeout', '1'];
    if ((await run(workshop, args, env)).startsWith('kept:')) kept += 1;
  }
  proxy.setWeather({ kind: 'clear' });
  await run(workshop, ['flush'], env);
  const list = commits.map((commit) => `'${commit}'`).join(', ');
  const [found] = await query(`
    select count(*) as rows, count(distinct commit_sha) as commits from deployments where commit_sha in (${list})`);
  return holds(
    'commands that could not report, after shipworthy flush',
    `${kept} of ${count} kept; ${String(found?.rows)} records of ${String(found?.commits)} commits`,
    `all kept, ${count} records of ${count} commits`,
    kept === count && Number(found?.rows) === count && Number(found?.commits) === count,
  );
};

const AT_ONCE = 100;
const PATIENCE_MS = 30_000;
const PAUSE_MS = 50;

/** Sends a request until it is done; returns the id of the record. @throws Error on an answer of any other kind */
const idOf = async (agent: Agent, port: number, asking: Asking): Promise<string> => {
  for (;;) {
    const reply = await askServer(agent, port, asking, PATIENCE_MS);
    const meaning = meaningOf(reply);
    if (meaning === 'stray') throw new Error(`A repeated request was answered ${reply.status}: ${reply.body}`);
    if (meaning === 'done') return (JSON.parse(reply.body) as { data: { id: string } }).data.id;
    await pause(PAUSE_MS);
  }
};

/** Sends the same request under the same key a hundred times at once, spread over the servers, again and again. */
const repeatAtOnce = async (
  scene: Scene,
  ports: readonly number[],
  query: Query,
  ledger: Ledger,
  rounds: number,
): Promise<FaultLine> => {
  const agent = new Agent({ keepAlive: true });
  let [ids, rows] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const commit = randomBytes(20).toString('hex');
    const asking = askToBegin(scene, commit);
    const answered = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => idOf(agent, ports[index % ports.length] ?? 0, asking)),
    );
    ledger.deployments.set(commit, { id: answered[0] ?? null, state: 'started' });
    ids += new Set(answered).size;
    const [found] = await query(`select count(*) as rows from deployments where commit_sha = '${commit}'`);
    rows += Number(found?.rows);
  }
  agent.destroy();
  return holds(
    `the same Idempotency-Key ${AT_ONCE} times at once on ${ports.length} processes, ${rounds} times over`,
    `${rows} records, ${ids} different ids answered`,
    `${rounds} records, ${rounds} ids`,
    rows === rounds && ids === rounds,
  );
};

const CALL_MS = 4_000;

/** Programs that report by the typed client, which sends again by itself what may be sent again. */
interface TypedClients {
  /** Ends after the calls that are under way; returns how many calls the client gave up. */
  stop(): Promise<number>;
}

/** Starts client programs. The ledger holds what calls answered; a call that was given up may or may not have stored a record. */
const startTypedClients = (scene: Scene, port: number, count: number, ledger: Ledger): TypedClients => {
  const client = createClient({
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: scene.key,
    timeoutMs: CALL_MS,
    retries: 20,
  });
  let isStopping = false;
  let givenUp = 0;
  const settled = async (call: Promise<unknown>): Promise<void> => {
    await call.catch((error: unknown) => {
      // Any other error is a fault of the client.
      if (!(error instanceof ShipworthyError)) throw error;
      givenUp += 1;
    });
  };
  const deploy = async (commit: string): Promise<void> => {
    const deployment: ReportedDeployment = { id: null, state: 'started' };
    ledger.deployments.set(commit, deployment);
    const body = {
      app_name: scene.project.name,
      environment: 'production',
      commit_sha: commit,
      status: 'started',
    } as const;
    const { body: answer } = await client.recordDeployment({ body });
    deployment.id = answer.data.id;
  };
  const test = async (commit: string): Promise<void> => {
    ledger.testRuns.set(commit, null);
    const path = { team_id: scene.project.teamId, project_id: scene.project.id };
    const { body } = await client.recordTestRun({
      path,
      body: { total: 100, passed: 97, failed: 3, commit_sha: commit },
    });
    ledger.testRuns.set(commit, body.data.id);
  };
  const work = async (): Promise<void> => {
    while (!isStopping) {
      await settled(deploy(randomBytes(20).toString('hex')));
      await settled(test(randomBytes(20).toString('hex')));
    }
  };
  const working = Promise.all(Array.from({ length: count }, work));
  return {
    stop: async () => {
      isStopping = true;
      await working;
      return givenUp;
    },
  };
};

const CLIENTS = 8;

interface NetworkSize {
  readonly servers: number;
  readonly stormMs: number;
  readonly commands: number;
  readonly repeated: number;
  /** How often a process is asked to end. */
  readonly ends: number;
}

const SIZES: Readonly<Record<FaultSize, NetworkSize>> = {
  full: { servers: 4, stormMs: 20_000, commands: 15, repeated: 50, ends: 20 },
  short: { servers: 2, stormMs: 250, commands: 1, repeated: 2, ends: 1 },
};

const startServers = async (workshop: Workshop, databaseUrl: string, count: number): Promise<StandingServer[]> => {
  const settings = { SHIPWORTHY_SECRET_KEY: randomBytes(48).toString('base64') };
  const servers: StandingServer[] = [];
  for (let index = 0; index < count; index += 1) {
    const [first] = servers;
    // A browser sends the address people use, which is the same for all servers.
    const base = first === undefined ? {} : { SHIPWORTHY_BASE_URL: `http://127.0.0.1:${first.port}` };
    servers.push(await standingServer(workshop, databaseUrl, { ...settings, ...base }));
  }
  await Promise.all(servers.map((server) => server.start()));
  return servers;
};

/** A bad network, many processes, and processes that come and go. */
export const network: FaultProgramme = {
  name: 'network',
  title: 'Bad networks, the same key on several processes, SIGTERM under load',
  run: async (size, workshop) => {
    const { servers: count, stormMs, commands, repeated, ends } = SIZES[size];
    const url = await (await startPostgres(workshop, 'durable')).createDatabase('shipworthy');
    const query = postgresQuery(url);
    const servers = await startServers(workshop, url, count);
    const [first] = servers;
    if (first === undefined) throw new Error('There is no server.');
    const scene = await setUpScene(first, REPORTERS);
    const proxy = await openFaultProxy(workshop, first.port);

    let [tries, broken] = [0, 0];
    const crew = startReporters({
      scene,
      ports: [proxy.port],
      reporters: REPORTERS,
      patienceMs: 5_000,
      pauseMs: 20,
      heard: ({ reply }) => {
        tries += 1;
        if (reply === null) broken += 1;
      },
    });
    const clients = startTypedClients(scene, proxy.port, CLIENTS, crew.ledger);
    for (const storm of STORMS) await rage(proxy, storm, stormMs);
    const givenUp = await clients.stop();
    await crew.stop(30_000);
    const ledgers: Ledger[] = [crew.ledger];

    const byCommand = await reportByCommand(workshop, scene, proxy, query, crew.ledger, commands);
    const sameKey = await repeatAtOnce(
      scene,
      servers.map(({ port }) => port),
      query,
      crew.ledger,
      repeated,
    );
    const ending = await restartEachGracefully(servers, scene, ends);
    ledgers.push(ending.crew.ledger);
    const strays = [...crew.strays, ...ending.crew.strays];
    const lines = [
      holds('answers other than 2xx and "try again"', strays[0] ?? '0', '0', strays.length === 0),
      byCommand,
      sameKey,
      ...ending.lines,
      ...(await readBack(query, first.port, scene, mergedLedger(ledgers))),
    ];
    for (const server of servers) await server.end('SIGTERM');
    return {
      lines,
      remarks: [
        `Storms of ${stormMs / 1_000} s each between callers and a server: ${STORMS.map(({ name }) => name).join('; ')}. ${REPORTERS} reporters send again under the same key (${countWords(broken)} of ${countWords(tries)} tries broke), ${CLIENTS} programs use the typed client, which gave up ${givenUp} calls.`,
        `${count} server processes on one PostgreSQL. SIGTERM goes to one after the other while all are reported to; a caller that is refused a connection goes to the next.`,
      ],
    };
  },
};
