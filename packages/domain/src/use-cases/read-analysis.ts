import { type AskedProgress, analyseRelease, type ReleaseAnalysis } from '../analysis/analyse-release.js';
import { type ReleaseRecord, releaseSummary } from '../analysis/release-summary.js';
import type { FirstDeployments } from '../deployment/deployment.js';
import { invalid } from '../errors.js';
import type { Interval } from '../instant.js';
import type { Ports, Stores } from '../ports.js';
import type { Release } from '../release/release.js';
import { windowOf } from '../release/release-transition.js';
import { findRelease, type ReleasePath } from './in-release.js';

/** How many of the releases that shipped before are compared with. */
export const COMPARED_RELEASES = 5;

export interface ReadAnalysis extends ReleasePath, AskedProgress {}

const NONE_YET: FirstDeployments = { startedAt: null, succeededAt: null };
/** Nothing starts in it. */
const NO_WINDOW: Interval = { from: 0, to: 0 };

/** How each of a project's releases is recorded, by a number of queries that does not depend on how many they are. */
const readRecords = async (
  stores: Stores,
  projectId: string,
  releases: readonly Release[],
): Promise<(release: Release) => ReleaseRecord> => {
  const ids = releases.map(({ id }) => id);
  const [events, dossiers] = await Promise.all([stores.issues.eventsOf(ids), stores.facts.factsFor(ids)]);
  const environments = dossiers[0]?.policy.policy.environments ?? null;
  const windows = releases.map((release) => windowOf(release) ?? NO_WINDOW);
  const firsts = await stores.deployments.firstOf(projectId, environments, windows);
  const places = new Map(ids.map((id, place) => [id, place]));
  return ({ id, name, startsAt, shippedAt, canceledAt }) => {
    const place = places.get(id) ?? -1;
    const { succeeded = 0, failed = 0 } = dossiers[place]?.facts.stability ?? {};
    const counted = { deployments: { succeeded, failed }, first: firsts[place] ?? NONE_YET };
    return { id, name, startsAt, shippedAt, canceledAt, events: events[place] ?? [], ...counted };
  };
};

/**
 * The analysis of a release beside the last that shipped before it ended. Which deployments count is told by the policy of today.
 * @throws DomainError `not-found`, `invalid` when the end asked for lies before the beginning
 */
export const readAnalysis =
  ({ stores, clock, slices }: Pick<Ports, 'stores' | 'clock' | 'slices'>) =>
  async ({ from, to, step, ...path }: ReadAnalysis): Promise<ReleaseAnalysis> => {
    const release = await findRelease(stores, path);
    const now = clock();
    if (from !== null && from > Math.min(to ?? now, now))
      throw invalid([{ code: 'range', message: 'It must not lie after the end, nor in the future.', pointer: 'from' }]);
    const end = release.shippedAt ?? release.canceledAt ?? now;
    const earlier = await stores.releases.shippedBefore(path.projectId, end, COMPARED_RELEASES);
    const recordOf = await readRecords(stores, path.projectId, [release, ...earlier]);
    const compared = await slices.map(earlier, (one) => releaseSummary(recordOf(one), one.shippedAt ?? now));
    return { ...analyseRelease(recordOf(release), { from, to, step }, now), earlier: compared };
  };
