import type { RunOrder, TestRun } from '../test-run/test-run.js';
import { isLater } from '../test-run/test-run-rules.js';
import type { TestRunTarget } from '../test-run/test-run-store.js';
import { type Attribution, attributedTo, type NotCountedReason } from './attribution.js';

type JudgedRun = RunOrder & Pick<TestRun, 'setAside'>;

/** Why a run does not count in its release; null: it counts. */
const reasonOf = (
  run: JudgedRun,
  { release, verification, latest, latestOfSuite }: TestRunTarget,
): NotCountedReason | null => {
  const shippedAt = release?.shippedAt ?? null;
  if (shippedAt !== null && run.recordedAt >= shippedAt) return 'release_frozen';
  if (run.setAside !== null) return 'set_aside';
  const rival = verification === 'latest_run' ? latest : latestOfSuite;
  return rival !== null && isLater(rival, run) ? 'superseded_by_newer_run' : null;
};

/**
 * The receipt of a test run: it counts for its release unless a later run (under `latest_per_suite`: of its suite) took its
 * place, an owner set it aside, or the release had shipped when it was recorded.
 */
export const testRunAttribution = (run: JudgedRun, target: TestRunTarget): Attribution => {
  const { project, release } = target;
  return {
    project: { id: project.id, name: project.name },
    releases: release === null ? [] : [attributedTo(release, reasonOf(run, target))],
    axis: 'verification',
    reason: release === null ? 'no_release_window' : null,
  };
};
