import { readPlainly } from '../baseline/baseline-process.js';
import type { RepositoryFill } from '../host/host-order.js';
import type { Host } from '../host/host-process.js';
import type { Traffic } from '../host/traffic.js';
import { forgetPeak, type Memory, memoryOf } from '../process/memory.js';
import { inWorkshop, type Workshop } from '../process/workshop.js';
import { requireEqual } from '../read-back/equal.js';
import { requireImportedOnce, requireScope } from '../read-back/imported-rows.js';
import type { Storage } from '../read-back/storage.js';
import { connectHost, hostSettings, projectToLink } from '../subject/linked-repository.js';
import { firstPerson } from '../subject/person.js';
import { createTeam } from '../subject/project.js';
import { startShipworthy } from '../subject/shipworthy.js';

/** How much changes at the host before the last run of a turn. */
export const CHANGED = { issues: 50, deployments: 5 } as const;

/** What one turn measured: a fresh server on an empty database imports a repository, then runs again and again. */
export interface ImportTurn {
  /** From the link to the end of the first run. */
  readonly milliseconds: number;
  readonly first: Traffic;
  /** A run with nothing new. */
  readonly nothingNew: Traffic;
  /** A run with nothing new, but deployments under way. */
  readonly underWay: Traffic;
  /** A run after issues changed and those deployments finished. */
  readonly changed: Traffic;
  /** Of the server's process, before the link and after the last run; null where the system does not tell. */
  readonly memory: { readonly before: Memory; readonly after: Memory } | null;
  /** Rows compared with the host's. */
  readonly verified: number;
  readonly plain: { readonly milliseconds: number; readonly requests: number };
}

const readPlain = async (workshop: Workshop, host: Host, path: string): Promise<ImportTurn['plain']> => {
  const { apiUrl, token } = host;
  const reading = await readPlainly(workshop, { apiUrl, token, path, ...(await host.queries()) });
  const world = await host.count(path);
  requireEqual('Issues read plainly', reading.issues, world.issues);
  requireEqual('Deployments read plainly', reading.deployments, world.deployments);
  await host.traffic();
  return reading;
};

/** A fresh server that has imported the repository for the first time. */
const firstRun = async (workshop: Workshop, host: Host, path: string, target: Storage) => {
  const server = await startShipworthy(workshop, target.databaseUrl, hostSettings(host));
  const person = await firstPerson(server);
  await connectHost(host, server, person);
  const project = await projectToLink(person, await createTeam(person));
  await host.traffic();
  forgetPeak(server.pid);
  const before = memoryOf(server.pid);
  const milliseconds = await project.link(path);
  const first = await host.traffic();
  return { server, person, project, before, milliseconds, first, plain: await readPlain(workshop, host, path) };
};

const runTurn = async (workshop: Workshop, host: Host, path: string, target: Storage): Promise<ImportTurn> => {
  const { server, person, project, before, ...measured } = await firstRun(workshop, host, path, target);
  let verified = 0;
  const readBack = async (): Promise<void> => {
    const world = await host.count(path);
    await requireImportedOnce(target.query, project.id, world);
    await requireScope(person, project, world);
    verified += world.issues + world.deployments;
  };
  const again = async (): Promise<Traffic> => {
    await host.traffic();
    await project.importAgain();
    const traffic = await host.traffic();
    await readBack();
    return traffic;
  };
  await readBack();
  const nothingNew = await again();
  await host.beginDeployments(path, CHANGED.deployments);
  await again();
  const underWay = await again();
  requireEqual('Finished deployments', await host.changeIssues(path, CHANGED.issues), CHANGED.deployments);
  const changed = await again();
  const after = memoryOf(server.pid);
  const memory = before === null || after === null ? null : { before, after };
  return { ...measured, nothingNew, underWay, changed, memory, verified };
};

/** Measures the import of a repository that the host is given for it. */
export const importTurn = async (host: Host, repository: RepositoryFill, target: Storage): Promise<ImportTurn> => {
  await host.fill(repository);
  return inWorkshop((workshop) => runTurn(workshop, host, repository.path, target));
};

/** Imports and plainly reads a repository once, so that the host's process has warmed up when it is measured against. */
export const warmUpHost = async (host: Host, repository: RepositoryFill, target: Storage): Promise<void> => {
  await host.fill(repository);
  await inWorkshop((workshop) => firstRun(workshop, host, repository.path, target));
};
