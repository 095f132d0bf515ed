import pg from 'pg';
import { startNotModified } from '../baseline/baseline-process.js';
import { type Aim, alternate, comparedLine, type Line, quantile, type Round, type RowResult } from '../figures.js';
import { type LoadResult, type SendLoad, startLoadProcess } from '../load/load-process.js';
import { countWords } from '../page/table.js';
import { startPostgres } from '../process/postgres.js';
import type { Workshop } from '../process/workshop.js';
import { countedDeployments, postgresQuery } from '../read-back.js';
import {
  type BenchProject,
  createKey,
  type ReadReport,
  readinessPath,
  readinessRequest,
  readReleaseReport,
  setUpProject,
  setUpTeam,
} from '../subject/project.js';
import { firstPerson, type RunningServer, startShipworthy } from '../subject/shipworthy.js';
import type { BenchRow, RunSize } from './row.js';

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding']);

/** The headers of the server's own 304, so that the baseline sends as many bytes. */
const headersOf304 = async ({ server, large, key, report }: ReadingScene): Promise<Record<string, string>> => {
  const response = await fetch(`http://127.0.0.1:${server.port}${readinessPath(large)}`, {
    headers: { authorization: `Bearer ${key}`, 'if-none-match': report.etag },
  });
  if (response.status !== 304) throw new Error(`An unchanged report was answered ${response.status} instead of 304.`);
  return Object.fromEntries([...response.headers].filter(([name]) => !HOP_BY_HOP.has(name)));
};

/** How many unchanged reports the server answers with 304, against a bare Koa that sends the same 304 to everybody. */
const compareNotModified = async (
  workshop: Workshop,
  send: SendLoad,
  scene: ReadingScene,
  size: RunSize,
): Promise<Line> => {
  const barePort = await startNotModified(workshop, await headersOf304(scene));
  const request = readinessRequest(scene.large, scene.key, scene.report.etag);
  const turn = async (port: number, seconds: number): Promise<number> => {
    const { connections } = size;
    const result = await send({ kind: 'closed loop', port, request, status: 304, connections, seconds });
    return result.answered / result.seconds;
  };
  await turn(barePort, size.warmUpSeconds);
  await turn(scene.server.port, size.warmUpSeconds);
  const rounds = await alternate(size.rounds, {
    bare: () => turn(barePort, size.seconds),
    ours: () => turn(scene.server.port, size.seconds),
  });
  return comparedLine(rounds, 'ours', 'bare', {
    what: 'GET readiness, unchanged: 304, as many as it can',
    against: 'bare Koa, the same 304 to every request',
    unit: 'per second',
    aims: [{ of: 'ratio', least: 0.6 }],
    whyMissed:
      'an answer takes the thread less than twice what it takes a bare Koa that looks at nothing: the difference is the check of the key, the place in sight, one look at the revision in the database shared by all who ask at the same time, and the headers of limits and request ids. Keeping revisions in memory would reach it, at the price of answers that are old by as much as the news takes between processes.',
  });
};

/** Over how many days the deployments of a project are spread, up to now. */
const SPREAD_DAYS = 1_000;
const CHUNK = 500_000;
/** The buckets deployments are counted in. */
const BUCKET_HOURS = [1, 24];

const insertRows = `
  insert into deployments (id, project_id, app_name, environment, commit_sha, version, deployed_by, status, started_at,
    finished_at, duration_seconds, created_at)
  select uuidv7(at - now()), $1, $2, (array['production', 'eu-production', 'staging'])[1 + i % 3],
    md5(i::text) || lpad(to_hex(i % 65536), 8, '0'), '4.' || i / 1000, 'ci',
    case when i % 997 = 0 then 'started' when i % 25 = 0 then 'failure' else 'success' end, at,
    case when i % 997 = 0 then null else at + interval '90 seconds' end, 90, at
  from (select i, $3::timestamptz - ($4 - i) * ($5::double precision * interval '1 day' / $4::double precision) as at
    from generate_series($6::bigint, $7::bigint) as i) as moments`;

