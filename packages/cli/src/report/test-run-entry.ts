import { createHash, randomUUID } from 'node:crypto';
import type { Connection } from '../connection/connect.js';
import { readPipeline } from '../pipeline/read-pipeline.js';
import type { Session } from '../session.js';
import type { NamedTestRunEntry } from '../spool/spool-entry.js';
import type { RecordOptions } from './record-options.js';
import type { ReportSum } from './sum-reports.js';

// The same step that runs again reports the same run; another suite, release or commit is another one.
const repeatableId = (key: string, ...parts: readonly (string | undefined)[]): string =>
  createHash('sha256')
    .update(JSON.stringify([key, ...parts.map((part) => part ?? null)]))
    .digest('hex');

/** The report of a run, without a time: the clock of a report file does not decide which run is the latest. Which project and release its names stand for is found out when it is sent, so that an outage keeps it whole. */
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
  const idempotencyKey = given ?? randomUUID();
  const app = (await session.settings()).app?.value ?? '';
  const { total, passed, failed, skipped, durationSeconds } = sum;
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
      external_id: given === undefined ? idempotencyKey : repeatableId(given, suite, release, run.commit),
    },
    idempotencyKey,
    address,
    madeAt,
  };
};
