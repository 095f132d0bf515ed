import type { Deployment } from '../deployment/deployment.js';
import { countsAsReturn } from '../deployment/deployment.js';
import { contains, type Instant } from '../instant.js';
import type { ProjectAt } from '../project/project-store.js';
import type { ReleaseWindow } from '../release/release.js';
import { type Attribution, attributedTo, type NotCountedReason } from './attribution.js';

type Reported = Pick<Deployment, 'status' | 'environment' | 'isReturn' | 'startedAt' | 'finishedAt' | 'createdAt'>;

/** Whether the release had shipped when the deployment was recorded, or when it finished: its frozen report does not know the outcome. */
export const missedShipping = (
  { createdAt, finishedAt }: Pick<Deployment, 'createdAt' | 'finishedAt'>,
  { shippedAt }: Pick<ReleaseWindow, 'shippedAt'>,
): boolean => shippedAt !== null && (createdAt >= shippedAt || (finishedAt !== null && finishedAt >= shippedAt));

/** The deployment with its arrival, when it was recorded or finished, no earlier than a shipping that it came too late for. */
export const arrivedAfter = (
  deployment: Deployment,
  arrival: 'createdAt' | 'finishedAt',
  shippedAt: Instant,
): Deployment => ({ ...deployment, [arrival]: Math.max(deployment[arrival] ?? shippedAt, shippedAt) });

/** Why a deployment does not count in a window it lies in; null: it counts. */
const reasonOf = (
  deployment: Reported,
  window: ReleaseWindow,
  environments: readonly string[] | null,
): NotCountedReason | null => {
  if (countsAsReturn(deployment)) return 'rollback_pending_outcome';
  if (environments !== null && !environments.includes(deployment.environment)) return 'environment_not_counted';
  if (missedShipping(deployment, window)) return 'release_frozen';
  return deployment.status === 'started' ? 'still_in_progress' : null;
};

/** The receipt of a deployment, from its project with the releases whose window holds its start. It counts in each of them. */
export const deploymentAttribution = (
  deployment: Reported,
  { project, environments, releases }: ProjectAt,
): Attribution => {
  const attributed = releases
    .filter((window) => contains({ from: window.startsAt, to: window.endsAt }, deployment.startedAt))
    .map((window) => attributedTo(window, reasonOf(deployment, window, environments)));
  return {
    project: { id: project.id, name: project.name },
    releases: attributed,
    axis: 'stability',
    reason: attributed.length === 0 ? 'no_release_window' : null,
  };
};
