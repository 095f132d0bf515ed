import { randomBytes } from 'node:crypto';
import { countWords } from '../../page/wording.js';
import { startPostgres } from '../../process/postgres.js';
import type { Workshop } from '../../process/workshop.js';
import { postgresQuery } from '../../read-back/query.js';
import { type StandingServer, standingServer } from '../../subject/shipworthy.js';
import { type FaultProgramme, type FaultSize, holds } from '../fault-programme.js';
import { askToEnd, REPORTERS } from '../network/asked-to-end.js';
import { reportByCommand } from '../network/command-spool.js';
import { repeatAtOnce } from '../network/same-key.js';
import { rage, STORMS } from '../network/storm.js';
import { startTypedClients } from '../network/typed-clients.js';
import { openFaultProxy } from '../proxy/fault-proxy.js';
import { startCrew } from '../reporters/crew.js';
import { type Ledger, mergedLedger } from '../reporters/ledger.js';
import { readBack } from '../reporters/read-back.js';
import { setUpScene } from '../reporters/scene.js';

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
    // What a browser sends along names the address people use, which is the same for all of them.
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
    const crew = startCrew({
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
    const ending = await askToEnd(servers, scene, ends);
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
