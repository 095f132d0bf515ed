import { createHash, randomUUID } from 'node:crypto';
import type { Connection } from '../connection/connect.js';
import { usageFailure } from '../failure.js';
import { type PipelineRun, readPipeline } from '../pipeline/read-pipeline.js';
import type { Session } from '../session.js';
import type { DeploymentEntry } from '../spool/spool-entry.js';
import type { DeployOptions } from './deploy-options.js';

const deployedBy = ({ actor, system }: PipelineRun): string | undefined =>
  actor ?? (system === 'git' || system === 'none' ? undefined : system);

/** What is known of the deployment before anything runs, but for the project. Failure (exit 2) when no commit is known. */
export const readDeployment = async (session: Session, options: DeployOptions) => {
  const { env, version, commit, url, deployedBy: actor } = options;
  const run = await readPipeline(session.world, { commit, url, actor });
  for (const line of run.assumed) session.screen.say(session.screen.paint.faint(line));
  if (run.commit === undefined)
    throw usageFailure(
      'It is not known which commit is deployed.',
      'Give it with --commit, or run inside of the repository.',
    );
  const by = deployedBy(run);
  return {
    environment: env,
    commit_sha: run.commit,
    ...(version !== undefined && { version }),
    ...(by !== undefined && { deployed_by: by }),
    ...(run.url !== undefined && { url: run.url }),
  };
};

/** What `readDeployment` found. */
export type DeploymentFacts = Awaited<ReturnType<typeof readDeployment>>;

// The same step that runs again reports the same deployment; another environment or commit is another one.
const repeatableId = (key: string, { environment, commit_sha, version }: DeploymentFacts): string =>
  createHash('sha256')
    .update(JSON.stringify([key, environment, commit_sha, version ?? null]))
    .digest('hex');

/**
 * The report that the deployment began. Its start is left to the server's clock, which a report that arrives at once needs no
 * better one for. Where no project is named it is left to be asked when this is sent.
 */
export const startEntry = async (
  session: Session,
  connection: Connection,
  facts: DeploymentFacts,
  { idempotencyKey: given }: DeployOptions,
): Promise<DeploymentEntry> => {
  const { app } = await session.settings();
  const idempotencyKey = given ?? randomUUID();
  const external_id = given === undefined ? idempotencyKey : repeatableId(given, facts);
  return {
    operation: 'createDeployment',
    body: { app_name: app?.value ?? '', ...facts, status: 'started', external_id },
    idempotencyKey,
    address: connection.address,
    madeAt: session.world.now(),
  };
};

/** The same report for later: with the moment it began. */
export const datedStart = (entry: DeploymentEntry): DeploymentEntry => ({
  ...entry,
  body: { ...entry.body, started_at: new Date(entry.madeAt).toISOString() },
});

/** One report of the whole deployment, for when its beginning did not arrive, or nobody knows whether it did. */
export const wholeEntry = (
  entry: DeploymentEntry,
  status: 'success' | 'failure',
  finishedAt: number,
  durationSeconds: number,
): DeploymentEntry => {
  const { body, idempotencyKey } = datedStart(entry);
  // A clock that was set back must not make the end come before the beginning.
  const finished_at = new Date(Math.max(finishedAt, Date.parse(body.started_at ?? ''))).toISOString();
  return {
    ...entry,
    body: { ...body, status, finished_at, duration_seconds: durationSeconds },
    idempotencyKey: `${idempotencyKey}-end`,
  };
};
