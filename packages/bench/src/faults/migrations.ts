import { randomBytes } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type CopiedTable,
  type Database,
  fillOlder,
  migrate,
  openDatabase,
  STEP_COUNT,
  statementCount,
  stepName,
  stepsTaken,
  storeTeams,
  sumsOfTables,
  type TableSum,
  tablesOf,
} from '@shipworthy/adapters/test-migrations';
import { countWords } from '../page/table.js';
import { endBy, exitCodeOf, nextMessage, startChild } from '../process/child.js';
import { startPostgres } from '../process/postgres.js';
import type { Workshop } from '../process/workshop.js';
import { postgresQuery, type Query, sqliteQuery } from '../read-back.js';
import { readinessPath } from '../subject/project.js';
import { standingServer } from '../subject/shipworthy.js';
import { type FaultLine, type FaultProgramme, type FaultSize, holds, missedWords } from './fault-programme.js';
import { startReporters } from './reporters/crew.js';
import { readBack } from './reporters/read-back.js';
import { emptyLedger, type Ledger, type Scene, setUpScene } from './reporters/requests.js';

const REPORTERS = 8;
const PATIENCE_MS = 20_000;

/** A copy of what was acknowledged until now. */
const acknowledgedSoFar = ({ deployments, testRuns }: Ledger): Ledger => ({
  ...emptyLedger(),
  deployments: new Map([...deployments].map(([commit, deployment]) => [commit, { ...deployment }])),
  testRuns: new Map(testRuns),
});

/** Whether the end of a deployment was acknowledged: a backup made before that would prove little. */
const hasEnds = ({ deployments }: Ledger): boolean =>
  [...deployments.values()].some(({ id, state }) => id !== null && state !== 'started');

/** What a backup must hold: what was acknowledged before it began. What was sent later may be in it or not. */
const expected = (before: Ledger, everything: Ledger): Ledger => ({
  ...before,
  deployments: new Map(
    [...everything.deployments].map(([commit, { state }]) => [
      commit,
      before.deployments.get(commit) ?? { id: null, state },
    ]),
  ),
  testRuns: new Map([...everything.testRuns].map(([commit]) => [commit, before.testRuns.get(commit) ?? null])),
});

const sumsIn = async (file: string): Promise<readonly TableSum[]> => {
  const database = await openDatabase({ url: `sqlite:${file}` });
  try {
    return await sumsOfTables(database, await tablesOf(database));
  } finally {
    await database.close();
  }
};

interface Backup {
  readonly file: string;
  readonly before: Ledger;
}

/** Backs a SQLite server up again and again under load, then restores each backup elsewhere and checks it. */
const backUpUnderLoad = async (
  workshop: Workshop,
  backups: number,
  betweenMs: number,
): Promise<readonly FaultLine[]> => {
  const server = await standingServer(workshop, `sqlite:${workshop.path('busy.sqlite')}`);
  await server.start();
  const scene = await setUpScene(server, REPORTERS);
  const crew = startReporters({
    scene,
    ports: [server.port],
    reporters: REPORTERS,
    patienceMs: PATIENCE_MS,
    pauseMs: 20,
  });
  const made: Backup[] = [];
  for (let count = 0; count < backups; count += 1) {
    do await pause(betweenMs);
    while (!hasEnds(crew.ledger));
    const [file, before] = [workshop.path('backup.sqlite'), acknowledgedSoFar(crew.ledger)];
    await server.command('backup', file);
    made.push({ file, before });
  }
  await crew.stop(PATIENCE_MS);
  await server.end('SIGTERM');

  const broken: string[] = [];
  let [records, differing] = [0, 0];
  for (const { file, before } of made) {
    const restored = workshop.path('restored.sqlite');
    const elsewhere = await standingServer(workshop, `sqlite:${restored}`);
    await elsewhere.command('restore', file);
    if (JSON.stringify(await sumsIn(file)) !== JSON.stringify(await sumsIn(restored))) differing += 1;
    await elsewhere.start();
    const lines = await readBack(sqliteQuery(restored), elsewhere.port, scene, expected(before, crew.ledger));
    await elsewhere.end('SIGTERM');
    records += [...before.deployments.values()].filter(({ id }) => id !== null).length;
    broken.push(...missedWords(lines));
  }
  const what = `SQLite: ${backups} backups under load, restored elsewhere`;
  return [
    holds(
      `${what}: what was acknowledged before each began, its counts and its report`,
      broken.length === 0 ? `${countWords(records)} deployments found, all else equal` : broken.join('; '),
      'all there once; counts and report follow from the rows',
      broken.length === 0,
    ),
    holds(
      `${what}: checksums of all tables, before and after restoring`,
      differing === 0 ? 'equal' : `${differing} differ`,
      'equal',
      differing === 0,
    ),
    holds(
      'Answers to reports during the backups, other than done or come again',
      crew.strays[0] ?? '0',
      '0',
      crew.strays.length === 0,
    ),
  ];
};

