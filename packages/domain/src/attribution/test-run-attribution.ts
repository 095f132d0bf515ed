import type { RunOrder } from '../test-run/test-run.js';
import { isLater } from '../test-run/test-run-rules.js';
import type { TestRunTarget } from '../test-run/test-run-store.js';
import { type Attribution, attributedTo } from './attribution.js';

/** The receipt of a test run: it counts for its release unless a later run (under `latest_per_suite`: of its suite) took its place. */
export const testRunAttribution = (
  run: RunOrder,
  { project, release, verification, latest, latestOfSuite }: TestRunTarget,
): Attribution => {
  const rival = verification === 'latest_run' ? latest : latestOfSuite;
  const superseded = rival !== null && isLater(rival, run);
  return {
    project: { id: project.id, name: project.name },
    releases: release === null ? [] : [attributedTo(release, superseded ? 'superseded_by_newer_run' : null)],
    axis: 'verification',
    reason: release === null ? 'no_release_window' : null,
  };
};