const countRows = `
  insert into deployment_counts (project_id, hours, bucket, environment, started, success, failure)
  select project_id, $2::integer, floor(extract(epoch from started_at) / ($2::integer * 3600)), environment,
    count(*) filter (where status = 'started'), count(*) filter (where status = 'success'),
    count(*) filter (where status = 'failure')
  from deployments where project_id = $1 group by 1, 2, 3, 4`;

/**
 * Writes past deployments of a project straight into PostgreSQL, evenly spread, with their counts and a mark on its
 * releases: what the service would have stored had they been reported one by one. The project must have none yet.
 */
const generateDeployments = async (connectionString: string, project: BenchProject, count: number): Promise<void> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    // The rows are right by construction: looking up the same project ten million times would only take time.
    await client.query('set session_replication_role = replica');
    // The last one has finished by now, as all the others.
    const until = new Date(Date.now() - 120_000);
    for (let from = 1; from <= count; from += CHUNK) {
      const to = Math.min(count, from + CHUNK - 1);
      await client.query(insertRows, [project.id, project.name, until, count, SPREAD_DAYS, from, to]);
    }
    for (const hours of BUCKET_HOURS) await client.query(countRows, [project.id, hours]);
    await client.query('update release_marks set revision = revision + 1, changed_at = now() where project_id = $1', [
      project.id,
    ]);
    await client.query('vacuum analyze deployments');
    await client.query('vacuum analyze deployment_counts');
  } finally {
    await client.end();
  }
};

const DAY_MS = 86_400_000;
/** The release window begins in the middle of a day, an hour and a minute: its edges fall on no bucket. */
const WINDOW_MS = 90.37 * DAY_MS;

/** Deployments in the project that is compared with. */
const FEW = 1_000;

/** A server on PostgreSQL with two projects that differ in nothing but the number of their deployments. */
interface ReadingScene {
  readonly databaseUrl: string;
  readonly server: RunningServer;
  readonly key: string;
  readonly large: BenchProject;
  readonly small: BenchProject;
  readonly report: ReadReport;
  /** Deployments in the large project's release window. */
  readonly inWindow: number;
  /** Rows generated and compared with counts and report. */
  readonly verified: number;
}

const setReadingScene = async (workshop: Workshop, deployments: number): Promise<ReadingScene> => {
  const databaseUrl = await (await startPostgres(workshop, 'fleeting')).createDatabase('shipworthy');
  const query = postgresQuery(databaseUrl);
  const server = await startShipworthy(workshop, databaseUrl);
  const person = await firstPerson(server);
  const team = await setUpTeam(person);
  const startsAt = Date.now() - WINDOW_MS;
  const large = await setUpProject(person, team, 'checkout', startsAt);
  const small = await setUpProject(person, team, 'ledger', startsAt);
  const key = await createKey(person);
  let inWindow = 0;
  let verified = 0;
  for (const [project, count] of [
    [small, FEW],
    [large, deployments],
  ] as const) {
    await generateDeployments(databaseUrl, project, count);
    const stored = await countedDeployments(query, project.id);
    if (stored !== count) throw new Error(`${stored} deployments were generated instead of ${count}.`);
    const [window] = await query(
      `select count(*) as rows from deployments d join releases r on r.project_id = d.project_id
       where r.id = '${project.releaseId}' and d.started_at >= r.starts_at`,
    );
    inWindow = Number(window?.rows);
    const { deployments: reported } = await readReleaseReport(server, project, key);
    if (reported !== inWindow) throw new Error(`The report counts ${reported} deployments of ${inWindow}.`);
    verified += stored;
  }
  return {
    databaseUrl,
    server,
    key,
    large,
    small,
    report: await readReleaseReport(server, large, key),
    inWindow,
    verified,
  };
};

