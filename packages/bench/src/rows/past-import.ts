import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { DEPLOYMENT_COLUMNS } from '../baseline/baseline-process.js';
import { comparedLine, type RowResult } from '../figures.js';
import { countWords } from '../page/table.js';
import { runToEnd } from '../process/child.js';
import { startPostgres } from '../process/postgres.js';
import { inWorkshop, type Workshop } from '../process/workshop.js';
import { countedDeployments, postgresQuery, requireEqual } from '../read-back.js';
import { type BenchProject, createKey, readReleaseReport, setUpProject, setUpTeam } from '../subject/project.js';
import { firstPerson, startShipworthy } from '../subject/shipworthy.js';
import type { BenchRow, RunSize } from './row.js';

const COLUMNS = DEPLOYMENT_COLUMNS.join(', ');

/** Seconds that PostgreSQL takes to copy a file that it reads itself into new tables. */
interface CopyTimes {
  /** Seconds into a table with the indexes and the foreign key of the service's own. */
  readonly alike: number;
  /** Seconds into a table with only a primary key. */
  readonly bare: number;
}

const TABLES = {
  alike: [
    'create table copied (like deployments including all)',
    'alter table copied add foreign key (project_id) references projects (id)',
  ],
  bare: ['create table copied (like deployments)', 'alter table copied add primary key (id)'],
} as const;

/** Copies a CSV of deployments as fast as PostgreSQL can, into either kind of table; each is dropped again. @throws Error unless all rows are there */
const copyPast = async (connectionString: string, csv: string, rows: number): Promise<CopyTimes> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const copied = async (kind: keyof typeof TABLES): Promise<number> => {
    for (const statement of TABLES[kind]) await client.query(statement);
    await client.query('checkpoint');
    const begin = performance.now();
    const { rowCount } = await client.query(`copy copied (${COLUMNS}) from '${csv}' (format csv)`);
    const seconds = (performance.now() - begin) / 1_000;
    if (rowCount !== rows) throw new Error(`${rowCount} rows were copied instead of ${rows}.`);
    await client.query('drop table copied');
    return seconds;
  };
  try {
    return { bare: await copied('bare'), alike: await copied('alike') };
  } finally {
    await client.end();
  }
};

const MINUTE_MS = 60_000;
const CHUNK = 2_000;
const ENVIRONMENTS = ['production', 'eu-production', 'staging'];

