import type { Client, Input } from '@shipworthy/client';
import type { Commit } from './git-history.js';
import type { TestResult } from './test-result.js';

type Deployment = Input<'importDeployments'>['body'][number];

/** The results of the reported deployments. */
export interface Reported {
  readonly created: number;
  /** Deployments that the service knew already by their external id; it counts each only once. */
  readonly duplicates: number;
}

const ENVIRONMENT = 'main';
/** The service takes 1,000 records at a time. */
const PORTION = 500;
/** The service refuses moments further ahead of its clock than this. */
const CLOCK_LEAD_MS = 5 * 60_000;

const deploymentOf = (app: string, { sha, committedAt }: Commit): Deployment => {
  const at = committedAt.toISOString();
  const ahead = committedAt.getTime() > Date.now() + CLOCK_LEAD_MS;
  return {
    app_name: app,
    environment: ENVIRONMENT,
    commit_sha: sha,
    status: 'success',
    deployed_by: 'own-pipeline',
    external_id: sha,
    // A commit from a clock that runs ahead counts from when it is reported.
    ...(ahead ? {} : { started_at: at, finished_at: at }),
  };
};

/** Reports every commit as one successful deployment, named by its hash. @throws Error when one is refused */
export const reportHistory = async (client: Client, app: string, commits: readonly Commit[]): Promise<Reported> => {
  let [created, duplicates] = [0, 0];
  for (let from = 0; from < commits.length; from += PORTION) {
    const portion = commits.slice(from, from + PORTION).map((commit) => deploymentOf(app, commit));
    const { body } = await client.importDeployments({ body: portion });
    for (const outcome of body.data) {
      if (outcome.result === 'refused')
        throw new Error(`Commit ${portion[outcome.index]?.commit_sha} was refused: ${outcome.problem.detail}`);
      if (outcome.result === 'created') created += 1;
      else duplicates += 1;
    }
  }
  return { created, duplicates };
};

/** Reports one run of the tests. Its external id is the moment it began, so that a repeated report adds no run. */
export const reportTests = async (
  client: Client,
  path: { readonly team_id: string; readonly project_id: string },
  { passed, failed, skipped, startedAt, seconds }: TestResult,
  head: string | undefined,
): Promise<void> => {
  await client.recordTestRun({
    path,
    body: {
      total: passed + failed,
      passed,
      failed,
      skipped,
      suite: 'mocha',
      duration_seconds: seconds,
      ran_at: startedAt,
      external_id: `mocha ${startedAt}`,
      ...(head === undefined ? {} : { commit_sha: head }),
    },
  });
};
