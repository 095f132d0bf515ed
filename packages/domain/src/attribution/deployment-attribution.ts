import type { Deployment } from '../deployment/deployment.js';
import { countsAsReturn } from '../deployment/deployment.js';
import { contains } from '../instant.js';
import type { ProjectAt } from '../project/project-store.js';
import { type Attribution, attributedTo, type NotCountedReason } from './attribution.js';

/** Why a deployment does not count in a window it lies in; null: it counts. */
export const reasonOf = (
  { environment, ...deployment }: Pick<Deployment, 'status' | 'environment' | 'isReturn'>,
  environments: readonly string[] | null,
): NotCountedReason | null => {
  if (countsAsReturn(deployment)) return 'rollback_pending_outcome';
  if (environments !== null && !environments.includes(environment)) return 'environment_not_counted';
  return deployment.status === 'started' ? 'still_in_progress' : null;
};

/** The receipt of a deployment, from its project with the releases whose window holds its start. It counts in each of them. */
export const deploymentAttribution = (
  deployment: Pick<Deployment, 'status' | 'environment' | 'isReturn' | 'startedAt'>,
  { project, environments, releases }: ProjectAt,
): Attribution => {
  const reason = reasonOf(deployment, environments);
  const attributed = releases
    .filter((window) => contains({ from: window.startsAt, to: window.endsAt }, deployment.startedAt))
    .map((window) => attributedTo(window, reason));
  return {
    project: { id: project.id, name: project.name },
    releases: attributed,
    axis: 'stability',
    reason: attributed.length === 0 ? 'no_release_window' : null,
  };
};
