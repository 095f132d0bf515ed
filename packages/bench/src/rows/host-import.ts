import type { RepositoryFill } from '../host/host-order.js';
import { type Host, startHost } from '../host/host-process.js';
import { requestsOf } from '../host/traffic.js';
import { alternate } from '../measure/alternate.js';
import type { RowResult } from '../measure/line.js';
import { countWords } from '../page/wording.js';
import { startPostgres } from '../process/postgres.js';
import type { Workshop } from '../process/workshop.js';
import { postgresStorage, type Storage, sqliteStorage } from '../read-back/storage.js';
import { importLines, trafficWords } from './import-lines.js';
import { CHANGED, type ImportTurn, importTurn, warmUpHost } from './import-turn.js';
import type { Row, RunSize } from './row.js';

const WARM_UP = { path: 'acme/website', issues: 500, deployments: 100 } as const;
const ISSUES_PER_DEPLOYMENT = 5;
/** A round imports two repositories four times each. */
const MOST_ROUNDS = 3;

/** An empty database whenever it is called. */
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

const remarksOf = (turns: readonly ImportTurn[], rows: number): readonly string[] => {
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
  // Turns change their repository: each gets one as it was at the first turn.
  const turn = async (target: Storage): Promise<ImportTurn> => {
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
export const hostImport: Row = { name: 'host-import', title: 'Import from a repository host', run };
