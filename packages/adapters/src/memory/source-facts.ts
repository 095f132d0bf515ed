import { isClosed, type Release, type ReleaseFacts, sourceFacts } from '@shipworthy/domain';
import type { Tables } from './tables.js';

/** When the deployments in an open release's window and its test runs came; nothing of a closed release. */
export const sourcesOf = (tables: Tables, release: Release): Pick<ReleaseFacts, 'sources'> => {
  if (isClosed(release)) return {};
  const { id, projectId, startsAt } = release;
  const deployments = startsAt === null ? [] : tables.deployments.where('project', projectId);
  const started = deployments.map(({ startedAt }) => startedAt).filter((at) => startsAt !== null && at >= startsAt);
  const ran = tables.testRuns.where('release', id).map(({ ranAt }) => ranAt);
  return { sources: { deployments: sourceFacts(started), testRuns: sourceFacts(ran) } };
};
