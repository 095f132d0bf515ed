import { readPlainly } from '../baseline/baseline-process.js';
import { type Aim, alternate, comparedLine, type Line, type RowResult } from '../figures.js';
import { type RepositoryFill, requestsOf, type Traffic } from '../host/host-order.js';
import { type Host, startHost } from '../host/host-process.js';
import { countWords } from '../page/table.js';
import { forgetPeak, type Memory, memoryOf } from '../process/child.js';
import { startPostgres } from '../process/postgres.js';
import { inWorkshop, type Workshop } from '../process/workshop.js';
import { postgresStorage, requireEqual, type Storage, sqliteStorage } from '../read-back.js';
import {
  approveAtHost,
  hostSettings,
  projectToLink,
  requireCountedScope,
  requireImportedOnce,
} from '../subject/linked-repository.js';
import { setUpTeam } from '../subject/project.js';
import { firstPerson, startShipworthy } from '../subject/shipworthy.js';
import type { BenchRow, RunSize } from './row.js';

/** How much changes at the host before the last run of a turn. */
const CHANGED = { issues: 50, deployments: 5 } as const;

/** The figures of one turn: a new server on an empty database imports a repository, then runs the import several times. */
export interface ImportFigures {
  /** From the link to the end of the first run. */
  readonly milliseconds: number;
  readonly first: Traffic;
  /** A run with nothing new. */
  readonly nothingNew: Traffic;
  /** A run with nothing new, but deployments under way. */
  readonly underWay: Traffic;
  /** A run after issues changed and those deployments finished. */
  readonly changed: Traffic;
  /** Memory of the server's process, before the link and after the last run; null when the system does not report it. */
  readonly memory: { readonly before: Memory; readonly after: Memory } | null;
  /** Rows compared with the host's. */
  readonly verified: number;
  readonly plain: { readonly milliseconds: number; readonly requests: number };
}

const readPlain = async (workshop: Workshop, host: Host, path: string): Promise<ImportFigures['plain']> => {
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
  await approveAtHost(host, server, person);
  const project = await projectToLink(person, await setUpTeam(person));
  await host.traffic();
  forgetPeak(server.pid);
  const before = memoryOf(server.pid);
  const milliseconds = await project.link(path);
  const first = await host.traffic();
  return { server, person, project, before, milliseconds, first, plain: await readPlain(workshop, host, path) };
};