const LATEST_KILL_MS = 1_200;

/** A report as text, without the moments at which it was computed. */
const reportWords = async (port: number, { project, key }: Scene): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}${readinessPath(project)}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The report was answered ${response.status}: ${text}`);
  const moments = ['as_of', 'computed_at'];
  return JSON.stringify(JSON.parse(text), (name, value: unknown) => (moments.includes(name) ? undefined : value));
};

/** How many users there are; 0 also while the table is not there yet. */
const usersIn = async (query: Query): Promise<number> => {
  const [table] = await query(`select count(to_regclass('users')) as there`);
  if (Number(table?.there) === 0) return 0;
  const [users] = await query('select count(*) as rows from users');
  return Number(users?.rows);
};

/**
 * Copies a database with reports from SQLite to PostgreSQL: first killed in the middle so many times, then once to the
 * end. A server on the copy must answer the same report.
 */
const copyAcross = async (
  workshop: Workshop,
  target: { readonly url: string; readonly query: Query },
  load: { readonly ms: number; readonly kills: number },
): Promise<readonly FaultLine[]> => {
  const secret = {
    SHIPWORTHY_SECRET_KEY: randomBytes(48).toString('base64'),
    SHIPWORTHY_COPY_TO_URL: target.url,
  };
  const source = await standingServer(workshop, `sqlite:${workshop.path('source.sqlite')}`, secret);
  await source.start();
  const scene = await setUpScene(source, REPORTERS);
  const crew = startReporters({
    scene,
    ports: [source.port],
    reporters: REPORTERS,
    patienceMs: PATIENCE_MS,
    pauseMs: 20,
  });
  await pause(load.ms);
  await crew.stop(PATIENCE_MS);
  const before = await reportWords(source.port, scene);
  await source.end('SIGTERM');

  let kills = 0;
  // Once the target has any rows it must have all, which is checked below: nothing is copied a second time.
  while (kills < load.kills && (await usersIn(target.query)) === 0) {
    kills += 1;
    const copying = source.begin('copy-to').process;
    await pause((LATEST_KILL_MS * kills) / load.kills);
    await endBy(copying, 'SIGKILL');
  }
  if ((await usersIn(target.query)) === 0) await source.command('copy-to');
  const copy = await standingServer(workshop, target.url, secret);
  await copy.start();
  const after = await reportWords(copy.port, scene);
  const lines = await readBack(target.query, copy.port, scene, crew.ledger);
  await copy.end('SIGTERM');
  const broken = missedWords(lines);
  const what = `SQLite copied to PostgreSQL, killed in the middle ${kills} times before`;
  const all = `${countWords(crew.ledger.acknowledged)} changes, all there once`;
  return [
    holds(`${what}: the report of either`, before === after ? 'the same' : 'another one', 'the same', before === after),
    holds(
      `${what}: what was acknowledged, counts and report`,
      broken.length === 0 ? all : broken.join('; '),
      'all there once',
      broken.length === 0,
    ),
  ];
};

const TEAMS = 3;
const STARTERS = 3;
const program = fileURLToPath(import.meta.resolve('@shipworthy/adapters/stuck-starter'));

/** A database as it was before a step, with data, and the sums of all it held. */
interface Before {
  readonly url: string;
  readonly statements: number;
  readonly tables: readonly CopiedTable[];
  readonly sums: string;
}

const textOf = async (database: Database, tables: readonly CopiedTable[]): Promise<string> =>
  JSON.stringify(await sumsOfTables(database, tables));

const withOpen = async <Result>(url: string, work: (database: Database) => Promise<Result>): Promise<Result> => {
  const database = await openDatabase({ url });
  return work(database).finally(() => database.close());
};

const prepare = async (full: Database, places: Places, taken: number): Promise<Before> => {
  const url = await places.create();
  return withOpen(url, async (older) => {
    await fillOlder(full, older, taken);
    const tables = await tablesOf(older);
    return { url, statements: statementCount(older, taken), tables, sums: await textOf(older, tables) };
  });
};

/** Kills a starter just before one statement of the step, then starts several at once. Returns a fault, if any. */
const killedAt = async (
  workshop: Workshop,
  places: Places,
  { url: original, tables, sums }: Before,
  taken: number,
  statement: number,
): Promise<string | undefined> => {
  const url = await places.copy(original);
  const env = { PLACE: url, TAKEN: String(taken), STATEMENT: String(statement) };
  const child = startChild(workshop, { program, env });
  await nextMessage(child);
  await endBy(child.process, 'SIGKILL');
  const starters = await Promise.all(Array.from({ length: STARTERS }, () => openDatabase({ url })));
  try {
    const [first] = starters;
    if (first === undefined) throw new Error('No instance starts.');
    if ((await stepsTaken(first)) !== taken) return 'the killed step counts as taken';
    await Promise.all(starters.map(migrate));
    await Promise.all(starters.map((starter) => starter.ready()));
    return (await textOf(first, tables)) === sums ? undefined : 'what was there is not the same any more';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await Promise.all(starters.map((starter) => starter.close()));
  }
};

/** The statements of a step before which the migrating process is killed; the last place is after all of them. */
const placesIn = (statements: number, every: boolean): readonly number[] =>
  every ? Array.from({ length: statements + 1 }, (_, index) => index) : [Math.ceil(statements / 2)];

/**
 * Kills starters in the middle of steps on data, and starts several after each kill.
 * @param steps for each step, how many steps were taken before it
 */
const killDuringSteps = async (
  workshop: Workshop,
  places: Places,
  steps: readonly number[],
  every: boolean,
): Promise<FaultLine> => {
  const fullUrl = `sqlite:${workshop.path('full.sqlite')}`;
  const wrong: string[] = [];
  let kills = 0;
  await withOpen(fullUrl, async (full) => {
    await storeTeams(full, TEAMS);
    for (const taken of steps) {
      const before = await prepare(full, places, taken);
      for (const statement of placesIn(before.statements, every)) {
        const fault = await killedAt(workshop, places, before, taken, statement);
        kills += 1;
        if (fault !== undefined) wrong.push(`${stepName(taken)} before statement ${statement + 1}: ${fault}`);
      }
    }
  });
  const what = `${places.title}: a starter killed in the middle of ${steps.length} of ${STEP_COUNT} steps, ${kills} times, then ${STARTERS} at once`;
  const measured = wrong.length === 0 ? 'all steps taken, the same checksums' : wrong.join('; ');
  return holds(what, measured, 'no hand needed, nothing lost', wrong.length === 0);
};

/** Makes databases of one kind. */
interface Places {
  readonly title: string;
  /** Makes an empty database; returns its address. */
  create(): Promise<string>;
  /** Copies a database, which must not be open; returns the address of the copy. */
  copy(url: string): Promise<string>;
}

/** SQLite files. */
const sqlitePlaces = (workshop: Workshop): Places => ({
  title: 'SQLite',
  create: async () => `sqlite:${workshop.path('data.sqlite')}`,
  copy: async (url) => {
    const file = workshop.path('data.sqlite');
    await copyFile(url.slice('sqlite:'.length), file);
    return `sqlite:${file}`;
  },
});

/** Databases of one PostgreSQL. @param run carries out a statement there, outside of these databases */
const postgresPlaces = (
  createDatabase: (name: string) => Promise<string>,
  run: (statement: string) => Promise<unknown>,
): Places => {
  let made = 0;
  const nextName = (): string => {
    made += 1;
    return `steps_${made}`;
  };
  return {
    title: 'PostgreSQL',
    create: () => createDatabase(nextName()),
    copy: async (url) => {
      const target = new URL(url);
      const from = target.pathname.slice(1);
      const to = nextName();
      await run(`create database ${to} template ${from}`);
      target.pathname = `/${to}`;
      return target.href;
    },
  };
};

/**
 * Three processes take all steps of an empty database at once. On SQLite the later ones may be refused, since one process owns
 * the file.
 */
const startThreeAtOnce = async (workshop: Workshop, title: string, url: string): Promise<FaultLine> => {
  const server = await standingServer(workshop, url);
  const codes = await Promise.all(Array.from({ length: STARTERS }, () => exitCodeOf(server.begin('migrate').process)));
  const database = await openDatabase({ url });
  const taken = await stepsTaken(database).finally(() => database.close());
  await server.start();
  await server.end('SIGTERM');
  const done = codes.filter((code) => code === 0).length;
  const met = taken === STEP_COUNT && (title === 'SQLite' ? done > 0 : done === STARTERS);
  const what = `${title}: ${STARTERS} processes take all steps at once, then a server starts`;
  return holds(
    what,
    `${done} of ${STARTERS} ended well, ${taken} of ${STEP_COUNT} steps`,
    'every step once; ready',
    met,
  );
};

const ALL_STEPS = Array.from({ length: STEP_COUNT }, (_, taken) => taken);

const SIZES = {
  full: { steps: ALL_STEPS, every: true, backups: 10, betweenMs: 1_500, load: { ms: 20_000, kills: 6 } },
  short: {
    steps: [STEP_COUNT >> 1],
    every: false,
    backups: 1,
    betweenMs: 400,
    load: { ms: 400, kills: 1 },
  },
} as const satisfies Record<FaultSize, unknown>;

/** Schema steps on data, backups and copies, killed in the middle. */
export const migrations: FaultProgramme = {
  name: 'migrations',
  title: 'Schema steps, backups and copies, under load and killed in the middle',
  run: async (wanted, workshop) => {
    const { steps, every, backups, betweenMs, load } = SIZES[wanted];
    const postgres = await startPostgres(workshop, 'durable');
    const administration = postgresQuery(await postgres.createDatabase('administration'));
    const kinds: readonly Places[] = [
      sqlitePlaces(workshop),
      postgresPlaces((name) => postgres.createDatabase(name), administration),
    ];
    const lines: FaultLine[] = [];
    for (const places of kinds) {
      lines.push(await killDuringSteps(workshop, places, steps, every));
      // A short run leaves this out: the starts after each kill, in this process, must suffice.
      if (wanted === 'full') lines.push(await startThreeAtOnce(workshop, places.title, await places.create()));
    }
    lines.push(...(await backUpUnderLoad(workshop, backups, betweenMs)));
    const url = await postgres.createDatabase('copy');
    lines.push(...(await copyAcross(workshop, { url, query: postgresQuery(url) }, load)));
    return {
      lines,
      remarks: [
        'Each step is taken on a database as the version before left it, with a row of everything in it; sums are of all columns that were there.',
        'PostgreSQL is backed up by its own tools, which are not measured here.',
      ],
    };
  },
};
