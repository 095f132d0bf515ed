import { nothingToRead, type ReadStage, readWith, requestOf } from './in-import.js';
import { storeHostIssues } from './store-host-issues.js';

/** Makes issues of the host's issues that changed. */
export const importIssues: ReadStage = async (step) => {
  const { link, state } = step.linked;
  const { checkpoint } = state;
  const reading = await step.ask((host, access) =>
    host.issues(access, link.repository, requestOf(checkpoint, 'issues')),
  );
  if (reading.unchanged) return { ...nothingToRead(step), budget: reading.budget };
  const moments = reading.rows.map(({ updatedAt }) => updatedAt);
  return {
    budget: reading.budget,
    rows: { issues: reading.rows.length },
    store: async (storing) => {
      await storeHostIssues(storing, reading.rows);
      const { marks } = checkpoint;
      return { next: reading.next, reading: readWith(checkpoint, 'issues', reading, moments), marks };
    },
  };
};