/** Describes the scene, for the page. */
const describeScene = ({ inWindow, report }: ReadingScene, deployments: number): string =>
  `${countWords(deployments)} deployments over ${countWords(SPREAD_DAYS)} days, ` +
  `${countWords(inWindow)} of them in the release window; counts and report agree with the rows. The report has ${countWords(report.size)} bytes.`;

const PER_SECOND = 200;
const CONNECTIONS = 32;
const FLAT: Aim = { of: 'ratio', most: 1.2 };
const QUICK: Aim = { of: 'measured', most: 10 };

/** Makes a report be computed anew, as any change of its release does. */
const change = ({ releaseId }: BenchProject): string =>
  `update release_marks set revision = revision + 1 where release_id = '${releaseId}'`;

const compareSizes = async (
  send: ReturnType<typeof startLoadProcess>,
  { databaseUrl, server, key, large, small }: ReadingScene,
  size: RunSize,
  kind: 'unchanged' | 'changed',
): Promise<readonly Round<'large' | 'small', LoadResult>[]> => {
  const turn = (project: BenchProject, seconds: number): Promise<LoadResult> =>
    send({
      kind: 'steady rate',
      port: server.port,
      request: readinessRequest(project, key, null),
      status: 200,
      connections: CONNECTIONS,
      seconds,
      perSecond: PER_SECOND,
      beforeEach: kind === 'changed' ? { connectionString: databaseUrl, statement: change(project) } : null,
    });
  await turn(small, size.warmUpSeconds);
  await turn(large, size.warmUpSeconds);
  // Turns are half as long as elsewhere and four times as many: a slow spell of the machine meets both sides.
  return alternate(size.rounds * 4, {
    small: () => turn(small, size.seconds / 2),
    large: () => turn(large, size.seconds / 2),
  });
};

const latencyLines = (
  rounds: readonly Round<'large' | 'small', LoadResult>[],
  what: string,
  deployments: number,
): readonly Line[] => {
  const medians = rounds.map(({ large, small }) => ({ large: large.p50, small: small.p50 }));
  // A hundredth of a short turn is a handful of answers: the p99 is therefore taken over all turns together.
  const slowest = (name: 'large' | 'small'): number =>
    quantile(
      rounds.flatMap((round) => round[name].times),
      0.99,
    );
  const p99 = [{ large: slowest('large'), small: slowest('small') }];
  const about = { against: `the same with ${countWords(FEW)}`, unit: 'ms' } as const;
  const title = `${what}, ${countWords(deployments)} deployments`;
  return [
    comparedLine(medians, 'large', 'small', { ...about, what: `${title}: median`, aims: [FLAT] }),
    comparedLine(p99, 'large', 'small', { ...about, what: `${title}: p99 of all rounds`, aims: [FLAT, QUICK] }),
  ];
};

const run = async (size: RunSize, workshop: Workshop): Promise<RowResult> => {
  const scene = await setReadingScene(workshop, size.deployments);
  const send = startLoadProcess(workshop);
  const changed = await compareSizes(send, scene, size, 'changed');
  const unchanged = await compareSizes(send, scene, size, 'unchanged');
  return {
    lines: [
      ...latencyLines(changed, 'GET readiness, changed before each read', size.deployments),
      ...latencyLines(unchanged, 'GET readiness, unchanged', size.deployments),
      await compareNotModified(workshop, send, scene, size),
    ],
    verifiedRecords: scene.verified,
    remarks: [
      describeScene(scene, size.deployments),
      `${PER_SECOND} requests/s at a steady rate, whether earlier ones are answered or not; times count from when a request was due. The p99 is that of ${countWords(size.rounds * 4 * PER_SECOND * (size.seconds / 2))} answers each.`,
    ],
  };
};

/** The report of a release in a project of very many deployments against one of few. */
export const readinessReads: BenchRow = { name: 'readiness-reads', title: 'Reading the score on PostgreSQL', run };
