import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CopyTimes, copyPast } from '../baseline/copy.js';
import { lineOf, type RowResult } from '../measure/line.js';
import { countWords } from '../page/wording.js';
import { runToEnd } from '../process/child.js';
import { startPostgres } from '../process/postgres.js';
import { inWorkshop, type Workshop } from '../process/workshop.js';
import { requireEqual } from '../read-back/equal.js';
import { postgresQuery } from '../read-back/query.js';
import { countedDeployments } from '../read-back/stored-deployments.js';
import { writePast } from '../subject/past-deployments.js';
import { firstPerson } from '../subject/person.js';
import { createKey, createProject, createTeam } from '../subject/project.js';
import { readReport } from '../subject/report.js';
import { startShipworthy } from '../subject/shipworthy.js';
import type { Row, RunSize } from './row.js';

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
    const project = await createProject(person, await createTeam(person), 'checkout', since);
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
    requireEqual('Deployments in the report', (await readReport(server, project, key)).deployments, past.since);
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
      lineOf(turns, 'ours', 'alike', {
        ...about,
        against: 'COPY by PostgreSQL itself into a table with the same indexes and foreign key',
        aims: [{ of: 'ratio', least: 0.3 }],
        whyMissed:
          'each row takes processor time three times over: of the command, which reads and checks it, of the server, which does so again and names it, and of PostgreSQL, which stores it, looks for its external id and keeps counts, marks and moves. With two cores for all three that is what bounds it; on more cores it is the slowest of the three alone.',
      }),
      lineOf(turns, 'ours', 'bare', { ...about, against: 'COPY into a table with a primary key alone', aims: [] }),
    ],
    verifiedRecords,
    remarks: [
      'The command reads the file twice, checks every row, sends batches of 1,000; the server checks them again, tells duplicates by their external ids, counts by hour and day, marks and moves releases. COPY does nothing of that: it reads a file on its own disk within one transaction.',
      `Read back after every turn: ${countWords(verifiedRecords)} deployments, each there exactly once; counts and report agree with them.`,
    ],
  };
};

/** The past from a file by the command, against what PostgreSQL itself needs to take in the same rows. */
export const pastImport: Row = { name: 'past-import', title: 'Import of past deployments on PostgreSQL', run };
