import type { Stores } from '../../ports.js';
import type { Release } from '../../release/release.js';
import type { HostTestRun, TestRunSource } from '../../repository/host.js';
import { importedTestRun } from '../../repository/imported-records.js';
import { testRunName } from '../../repository/link.js';
import { testRunFrom } from '../../test-run.js';
import { recordAll } from './deployments.js';
import { hostReadRequest, markAfterPage, nothingToRead, type ReadStage, type StoringStep } from './step.js';

const activeRelease = async ({ testRuns }: Pick<Stores, 'testRuns'>, projectId: string): Promise<Release | null> => {
  const [target] = await testRuns.targets([{ projectId, releaseId: null, suite: null }]);
  return target?.release ?? null;
};

const store = async (
  step: StoringStep,
  source: TestRunSource,
  { id: releaseId }: Release,
  rows: readonly HostTestRun[],
): Promise<void> => {
  const { link, project, hostTitle, now, newId } = step;
  const entries = rows.flatMap((host) => {
    const report = importedTestRun(host, testRunName(link.host, source, host.id));
    if (report === null) return [];
    const recording = { id: newId(), projectId: project.id, releaseId, recordedBy: hostTitle, now };
    return [{ kind: 'test_run', testRun: testRunFrom(report, recording), remember: null } as const];
  });
  await recordAll(step, entries);
};

/** Records the host's checks or workflows as test runs of the active release; without one they wait at the host. */
export const importHostTestRuns: ReadStage = async (step) => {
  const { link, state } = step.linked;
  const { checkpoint } = state;
  const { marks } = checkpoint;
  const source = link.settings.testRuns;
  if (source === 'none' || (await activeRelease(step.stores, link.projectId)) === null) return nothingToRead(step);
  const reading = await step.ask((host, access) =>
    host.testRuns(access, link.repository, source, hostReadRequest(checkpoint, 'test_runs')),
  );
  if (reading.unchanged) return { ...nothingToRead(step), budget: reading.budget };
  const moments = reading.rows.map(({ ranAt }) => ranAt);
  return {
    budget: reading.budget,
    rows: { testRuns: reading.rows.length },
    store: async (storing) => {
      const release = await activeRelease(storing.stores, link.projectId);
      if (release === null) return { next: null, reading: null, marks };
      await store(storing, source, release, reading.rows);
      return { next: reading.next, reading: markAfterPage(checkpoint, 'test_runs', reading, moments), marks };
    },
  };
};
