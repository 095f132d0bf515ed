import { sequenceText } from '../load/load-order.js';
import { requireEqual } from './equal.js';
import type { Query } from './query.js';

/**
 * Every acknowledged deployment of a load is in the table exactly once, and no other: as many rows as answers, all of
 * different commits, none beyond the last one sent.
 * @param commits the digits all their commits begin with
 * @throws Error
 */
export const requireStoredOnce = async (query: Query, commits: string, answered: number): Promise<void> => {
  const [found] = await query(`
    select count(*) as stored, count(distinct commit_sha) as commits, max(commit_sha) as last from deployments
    where commit_sha between '${commits}${'0'.repeat(16)}' and '${commits}${'f'.repeat(16)}'`);
  requireEqual('Stored deployments', found?.stored, answered);
  requireEqual('Different deployments', found?.commits, answered);
  if (answered > 0) requireEqual('The last deployment', found?.last, `${commits}${sequenceText(answered - 1)}`);
};

/** Every acknowledged request so far has its answer remembered under its idempotency key. @throws Error */
export const requireRemembered = async (query: Query, answered: number): Promise<void> => {
  const [found] = await query('select count(*) as remembered from idempotency where status is not null');
  requireEqual('Remembered answers', found?.remembered, answered);
};

/** How many deployments of the project are stored, after making sure that its daily and hourly counts say the same. @throws Error */
export const countedDeployments = async (query: Query, projectId: string): Promise<number> => {
  const [rows] = await query(`select count(*) as stored from deployments where project_id = '${projectId}'`);
  const counts = await query(`
    select hours, sum(started + success + failure) as counted from deployment_counts
    where project_id = '${projectId}' group by hours`);
  if (counts.length === 0) throw new Error('No counts are kept.');
  for (const { hours, counted } of counts) requireEqual(`Counts of ${String(hours)} h`, counted, rows?.stored);
  return Number(rows?.stored);
};
