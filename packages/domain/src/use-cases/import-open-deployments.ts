import { deploymentPrefix, hostIdIn } from '../repository/external-names.js';
import { FOLLOW_DEPLOYMENTS_FOR } from '../repository/import-schedule.js';
import { nothingToRead, type ReadStage } from './in-import.js';
import { finishHostDeployments } from './store-host-deployments.js';

/** How many deployments are followed at once. */
const AT_ONCE = 100;

/** Ends deployments that had begun when they were read and have ended since; hosts do not tell which. */
export const importOpenDeployments: ReadStage = async (step) => {
  const { link, state } = step.linked;
  const externalPrefix = deploymentPrefix(link.host);
  const since = step.now - FOLLOW_DEPLOYMENTS_FOR;
  const { projectId } = link;
  const kept = await step.stores.deployments.unfinished({ projectId, externalPrefix, since, limit: AT_ONCE });
  const ids = kept.map(({ external }) => hostIdIn(external?.id ?? null, externalPrefix)).filter((id) => id !== null);
  if (ids.length === 0) return nothingToRead(step);
  const found = await step.ask((host, access) => host.deploymentsById(access, link.repository, ids));
  return {
    budget: null,
    rows: {},
    store: async (storing) => {
      await finishHostDeployments(storing, kept, found);
      return { next: null, reading: null, marks: state.checkpoint.marks };
    },
  };
};