/** The same past deployments in two files: as the command takes them, and as COPY takes them. */
interface PastFiles {
  readonly ndjson: string;
  readonly csv: string;
  /** How many started since the moment asked about. */
  readonly since: number;
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** Ids that grow with time, as those of the service do. */
const idOf = (index: number): string =>
  `0190${hex(index, 8).slice(0, 4)}-${hex(index, 8).slice(4)}-7000-8000-${hex(index * 7919, 12)}`;

const recordOf = (name: string, index: number, startedAt: number) => ({
  app_name: name,
  environment: ENVIRONMENTS[index % ENVIRONMENTS.length] ?? 'production',
  commit_sha: `${hex(index, 8)}${hex(index * 31, 12)}${hex(index * 131, 20)}`,
  version: `4.${Math.floor(index / 1_000)}.${index % 1_000}`,
  deployed_by: 'ci',
  status: index % 25 === 0 ? 'failure' : 'success',
  started_at: new Date(startedAt).toISOString(),
  finished_at: new Date(startedAt + 90_000).toISOString(),
  duration_seconds: 90,
  external_id: `pipeline-${index}`,
});

/**
 * Writes past deployments of a project, a minute apart, the last one an hour ago.
 * @param since the moment from which on deployments are counted, in milliseconds since 1970
 */
const writePast = async (
  files: { readonly ndjson: string; readonly csv: string },
  project: BenchProject,
  count: number,
  since: number,
): Promise<PastFiles> => {
  const [ndjson, csv] = [createWriteStream(files.ndjson), createWriteStream(files.csv)];
  const begin = Date.now() - 60 * MINUTE_MS - count * MINUTE_MS;
  let inside = 0;
  for (let from = 0; from < count; from += CHUNK) {
    let [lines, cells] = ['', ''];
    for (let index = from; index < Math.min(count, from + CHUNK); index += 1) {
      const startedAt = begin + index * MINUTE_MS;
      if (startedAt >= since) inside += 1;
      const record = recordOf(project.name, index, startedAt);
      lines += `${JSON.stringify(record)}\n`;
      const row: Readonly<Record<string, unknown>> = {
        ...record,
        id: idOf(index),
        project_id: project.id,
        created_at: record.finished_at,
        external_fingerprint: hex(index, 64),
        late: 0,
      };
      cells += `${DEPLOYMENT_COLUMNS.map((column) => row[column] ?? '').join(',')}\n`;
    }
    for (const [stream, text] of [
      [ndjson, lines],
      [csv, cells],
    ] as const)
      if (!stream.write(text)) await once(stream, 'drain');
  }
  for (const stream of [ndjson, csv]) {
    stream.end();
    await once(stream, 'close');
  }
  return { ...files, since: inside };
};

const MOST_ROUNDS = 3;
const WINDOW_MS = 90 * 86_400_000;
const command = fileURLToPath(new URL('../../../../cli/dist/bundle/main.js', import.meta.url));

/** Rows per second. */
type Turn = { readonly [name in keyof CopyTimes | 'ours']: number };

/** A fresh server on an empty database; PostgreSQL copies the rows, then the command imports them, and all are read back. */
const turn = (databaseUrl: string, outer: Workshop, count: number): Promise<Turn> =>
  inWorkshop(async (workshop) => {
    const server = await startShipworthy(workshop, databaseUrl);
    const person = await firstPerson(server);
    const since = Date.now() - WINDOW_MS;
    const project = await setUpProject(person, await setUpTeam(person), 'checkout', since);
    const key = await createKey(person);
    // PostgreSQL may run as another user; the outer workshop's folder is one that it can read.
    const files = { ndjson: outer.path('past.ndjson'), csv: outer.path('past.csv') };
    const past = await writePast(files, project, count, since);
    const copied = await copyPast(databaseUrl, past.csv, count);
    const begin = performance.now();
    await runToEnd(workshop, {
      program: command,
      args: ['import', 'deployments', past.ndjson],
      env: {
        SHIPWORTHY_API_URL: `http://127.0.0.1:${server.port}`,
        SHIPWORTHY_API_KEY: key,
        XDG_CONFIG_HOME: join(past.ndjson, '..', 'config'),
      },
    });
    const seconds = (performance.now() - begin) / 1_000;
    const query = postgresQuery(databaseUrl);
    requireEqual('Imported deployments', await countedDeployments(query, project.id), count);
    const [names] = await query('select count(distinct external_id) as names from deployments');
    requireEqual('Different deployments', names?.names, count);
    requireEqual('Deployments in the report', (await readReleaseReport(server, project, key)).deployments, past.since);
    return { ours: count / seconds, alike: count / copied.alike, bare: count / copied.bare };
  });

const run = async ({ past, rounds }: RunSize, workshop: Workshop): Promise<RowResult> => {
  const postgres = await startPostgres(workshop, 'durable');
  const turns: Turn[] = [];
  while (turns.length < Math.min(rounds, MOST_ROUNDS))
    turns.push(await turn(await postgres.createDatabase(`past_${turns.length}`), workshop, past));
  const verifiedRecords = past * turns.length;
  const count = countWords(past);
  const about = { what: `shipworthy import deployments, ${count} in a file`, unit: 'per second' } as const;
  return {
    lines: [
      comparedLine(turns, 'ours', 'alike', {
        ...about,
        against: 'COPY by PostgreSQL itself into a table with the same indexes and foreign key',
        aims: [{ of: 'ratio', least: 0.3 }],
        whyMissed:
          'each row takes processor time three times over: of the command, which reads and checks it, of the server, which does so again and names it, and of PostgreSQL, which stores it, looks for its external id and keeps counts, marks and moves. With two cores for all three that is what bounds it; on more cores it is the slowest of the three alone.',
      }),
      comparedLine(turns, 'ours', 'bare', {
        ...about,
        against: 'COPY into a table with a primary key alone',
        aims: [],
      }),
    ],
    verifiedRecords,
    remarks: [
      'The command reads the file twice, checks every row, sends batches of 1,000; the server checks them again, tells duplicates by their external ids, counts by hour and day, marks and moves releases. COPY does nothing of that: it reads a file on its own disk within one transaction.',
      `Read back after every turn: ${countWords(verifiedRecords)} deployments, each there exactly once; counts and report agree with them.`,
    ],
  };
};

/** The past from a file by the command, against what PostgreSQL itself needs to take in the same rows. */
export const pastImport: BenchRow = { name: 'past-import', title: 'Import of past deployments on PostgreSQL', run };