const runTurn = async (workshop: Workshop, host: Host, path: string, target: Storage): Promise<ImportFigures> => {
  const { server, person, project, before, ...measured } = await firstRun(workshop, host, path, target);
  let verified = 0;
  const readBack = async (): Promise<void> => {
    const world = await host.count(path);
    await requireImportedOnce(target.query, project.id, world);
    await requireCountedScope(person, project, world);
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

/** Adds a repository to the host and measures its import. */
const importTurn = async (host: Host, repository: RepositoryFill, target: Storage): Promise<ImportFigures> => {
  await host.fill(repository);
  return inWorkshop((workshop) => runTurn(workshop, host, repository.path, target));
};

/** Imports and plainly reads a repository once, so that the host's process has warmed up when it is measured against. */
const warmUpHost = async (host: Host, repository: RepositoryFill, target: Storage): Promise<void> => {
  await host.fill(repository);
  await inWorkshop((workshop) => firstRun(workshop, host, repository.path, target));
};

/** The aim allows a request for each page of 100 rows, and this many more. */
const MORE_REQUESTS = 15;
const ROWS_PER_REQUEST = 100;
const MOST_MEMORY_MB = 150;
const WHY_MEMORY_MISSED =
  'the memory is garbage not yet collected: 23 to 25 MB are alive throughout, and `--max-old-space-size=96 --max-semi-space-size=4` kept it at 126 MB for no measurable time.';
const PLAINLY = 'plain fetch reads the same rows and drops them';

type About = Pick<Line, 'what' | 'against' | 'unit'>;

const compare = (
  turns: readonly ImportFigures[],
  about: About,
  aims: readonly Aim[],
  figures: (turn: ImportFigures) => { readonly ours: number; readonly other: number },
): Line => comparedLine(turns.map(figures), 'ours', 'other', { ...about, aims });

const memoryLines = (turns: readonly ImportFigures[], database: string): readonly Line[] => {
  const told = turns.flatMap(({ memory }) => (memory === null ? [] : [memory]));
  if (told.length === 0) return [];
  const against = 'the same process before it was linked';
  const line = (of: 'peak' | 'now', what: string, aims: readonly Aim[]): Line =>
    comparedLine(
      told.map(({ before, after }) => ({ ours: after[of], other: before.now })),
      'ours',
      'other',
      { what: `${database}: ${what}`, against, unit: 'MB', aims, whyMissed: WHY_MEMORY_MISSED },
    );
  return [
    line('peak', 'resident memory while importing, at most', [{ of: 'measured', most: MOST_MEMORY_MB }]),
    line('now', 'resident memory in the end', []),
  ];
};

/** The lines of one database's turns. @param rows how many the first run imports */
export const importLines = (turns: readonly ImportFigures[], database: string, rows: number): readonly Line[] => [
  compare(
    turns,
    { what: `${database}: first run, from the link to its end`, against: PLAINLY, unit: 's' },
    [],
    ({ milliseconds, plain }) => ({ ours: milliseconds / 1_000, other: plain.milliseconds / 1_000 }),
  ),
  compare(
    turns,
    { what: `${database}: requests of the first run`, against: PLAINLY, unit: 'requests' },
    [{ of: 'measured', most: Math.ceil(rows / ROWS_PER_REQUEST) + MORE_REQUESTS }],
    ({ first, plain }) => ({ ours: requestsOf(first), other: plain.requests }),
  ),
  compare(
    turns,
    {
      what: `${database}: nothing new: requests answered with 304`,
      against: 'all requests of that run',
      unit: 'requests',
    },
    [{ of: 'ratio', least: 1 }],
    ({ nothingNew }) => ({ ours: nothingNew.notModified, other: requestsOf(nothingNew) }),
  ),
  compare(
    turns,
    {
      what: `${database}: ${CHANGED.issues} issues changed, ${CHANGED.deployments} deployments finished: requests`,
      against: `${PLAINLY}, all of them`,
      unit: 'requests',
    },
    [],
    ({ changed, plain }) => ({ ours: requestsOf(changed), other: plain.requests }),
  ),
  ...memoryLines(turns, database),
];

/** Requests by kind, as people read them. */
export const trafficWords = ({ conditional, notModified, rest, graphql }: Traffic): string =>
  `${conditional} conditional (${notModified} answered with 304), ${rest} other REST, ${graphql} GraphQL`;

const WARM_UP = { path: 'acme/website', issues: 500, deployments: 100 } as const;
const ISSUES_PER_DEPLOYMENT = 5;
/** Few, since a round imports two repositories five times each. */
const MOST_ROUNDS = 3;

/** Makes an empty database with every call. */
type NewTarget = () => Promise<Storage>;

const sqliteTargets =
  (workshop: Workshop): NewTarget =>
  async () =>
    sqliteStorage(workshop.path('shipworthy.sqlite'));

const postgresTargets = async (workshop: Workshop): Promise<NewTarget> => {
  const postgres = await startPostgres(workshop, 'durable');
  let databases = 0;
  return async () => {
    databases += 1;
    return postgresStorage(await postgres.createDatabase(`shipworthy_${databases}`));
  };
};

const remarksOf = (turns: readonly ImportFigures[], rows: number): readonly string[] => {
  const last = turns.at(-1);
  if (last === undefined) return [];
  const { first, nothingNew, underWay, changed } = last;
  const perHundred = ((requestsOf(first) * 100) / rows).toFixed(2);
  const verified = turns.reduce((total, turn) => total + turn.verified, 0);
  return [
    `Requests of the first run: ${trafficWords(first)}; ${perHundred} per 100 rows.`,
    `Of a run with nothing new: ${trafficWords(nothingNew)}. With nothing new but ${CHANGED.deployments} deployments under way: ${trafficWords(underWay)}. Of the run after ${CHANGED.issues} issues changed and those finished: ${trafficWords(changed)}.`,
    `Read back after every run: ${countWords(verified)} issues and deployments, each stored exactly once; the scope of every release is what the host's own rows say.`,
    'The host behaves like GitHub and is a process of its own; the baseline asks it the same queries page after page. Times of the import include up to a second until its worker looks for work.',
  ];
};

const takeTurns = async (workshop: Workshop, host: Host, size: RunSize, rows: Omit<RepositoryFill, 'path'>) => {
  const sqlite = sqliteTargets(workshop);
  const postgres = await postgresTargets(workshop);
  let repositories = 0;
  // A turn changes its repository, so each turn imports a new one with the same content.
  const turn = async (target: Storage): Promise<ImportFigures> => {
    repositories += 1;
    return importTurn(host, { path: `acme/shop-${repositories}`, ...rows }, target);
  };
  await warmUpHost(host, WARM_UP, await sqlite());
  return alternate(Math.min(size.rounds, MOST_ROUNDS), {
    sqlite: async () => turn(await sqlite()),
    postgres: async () => turn(await postgres()),
  });
};

const run = async (size: RunSize, workshop: Workshop): Promise<RowResult> => {
  const { issues } = size;
  const deployments = Math.ceil(issues / ISSUES_PER_DEPLOYMENT);
  const rows = issues + deployments;
  const turns = await takeTurns(workshop, await startHost(workshop), size, { issues, deployments });
  const sqlite = turns.map((turn) => turn.sqlite);
  const postgres = turns.map((turn) => turn.postgres);
  const all = [...sqlite, ...postgres];
  const [most, deploymentsMost] = [issues, deployments].map(countWords);
  return {
    lines: [...importLines(sqlite, 'SQLite', rows), ...importLines(postgres, 'PostgreSQL', rows)],
    verifiedRecords: all.reduce((total, { verified }) => total + verified, 0),
    remarks: [
      `A repository of ${most} issues with labels, milestones and histories and ${deploymentsMost} deployments of two or three statuses, imported into a server that has just begun on an empty database.`,
      ...remarksOf(all, rows),
    ],
  };
};

/** The import of a repository from a host, against reading the same rows without keeping them. */
export const hostImport: BenchRow = { name: 'host-import', title: 'Import from a repository host', run };
