import { hostIssueOf } from '../repository/host-issue-of.js';
import { deploymentOf, milestoneOf, statesOf } from '../repository/host-records-of.js';
import { type ImportScene, importScene } from './import-scene.js';

/** A host with a milestone, five issues in it and a deployment that succeeded. */
export const filled = async (): Promise<ImportScene> => {
  const here = await importScene({ testRuns: 'none' });
  here.model.milestones = [milestoneOf()];
  here.model.issues = [1, 2, 3, 4, 5].map((n) =>
    hostIssueOf({ id: `I${n}`, number: n, milestoneId: 'M1', updatedAt: 2_000 + n }),
  );
  here.model.deployments = [deploymentOf({ states: statesOf(['success', 1_500]) })];
  return here;
};
