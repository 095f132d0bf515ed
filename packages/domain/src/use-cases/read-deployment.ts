import type { Principal } from '../access/principal.js';
import { withContributions, withoutDeployment } from '../attribution/contribution.js';
import { type DeploymentView, deploymentView } from '../attribution/deployment-view.js';
import type { Ports } from '../ports.js';
import type { ReleaseFacts } from '../readiness/facts.js';
import { findDeployment } from './find-deployment.js';

export interface ReadDeployment {
  readonly principal: Principal;
  readonly deploymentId: string;
}

/** One deployment with its receipt and what it does to the scores. @throws DomainError `not-found` */
export const readDeployment =
  ({ stores, lookups, clock }: Pick<Ports, 'stores' | 'lookups' | 'clock'>) =>
  async ({ principal, deploymentId }: ReadDeployment): Promise<DeploymentView> => {
    const { deployment, at } = await findDeployment(lookups, principal, deploymentId);
    const view = deploymentView(deployment, at);
    const dossiers = await stores.facts.factsFor(view.attribution.releases.map((release) => release.id));
    const without = (facts: ReleaseFacts) => withoutDeployment(facts, deployment);
    return { deployment, attribution: withContributions(view.attribution, dossiers, without, clock()) };
  };
