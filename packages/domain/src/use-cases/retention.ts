import { SERVICE_ACTOR } from '../access/principal.js';
import type { RemovedRecords } from '../pipeline-report.js';
import type { Ports, Stores } from '../ports.js';
import type { Instant } from '../time.js';

const DAY = 24 * 3_600_000;

/** How many records were removed. */
export type RemovedCount = Pick<RemovedRecords, 'deployments' | 'testRuns' | 'axisReports'>;

const sum = (parts: readonly RemovedCount[]): RemovedCount => ({
  deployments: parts.reduce((all, { deployments }) => all + deployments, 0),
  testRuns: parts.reduce((all, { testRuns }) => all + testRuns, 0),
  axisReports: parts.reduce((all, { axisReports }) => all + axisReports, 0),
});

const removePortion = (
  stores: Stores,
  { clock, newId }: Pick<Ports, 'clock' | 'newId'>,
  before: Instant,
  from: string | null,
) =>
  stores.transaction(async (inside) => {
    const portion = await inside.keptRecords.removeBefore(before, from);
    for (const { projectId, teamId, deployments, testRuns, axisReports } of portion.removed)
      await inside.audit.append({
        id: newId(),
        teamId,
        at: clock(),
        actor: SERVICE_ACTOR,
        action: 'records.remove',
        resource: projectId === null ? { type: 'team', id: teamId } : { type: 'project', id: projectId },
        address: '',
        requestId: '',
        detail: { before, deployments, testRuns, axisReports },
      });
    return portion;
  });

/**
 * Removes deployments, test runs and reports of own axes that are older than `days` whole UTC days. Works in portions,
 * each in one transaction with its audit entries: several instances may do it at once, and an interrupted one leaves
 * nothing half done.
 * @returns how many were removed
 */
export async function removeOldRecords(
  { stores, clock, newId }: Pick<Ports, 'stores' | 'clock' | 'newId'>,
  { days, stopped = () => false }: { readonly days: number; readonly stopped?: () => boolean },
): Promise<RemovedCount> {
  const before = Math.floor(clock() / DAY - days) * DAY;
  const parts: RemovedCount[] = [];
  let from: string | null = null;
  do {
    const { removed, next } = await removePortion(stores, { clock, newId }, before, from);
    parts.push(sum(removed));
    from = next;
  } while (from !== null && !stopped());
  return sum(parts);
}
