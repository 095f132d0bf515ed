import type { Deployment } from '../deployment/deployment.js';
import type { ProjectAt } from '../project/project-store.js';
import type { Attribution } from './attribution.js';
import { deploymentAttribution } from './deployment-attribution.js';

/** A deployment with its receipt. */
export interface DeploymentView {
  readonly deployment: Deployment;
  readonly attribution: Attribution;
}

/** The view of a deployment, from its project as at the deployment's start. */
export const deploymentView = (deployment: Deployment, at: ProjectAt): DeploymentView => ({
  deployment,
  attribution: deploymentAttribution(deployment, at),
});
