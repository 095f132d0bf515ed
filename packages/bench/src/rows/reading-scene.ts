import { countWords } from '../page/wording.js';
import { startPostgres } from '../process/postgres.js';
import type { Workshop } from '../process/workshop.js';
import { postgresQuery } from '../read-back/query.js';
import { countedDeployments } from '../read-back/stored-deployments.js';
import { generateDeployments, SPREAD_DAYS } from '../subject/generate-deployments.js';
import { firstPerson } from '../subject/person.js';
import { createKey, createProject, createTeam, type Project } from '../subject/project.js';
import { type ReadReport, readReport } from '../subject/report.js';
import { type Shipworthy, startShipworthy } from '../subject/shipworthy.js';

const DAY_MS = 86_400_000;
/** The release window begins in the middle of a day, an hour and a minute: its edges fall on no bucket. */
const WINDOW_MS = 90.37 * DAY_MS;

/** Deployments in the project that is compared with. */
export const FEW = 1_000;

/** A server on PostgreSQL with two projects that differ in nothing but the number of their deployments. */
export interface ReadingScene {
  readonly databaseUrl: string;
  readonly server: Shipworthy;
  readonly key: string;
  readonly large: Project;
  readonly small: Project;
  readonly report: ReadReport;
  /** Deployments in the large project's release window. */
  readonly inWindow: number;
  /** Rows generated and compared with counts and report. */
  readonly verified: number;
}

export const setReadingScene = async (workshop: Workshop, deployments: number): Promise<ReadingScene> => {
  const databaseUrl = await (await startPostgres(workshop, 'fleeting')).createDatabase('shipworthy');
  const query = postgresQuery(databaseUrl);
  const server = await startShipworthy(workshop, databaseUrl);
  const person = await firstPerson(server);
  const team = await createTeam(person);
  const startsAt = Date.now() - WINDOW_MS;
  const large = await createProject(person, team, 'checkout', startsAt);
  const small = await createProject(person, team, 'ledger', startsAt);
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
    const { deployments: reported } = await readReport(server, project, key);
    if (reported !== inWindow) throw new Error(`The report counts ${reported} deployments of ${inWindow}.`);
    verified += stored;
  }
  return { databaseUrl, server, key, large, small, report: await readReport(server, large, key), inWindow, verified };
};

/** What the scene looks like, for the page. */
export const describeScene = ({ inWindow, report }: ReadingScene, deployments: number): string =>
  `${countWords(deployments)} deployments over ${countWords(SPREAD_DAYS)} days, ` +
  `${countWords(inWindow)} of them in the release window; counts and report agree with the rows. The report has ${countWords(report.size)} bytes.`;
