import type { Principal } from '../access/principal.js';
import { type DeploymentView, deploymentView } from '../attribution/deployment-view.js';
import type { Ports } from '../ports.js';
import { findDeployment } from './find-deployment.js';
import { weighDeployment } from './weigh-deployment.js';

export interface ReadDeployment {
  readonly principal: Principal;
  readonly deploymentId: string;
}

/** One deployment with its receipt and what it does to the scores: three coalesced reads. @throws DomainError `not-found` */
export const readDeployment =
  (ports: Pick<Ports, 'lookups' | 'clock'>) =>
  async ({ principal, deploymentId }: ReadDeployment): Promise<DeploymentView> => {
    const { deployment, at } = await findDeployment(ports.lookups, principal, deploymentId);
    return weighDeployment(ports)(deploymentView(deployment, at));
  };
