import { createHash, randomUUID } from 'node:crypto';
import type { Connection } from '../connection/connect.js';
import { readPipeline } from '../pipeline/read-pipeline.js';
import type { Session } from '../session.js';
import type { NamedTestRunEntry } from '../spool/spool-entry.js';
import type { RecordOptions } from './record-options.js';
import type { ReportSum } from './sum-reports.js';

/** As far ahead as a moment may lie; what is further is no clock's mistake. */
const AHEAD_MS = 300_000;

// The same step that runs again reports the same run; another suite, release or commit is another one.
const repeatableId = (key: string, ...parts: readonly (string | undefined)[]): string =>
  createHash('sha256')
    .update(JSON.stringify([key, ...parts.map((part) => part ?? null)]))
    .digest('hex');

/** The report of a run. Which project and release its names stand for is found out when it is sent, so that an outage keeps it whole. */
export const testRunEntry = async (
  session: Session,
  { address }: Connection,
  sum: ReportSum,
  options: RecordOptions,
): Promise<NamedTestRunEntry> => {
  const { world, screen } = session;
  const { suite, release, commit, url, idempotencyKey: given } = options;
  const run = await readPipeline(world, { commit, url });
  for (const line of run.assumed) screen.say(screen.paint.faint(line));
  const madeAt = world.now();
  const isSane = sum.ranAt !== undefined && sum.ranAt <= madeAt + AHEAD_MS;
  if (sum.ranAt !== undefined && !isSane) screen.say('The time in the report lies in the future and is left aside.');
  const idempotencyKey = given ?? randomUUID();
  const app = (await session.settings()).app?.value ?? '';
  const { total, passed, failed, skipped, durationSeconds, ranAt } = sum;
  return {
    operation: 'recordNamedTestRun',
    path: { app, release: release ?? '' },
    body: {
      total,
      passed,
      failed,
      skipped,
      ...(suite !== undefined && { suite }),
      ...(run.commit !== undefined && { commit_sha: run.commit }),
      ...(run.url !== undefined && { url: run.url }),
      ...(durationSeconds !== undefined && { duration_seconds: durationSeconds }),
      ...(isSane && ranAt !== undefined && { ran_at: new Date(ranAt).toISOString() }),
      external_id: given === undefined ? idempotencyKey : repeatableId(given, suite, release, run.commit),
    },
    idempotencyKey,
    address,
    madeAt,
  };
};
