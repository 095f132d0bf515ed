import { withContributions, withoutDeployment } from '../attribution/contribution.js';
import type { DeploymentView } from '../attribution/deployment-view.js';
import type { Ports } from '../ports.js';
import type { ReleaseFacts } from '../readiness/facts.js';
import { judgedDossier } from './judged-dossier.js';

/** Adds to the view of a stored deployment what it does to the scores, as of now: one coalesced read. */
export const weighDeployment =
  ({ lookups, clock }: Pick<Ports, 'lookups' | 'clock'>) =>
  async ({ deployment, attribution }: DeploymentView): Promise<DeploymentView> => {
    const counted = attribution.releases.filter(({ counts }) => counts);
    const dossiers = await Promise.all(counted.map(({ id }) => judgedDossier(lookups, id)));
    const without = (facts: ReleaseFacts) => withoutDeployment(facts, deployment);
    return { deployment, attribution: withContributions(attribution, dossiers, without, clock()) };
  };
