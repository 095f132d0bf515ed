import type { ReportOutcome } from '@shipworthy/domain';
import type { Access } from '../access.js';
import { grouped } from '../grouped.js';
import { type Mark, markReleases } from '../marks.js';
import { moveCounts } from './counts.js';
import { finishDeployments, insertDeployments } from './deployments.js';
import { giveKeysBack, takeKeys } from './keys.js';
import { insertTestRuns } from './test-runs.js';
import { ofKind, type Placed } from './wave.js';
import { marksOf } from './window-marks.js';

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

/**
 * Records entries that have nothing in common, in one transaction: keys, rows, counts, marks, each in a fixed order.
 * Answers the outcomes by place.
 */
export const recordWave = (access: Access, entries: readonly Placed[]): Promise<ReadonlyMap<number, ReportOutcome>> =>
  access.atomically(async (inside) => {
    const outcomes = new Map<number, ReportOutcome>();
    const taken = await takeKeys(inside, entries, outcomes);
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
    const deployed = await marksOf(inside, [
      ...created.map((deployment) => ({ deployment, at: deployment.createdAt })),
      ...finished.map((deployment) => ({ deployment, at: deployment.finishedAt ?? deployment.createdAt })),
    ]);
    const tested = runs.map(
      ({ id, releaseId, recordedAt }): Mark => ({
        releaseId,
        causes: [{ kind: 'test_run', id, at: recordedAt }],
      }),
    );
    await markReleases(inside, merged([...deployed, ...tested]));
    return outcomes;
  });
