import { seesProject } from '../access/permission.js';
import type { Principal } from '../access/principal.js';
import { type DeploymentView, deploymentView } from '../attribution/deployment-view.js';
import type { Deployment } from '../deployment/deployment.js';
import { notFound } from '../errors.js';
import type { Lookups } from '../ports.js';
import type { ProjectAt } from '../project/project-store.js';

/** A deployment in sight with its project as at its start: two coalesced reads. @throws DomainError `not-found` */
export const findDeployment = async (
  lookups: Pick<Lookups, 'deployment' | 'projectAt'>,
  principal: Principal,
  deploymentId: string,
): Promise<{ readonly deployment: Deployment; readonly at: ProjectAt }> => {
  const deployment = await lookups.deployment(deploymentId);
  const at = deployment && (await lookups.projectAt({ projectId: deployment.projectId, at: deployment.startedAt }));
  if (deployment === undefined || at === undefined || !seesProject(principal, at.project)) throw notFound('deployment');
  return { deployment, at };
};

/** A deployment in sight with its receipt, as they are now: two coalesced reads. @throws DomainError `not-found` */
export const viewOf = async (
  lookups: Pick<Lookups, 'deployment' | 'projectAt'>,
  principal: Principal,
  deploymentId: string,
): Promise<DeploymentView> => {
  const { deployment, at } = await findDeployment(lookups, principal, deploymentId);
  return deploymentView(deployment, at);
};
