import { startLoadProcess } from '../load/load-process.js';
import { requestText } from '../load/request-text.js';
import { alternate } from '../measure/alternate.js';
import { lineOf, type RowResult } from '../measure/line.js';
import { countWords } from '../page/wording.js';
import { startPostgres } from '../process/postgres.js';
import type { Workshop } from '../process/workshop.js';
import { requirePortfolio } from '../read-back/portfolio.js';
import { postgresQuery } from '../read-back/query.js';
import { COUNTING, statementsOf } from '../read-back/statement-count.js';
import { firstPerson } from '../subject/person.js';
import { fillPortfolio, PORTFOLIO_WORDS } from '../subject/portfolio.js';
import { createKey, createTeam } from '../subject/project.js';
import { type Shipworthy, startShipworthy } from '../subject/shipworthy.js';
import type { Row, RunSize } from './row.js';

const CALLS = 31;
const PATH = '/api/portfolio';

const read = async ({ port }: Shipworthy, key: string): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}${PATH}`, { headers: { authorization: `Bearer ${key}` } });
  if (response.status !== 200) throw new Error(`The portfolio was answered ${response.status}.`);
  return response.text();
};

/** A server with two teams, one of many projects and one of a single one, and a key for each. */
const setScene = async (workshop: Workshop, count: number) => {
  const databaseUrl = await (await startPostgres(workshop, 'fleeting', COUNTING)).createDatabase('shipworthy');
  const server = await startShipworthy(workshop, databaseUrl);
  const person = await firstPerson(server);
  const manyTeam = await createTeam(person);
  const oneTeam = await createTeam(person);
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
      lineOf(times('p50'), 'many', 'one', {
        ...about,
        what: `GET portfolio, ${count} projects: median`,
        unit: 'ms',
        aims: [{ of: 'measured', most: 50 }],
        whyMissed:
          'what did not change is neither computed nor read again; what is left is a look at each project and release in five statements, and the answer itself, most of which is trends. On cores that are busy with other things both take several times as long; pages, or answers without trends, would be faster there.',
      }),
      lineOf(times('p99'), 'many', 'one', {
        ...about,
        what: `GET portfolio, ${count} projects: p99`,
        unit: 'ms',
        aims: [],
      }),
      lineOf([statements], 'many', 'one', {
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
export const portfolio: Row = { name: 'portfolio', title: 'Portfolio on PostgreSQL', run };
