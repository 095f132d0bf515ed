import { type Deployment, type ReportOutcome, testRunMove } from '@shipworthy/domain';
import type { Access } from '../access.js';
import { grouped } from '../grouped.js';
import { type Mark, markReleases } from '../marks.js';
import { moveCounts } from './counts.js';
import { finishDeployments, insertDeployments, storeDeployments } from './deployments.js';
import { giveKeysBack, takeKeys } from './keys.js';
import { insertTestRuns } from './test-runs.js';
import { ofKind, type Placed, type PlacedOf } from './wave.js';
import { type Changed, marksOf } from './window-marks.js';

/** Holds the projects of test runs against a release that is just being closed. */
const holdProjects = async (access: Access, entries: readonly Placed[]): Promise<void> => {
  const projects = new Set(ofKind('test_run', entries).map(({ entry }) => entry.testRun.projectId));
  if (projects.size === 0 || access.dialect.name === 'sqlite') return;
  const { among, list, forKeyShare } = access.dialect;
  await access.write(`select id from projects where ${among('id', 'id')} order by id ${forKeyShare}`, [
    list([...projects]),
  ]);
};

const merged = (marks: readonly Mark[]): readonly Mark[] =>
  [...grouped(marks, ({ releaseId }) => releaseId)].map(([releaseId, ofRelease]) => ({
    releaseId,
    causes: ofRelease.flatMap(({ causes }) => causes),
  }));

const isPlain = (placed: Placed): placed is PlacedOf<'deployment'> =>
  placed.entry.kind === 'deployment' && placed.entry.deployment.external === null;

/** A deployment that is reported: one that has ended by then is told of once. */
const begun = (deployment: Deployment): Changed => ({
  deployment,
  what: deployment.status === 'started' ? 'begun' : 'finished',
  at: deployment.createdAt,
});

/** Deployments that can only be new: no statement has to wait for the outcome of another one. */
const recordPlain = async (access: Access, entries: readonly PlacedOf<'deployment'>[]): Promise<readonly Mark[]> => {
  const deployments = entries.map(({ entry }) => entry.deployment);
  const [, , marks] = await Promise.all([
    storeDeployments(access, deployments),
    moveCounts(
      access,
      deployments.map((deployment) => ({ deployment, from: null })),
    ),
    marksOf(access, deployments.map(begun)),
  ]);
  return marks;
};

/**
 * Records entries that have nothing in common, in one transaction: keys, rows, counts, marks, each in a fixed order.
 * Answers the outcomes by place.
 */
export const recordWave = (access: Access, entries: readonly Placed[]): Promise<ReadonlyMap<number, ReportOutcome>> =>
  access.atomically(async (inside) => {
    const outcomes = new Map<number, ReportOutcome>();
    const taken = await takeKeys(inside, entries, outcomes);
    if (taken.every(isPlain)) {
      await markReleases(inside, await recordPlain(inside, taken));
      for (const { place } of taken) outcomes.set(place, { result: 'created' });
      return outcomes;
    }
    await holdProjects(inside, taken);
    const created = await insertDeployments(inside, ofKind('deployment', taken), outcomes);
    const finished = await finishDeployments(inside, ofKind('finish', taken), outcomes);
    const runs = await insertTestRuns(inside, ofKind('test_run', taken), outcomes);
    await giveKeysBack(
      inside,
      taken.filter(({ place }) => outcomes.get(place)?.result !== 'created'),
    );
    await moveCounts(inside, [
      ...created.map((deployment) => ({ deployment, from: null })),
      ...finished.map((deployment) => ({ deployment, from: 'started' as const })),
    ]);
    const learned = new Map(ofKind('finish', taken).map(({ entry }) => [entry.deploymentId, entry.at]));
    const deployed = await marksOf(inside, [
      ...created.map(begun),
      ...finished.map((deployment) => ({ deployment, what: 'finished' as const, at: learned.get(deployment.id) ?? 0 })),
    ]);
    const tested = runs.map(
      ({ id, releaseId, recordedAt }): Mark => ({
        releaseId,
        causes: [testRunMove(id, recordedAt)],
      }),
    );
    await markReleases(inside, merged([...deployed, ...tested]));
    return outcomes;
  });
