import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { alternate, comparedLine, type RowResult } from '../figures.js';
import { requestText, startLoadProcess } from '../load/load-process.js';
import { countWords } from '../page/table.js';
import { startPostgres } from '../process/postgres.js';
import type { Workshop } from '../process/workshop.js';
import { COUNTING, postgresQuery, requireEqual, statementsOf } from '../read-back.js';
import { type BenchProject, createKey, each, readinessPath, setUpProject, setUpTeam } from '../subject/project.js';
import { firstPerson, type RunningServer, type SignedInPerson, startShipworthy } from '../subject/shipworthy.js';
import type { BenchRow, RunSize } from './row.js';

interface Entry {
  readonly project: { readonly id: string };
  readonly readiness: {
    readonly score: number | null;
    readonly decision: string;
    readonly trend: readonly unknown[];
  } | null;
  readonly last_deployment_at: string | null;
  readonly last_test_run_at: string | null;
}

interface Report {
  readonly score: number | null;
  readonly gate: { readonly decision: string };
}

/** Checks that the portfolio has every project once, and says of each what its own report says. @throws Error */
const requirePortfolio = async (person: SignedInPerson, projects: readonly BenchProject[]): Promise<void> => {
  const all = await person.get<readonly Entry[]>('/api/portfolio');
  const entries = new Map(all.map((entry) => [entry.project.id, entry]));
  requireEqual('Projects of the portfolio', all.length, projects.length);
  for (const project of projects) {
    const entry = entries.get(project.id);
    const report = await person.get<Report>(readinessPath(project));
    const said = `${entry?.readiness?.score} ${entry?.readiness?.decision}`;
    requireEqual(`Score and decision of ${project.name}`, said, `${report.score} ${report.gate.decision}`);
    if (entry?.last_deployment_at == null || entry.last_test_run_at == null)
      throw new Error(`The portfolio does not know when ${project.name} was reported of.`);
  }
};

const DAY_MS = 86_400_000;
const BATCH = 1_000;
const DEPLOYMENTS = 20;
/** The number of points of a trend that the portfolio shows. */
const POINTS = 20;

/** Describes each project of the portfolio, for the page. */
const PORTFOLIO_WORDS = `an active release with issues, a checklist, ${DEPLOYMENTS} deployments, 3 test runs of 2 suites and a trend of ${POINTS} points`;

const deploymentsOf = ({ name, id }: BenchProject, startsAt: number) =>
  Array.from({ length: DEPLOYMENTS }, (_, index) => ({
    app_name: name,
    project_id: id,
    environment: index % 3 === 0 ? 'staging' : 'production',
    commit_sha: `${index.toString(16).padStart(8, '0')}a9be07d4`,
    status: index % 7 === 6 ? 'failure' : 'success',
    started_at: new Date(startsAt + (index + 1) * 3_600_000).toISOString(),
    finished_at: new Date(startsAt + (index + 1) * 3_600_000 + 90_000).toISOString(),
  }));

const RUNS = [
  { suite: 'unit', total: 400, passed: 400, failed: 0 },
  { suite: 'browser', total: 60, passed: 58, failed: 2 },
  { suite: 'unit', total: 410, passed: 410, failed: 0 },
];

/** Makes a trend of weeks: the same points, each a day earlier. */
const lengthenTrends = `
  insert into history_points (release_id, second, at, score, coverage, decision, axes, causes, cause_count)
  select distinct on (h.release_id, d.days) h.release_id, h.second - d.days * 86400, h.at - d.days * interval '1 day',
    h.score, h.coverage, h.decision, h.axes, h.causes, h.cause_count
  from history_points h, generate_series(1, ${POINTS}) as d(days) order by h.release_id, d.days, h.second desc
  on conflict do nothing`;

const WITHOUT_POINT = `select count(*) as missing from release_marks where dirty = 1`;

const settleTrends = async (databaseUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const deadline = performance.now() + 120_000; ; ) {
      const { rows } = await client.query<{ missing: string }>(WITHOUT_POINT);
      if (Number(rows[0]?.missing) === 0) break;
      if (performance.now() > deadline) throw new Error('The trends were not written within two minutes.');
      await pause(100);
    }
    await client.query(lengthenTrends);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
};

