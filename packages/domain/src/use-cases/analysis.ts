import {
  type AskedProgress,
  accumulateAnalysis,
  accumulateSummary,
  type ReleaseAnalysis,
  type ReleaseSummary,
  type ReleaseWithoutEvents,
} from '../analysis/analyse-release.js';
import { gatherMovements, type Movement } from '../analysis/movement.js';
import type { FirstDeployments } from '../deployment.js';
import { invalid } from '../errors.js';
import type { IssueEvent } from '../issue.js';
import type { Page, PageKey } from '../page.js';
import type { Ports, Stores } from '../ports.js';
import { type Release, windowOf } from '../release/release.js';
import type { Interval } from '../time.js';
import { findRelease, type ReleasePath } from './change.js';

/** How many releases that shipped before a release are compared with it. */
export const COMPARED_RELEASES = 5;

/** How many events are read at a time: so many take some milliseconds to arrive. */
const PORTION = 5000;

interface ReadAnalysis extends ReleasePath, AskedProgress {}

const NO_FIRST_DEPLOYMENTS: FirstDeployments = { startedAt: null, succeededAt: null };
/** An empty window. */
const NO_WINDOW: Interval = { from: 0, to: 0 };

/**
 * Reads counts and first deployments of the releases; the number of queries does not depend on the number of releases. Where
 * deployments from the beginning of a window may have been removed for their age, the first ones are not known: without
 * them, a later one would be taken for the first.
 */
const readDeployments = async (
  stores: Stores,
  projectId: string,
  releases: readonly Release[],
): Promise<(releaseId: string) => Pick<ReleaseWithoutEvents, 'deployments' | 'first'>> => {
  const ids = releases.map(({ id }) => id);
  const allInputs = await stores.facts.factsFor(ids);
  const environments = allInputs[0]?.policy.policy.environments ?? null;
  const windows = releases.map((release) => windowOf(release) ?? NO_WINDOW);
  const [firsts, kept] = await Promise.all([
    stores.deployments.firstOf(projectId, environments, windows),
    stores.keptRecords.since(projectId),
  ]);
  const isWhole = (window: Interval | undefined): boolean =>
    (window?.from ?? 0) >= (kept.deployments ?? Number.NEGATIVE_INFINITY);
  const places = new Map(ids.map((id, place) => [id, place]));
  return (releaseId) => {
    const place = places.get(releaseId) ?? -1;
    const { succeeded = 0, failed = 0 } = allInputs[place]?.facts.stability ?? {};
    const first = isWhole(windows[place]) ? firsts[place] : undefined;
    return { deployments: { succeeded, failed }, first: first ?? NO_FIRST_DEPLOYMENTS };
  };
};

/**
 * Returns the movements of a release, one for each moment that changed it. Reads its events page by page and keeps
 * none. If an import rewrites the history during the read, part of the result may be of the former one.
 */
const readMovements = async (
  { stores, slices }: Pick<Ports, 'stores' | 'slices'>,
  releaseId: string,
): Promise<readonly Movement[]> => {
  const gathering = gatherMovements();
  let after: PageKey | null = null;
  do {
    const page: Page<IssueEvent> = await stores.issues.eventsOf(releaseId, { limit: PORTION, after });
    await slices.map(page.rows, gathering.add);
    after = page.next;
  } while (after !== null);
  return gathering.end();
};

/**
 * The analysis of a release beside the last that shipped before it ended. The present policy decides which deployments
 * count.
 * @throws DomainError `not-found`, `invalid` when `from` lies after `to` or in the future
 */
export async function readAnalysis(
  { stores, clock, slices }: Pick<Ports, 'stores' | 'clock' | 'slices'>,
  { from, to, step, ...path }: ReadAnalysis,
): Promise<ReleaseAnalysis> {
  const release = await findRelease(stores, path);
  const now = clock();
  if (from !== null && from > Math.min(to ?? now, now))
    throw invalid([{ code: 'range', message: 'It must not lie after the end, nor in the future.', pointer: 'from' }]);
  const end = release.shippedAt ?? release.canceledAt ?? now;
  const earlier = await stores.releases.shippedBefore(path.projectId, end, COMPARED_RELEASES);
  const deploymentsOf = await readDeployments(stores, path.projectId, [release, ...earlier]);
  /** Follows one release at a time, so that the history of only one is in memory. */
  const movementsIn = ({ id }: Release): Promise<readonly Movement[]> => readMovements({ stores, slices }, id);
  const movements = await movementsIn(release);
  const analysis = accumulateAnalysis({ ...release, ...deploymentsOf(release.id) }, movements, { from, to, step }, now);
  await slices.map(movements, analysis.add);
  const compared: ReleaseSummary[] = [];
  for (const one of earlier) {
    const summary = accumulateSummary({ ...one, ...deploymentsOf(one.id) }, one.shippedAt ?? now);
    await slices.map(await movementsIn(one), summary.add);
    compared.push(summary.end());
  }
  return { ...analysis.end(), earlier: compared };
}
