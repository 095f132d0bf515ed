import { createClient } from '@shipworthy/client';
import { type History, readHistory } from './git-history.js';
import { reportHistory, reportTests } from './report.js';
import { scorecard } from './scorecard.js';
import { runTests, testsOf } from './test-result.js';

/** The values a pipeline needs. */
export interface Given {
  readonly url: string;
  readonly apiKey: string;
  /** Name of the project. */
  readonly app: string;
}

/** The project of that name among those the key sees. */
const findProject = async (client: ReturnType<typeof createClient>, app: string) => {
  const { body } = await client.listTeams();
  for (const team of body.data)
    for (const project of team.projects) if (project.name === app) return { team_id: team.id, project_id: project.id };
  throw new Error(`The key sees no project named ${app}.`);
};

/** The warning that is printed first when the history is incomplete; empty otherwise. */
export const announce = ({ missing }: History): string => (missing === null ? '' : `Missing: ${missing}\n`);

/**
 * Reports the repository's commits as deployments and a run of its own tests, then returns the scorecard as text.
 * @param root of a built checkout
 * @param folder for scratch files
 */
export const runPipeline = async ({ url, apiKey, app }: Given, root: string, folder: string): Promise<string> => {
  const client = createClient({ baseUrl: url, apiKey });
  const history = await readHistory(root);
  const path = await findProject(client, app);
  const { created, duplicates } = await reportHistory(client, app, history.commits);
  const result = await runTests(root, testsOf(root, 'client'), folder);
  await reportTests(client, path, result, history.commits[0]?.sha);
  const { body } = await client.readActiveReadiness({ path });
  return [
    `${announce(history)}Deployments: ${created} reported, ${duplicates} known already`,
    `Tests: ${result.passed} passed, ${result.failed} failed, in ${result.seconds.toFixed(1)} s`,
    '',
    scorecard(body.data),
  ].join('\n');
};