/** Creates so many projects in a team, each with all that a score is made of, and waits until their trends are written. */
const fillPortfolio = async (
  person: SignedInPerson,
  databaseUrl: string,
  teamId: string,
  count: number,
): Promise<readonly BenchProject[]> => {
  const startsAt = Date.now() - 9 * DAY_MS;
  const projects: BenchProject[] = [];
  await each([...new Array(count).keys()], async (index) => {
    const project = await setUpProject(person, teamId, `service-${index}-of-${count}`, startsAt);
    const path = `/api/teams/${teamId}/projects/${project.id}`;
    await person.post(`${path}/test-runs/batch`, RUNS);
    projects.push(project);
  });
  const deployments = projects.flatMap((project) => deploymentsOf(project, startsAt));
  for (let from = 0; from < deployments.length; from += BATCH)
    await person.post('/api/deployments/batch', deployments.slice(from, from + BATCH));
  await settleTrends(databaseUrl);
  return projects;
};

const CALLS = 31;
const PATH = '/api/portfolio';

const read = async ({ port }: RunningServer, key: string): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}${PATH}`, { headers: { authorization: `Bearer ${key}` } });
  if (response.status !== 200) throw new Error(`The portfolio was answered ${response.status}.`);
  return response.text();
};

/** A server with two teams, one of many projects and one of a single one, and a key for each. */
const setScene = async (workshop: Workshop, count: number) => {
  const databaseUrl = await (await startPostgres(workshop, 'fleeting', COUNTING)).createDatabase('shipworthy');
  const server = await startShipworthy(workshop, databaseUrl);
  const person = await firstPerson(server);
  const manyTeam = await setUpTeam(person);
  const oneTeam = await setUpTeam(person);
  const projects = [
    ...(await fillPortfolio(person, databaseUrl, oneTeam, 1)),
    ...(await fillPortfolio(person, databaseUrl, manyTeam, count)),
  ];
  await requirePortfolio(person, projects);
  const keys = { many: await createKey(person, manyTeam), one: await createKey(person, oneTeam) };
  return { server, keys, projects, query: postgresQuery(databaseUrl) };
};

const run = async (size: RunSize, workshop: Workshop): Promise<RowResult> => {
  const { server, keys, projects, query } = await setScene(workshop, size.projects);
  const statements = {
    many: await statementsOf(query, CALLS, () => read(server, keys.many)),
    one: await statementsOf(query, CALLS, () => read(server, keys.one)),
  };
  const bytes = Buffer.byteLength(await read(server, keys.many));
  const send = startLoadProcess(workshop);
  const turn = (key: string, seconds: number) => {
    const request = requestText({ method: 'GET', path: PATH, headers: { Authorization: `Bearer ${key}` } });
    return send({ kind: 'closed loop', port: server.port, request, status: 200, connections: 1, seconds });
  };
  await turn(keys.one, size.warmUpSeconds);
  await turn(keys.many, size.warmUpSeconds);
  const rounds = await alternate(size.rounds, {
    one: () => turn(keys.one, size.seconds),
    many: () => turn(keys.many, size.seconds),
  });
  const count = countWords(size.projects);
  const about = { against: 'the same with one project' } as const;
  const times = (share: 'p50' | 'p99') => rounds.map(({ many, one }) => ({ many: many[share], one: one[share] }));
  return {
    lines: [
      comparedLine(times('p50'), 'many', 'one', {
        ...about,
        what: `GET portfolio, ${count} projects: median`,
        unit: 'ms',
        aims: [{ of: 'measured', most: 50 }],
        whyMissed:
          'what did not change is neither computed nor read again; what is left is a look at each project and release in five statements, and the answer itself, most of which is trends. On cores that are busy with other things both take several times as long; pages, or answers without trends, would be faster there.',
      }),
      comparedLine(times('p99'), 'many', 'one', {
        ...about,
        what: `GET portfolio, ${count} projects: p99`,
        unit: 'ms',
        aims: [],
      }),
      comparedLine([statements], 'many', 'one', {
        ...about,
        what: `GET portfolio, ${count} projects: statements sent to the database`,
        unit: 'queries',
        aims: [{ of: 'ratio', most: 1 }],
      }),
    ],
    verifiedRecords: projects.length,
    remarks: [
      `Each project has ${PORTFOLIO_WORDS}; ${countWords(bytes)} bytes are answered. One call after the other, nothing else to do.`,
      `Read back: ${countWords(projects.length)} projects, each once, with the score and the decision of its own report. Statements are counted by pg_stat_statements over ${CALLS} calls.`,
    ],
  };
};

/** Every project in one call, against a single one. */
export const portfolio: BenchRow = { name: 'portfolio', title: 'Portfolio on PostgreSQL', run };
