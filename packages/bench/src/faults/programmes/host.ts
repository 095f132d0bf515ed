import { setTimeout as pause } from 'node:timers/promises';
import { type Host, startHost } from '../../host/host-process.js';
import type { Workshop } from '../../process/workshop.js';
import { requireImportedOnce, requireScope } from '../../read-back/imported-rows.js';
import { connectHost, hostSettings, projectToLink } from '../../subject/linked-repository.js';
import { firstPerson } from '../../subject/person.js';
import { createKey, createProject, createTeam } from '../../subject/project.js';
import { standingServer } from '../../subject/shipworthy.js';
import { type FaultLine, type FaultProgramme, type FaultSize, holds } from '../fault-programme.js';
import { checkUnderFaults } from '../host/checked-faults.js';
import { checkConnection } from '../host/connection-check.js';
import { HOST_FAULTS, type HostFault } from '../host/host-faults.js';
import { importThroughTroubles } from '../host/troubled-import.js';
import { seenLines } from '../overload/lines.js';
import { type Seen, watchReport } from '../overload/watch.js';
import { type NamedStorage, storagesOf } from '../storages.js';

const HOUR_MS = 3_600_000;
const SLOWEST = 'takes the request and says nothing';

const SIZES = {
  full: { rounds: 3, quietSeconds: 5, issues: 5_000, deployments: 1_000, faults: 60, kills: 6 },
  short: { rounds: 0, quietSeconds: 1, issues: 300, deployments: 60, faults: 4, kills: 0 },
} as const;

/** All of them so many times; none: each once, but only one of those that keep everybody waiting. */
const faultsOf = (rounds: number): readonly HostFault[] => {
  const isShort = ({ title, waits }: HostFault) => waits === undefined || title === SLOWEST;
  return rounds === 0 ? HOST_FAULTS.filter(isShort) : Array.from({ length: rounds }, () => HOST_FAULTS).flat();
};

/** A server that is approved at the host, with somebody who set it up. */
const approved = async (workshop: Workshop, host: Host, databaseUrl: string) => {
  const server = await standingServer(workshop, databaseUrl, hostSettings(host));
  await server.command('migrate');
  await server.start();
  const running = { ...server, pid: server.pid() };
  const person = await firstPerson(running);
  await connectHost(host, running, person);
  return { server, person, teamId: await createTeam(person) };
};

/** Reports are answered as fast as while all is well, but for what a median of some milliseconds is worth. */
const usualSpeed = (quiet: Seen, { p50 }: Seen): FaultLine => {
  const most = Math.max(20, 2 * quiet.p50);
  const aim = `<= ${most.toFixed(0)} ms (${quiet.p50.toFixed(1)} ms while all is well)`;
  return { what: 'Its median', measured: `${p50.toFixed(1)} ms`, aim, met: p50 <= most, timed: true };
};

const checks = async (workshop: Workshop, host: Host, size: FaultSize) => {
  const { rounds, quietSeconds } = SIZES[size];
  const databaseUrl = `sqlite:${workshop.path('checks.sqlite')}`;
  const { server, person, teamId } = await approved(workshop, host, databaseUrl);
  const project = await createProject(person, teamId, 'ledger', Date.now() - HOUR_MS);
  const key = await createKey(person);
  const reading = () => watchReport(server.port, project, key);
  const quietly = reading();
  await pause(quietSeconds * 1_000);
  const quiet = await quietly.end();
  const meanwhile = reading();
  const checked = await checkUnderFaults(host, server.port, key, faultsOf(rounds));
  const seen = await meanwhile.end();
  await host.revoke();
  const refused = await checkConnection(server.port, key);
  await server.end('SIGTERM');
  const what = 'The check once the host itself refuses the grant';
  return {
    lines: [
      ...checked.lines,
      holds(what, refused.word, 'rejected', refused.word === 'rejected'),
      ...seenLines('A report read 20 times a second all the while', seen),
      usualSpeed(quiet, seen),
    ],
    remark: checked.remark,
  };
};

const imports = async (
  workshop: Workshop,
  host: Host,
  { title, databaseUrl, query }: NamedStorage,
  size: FaultSize,
) => {
  const { issues, deployments, faults, kills } = SIZES[size];
  const path = `acme/${title.toLowerCase()}`;
  await host.fill({ path, issues, deployments });
  const { server, person, teamId } = await approved(workshop, host, databaseUrl);
  const project = await projectToLink(person, teamId);
  const settings = { repository: path, milestones: 'all', deployments: true, test_runs: 'none' };
  await person.put(`${project.path}/repository`, settings);
  const troubles = await importThroughTroubles(host, server, person, project.path, { faults, kills });
  const world = await host.count(path);
  const wrong = await requireImportedOnce(query, project.id, world)
    .then(() => requireScope(person, project, world))
    .then(() => null)
    .catch((error: Error) => error.message);
  await server.end('SIGTERM');
  const seconds = Math.round(troubles.milliseconds / 1_000);
  const stored = `${world.issues + world.deployments} rows, each once, and every scope as the host counts it; ${seconds} s`;
  const what = `${title}: an import through ${troubles.faults} faults of the host and ${troubles.kills} kills of the server (asked for again ${troubles.hurried} times)`;
  return holds(what, wrong ?? stored, 'all rows once', wrong === null);
};

const run = async (size: FaultSize, workshop: Workshop) => {
  const host = await startHost(workshop);
  const checked = await checks(workshop, host, size);
  const lines: FaultLine[] = [...checked.lines];
  for (const storage of await storagesOf(size, workshop)) lines.push(await imports(workshop, host, storage, size));
  return { lines, remarks: [checked.remark] };
};

/** A repository host that is slow, fails and lies. */
export const host: FaultProgramme = { name: 'host', title: 'A repository host that is slow, fails and lies', run };
