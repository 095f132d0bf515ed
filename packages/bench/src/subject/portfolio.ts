import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Person } from './person.js';
import { createProject, type Project } from './project.js';

const DAY_MS = 86_400_000;
const AT_ONCE = 8;
const BATCH = 1_000;
const DEPLOYMENTS = 20;
/** As many as the portfolio shows of a trend. */
const POINTS = 20;

/** What every project of the portfolio has, for the page. */
export const PORTFOLIO_WORDS = `an active release with issues, a checklist, ${DEPLOYMENTS} deployments, 3 test runs of 2 suites and a trend of ${POINTS} points`;

const deploymentsOf = ({ name, id }: Project, startsAt: number) =>
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

/** Works through the items, several at a time. */
const each = async <Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> => {
  const rest = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of rest) await work(item, index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
};

/** The trend as it stands after weeks: the same points a day earlier each. */
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
export const fillPortfolio = async (
  person: Person,
  databaseUrl: string,
  teamId: string,
  count: number,
): Promise<readonly Project[]> => {
  const startsAt = Date.now() - 9 * DAY_MS;
  const projects: Project[] = [];
  await each([...new Array(count).keys()], async (index) => {
    const project = await createProject(person, teamId, `service-${index}-of-${count}`, startsAt);
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
