import type { Project, Release } from '@shipworthy/client';
import { inProject, type ProjectPlace, projectKey } from '../navigation/places.js';
import { client } from './client.js';
import { MOST_ROWS, readPages } from './read-rows.js';
import { type Resource, useResource } from './resource.js';

/** The project an address names. */
export const useProject = (place: ProjectPlace): Resource<Project> =>
  useResource(projectKey(place, 'project'), async (signal) => {
    const { body } = await client.readProject({ path: inProject(place), signal });
    return body.data;
  });

/** The newest releases of a project, as many as one page holds, and all open ones. */
export const useReleases = (place: ProjectPlace): Resource<readonly Release[]> =>
  useResource(projectKey(place, 'release-choices'), async (signal) => {
    const path = inProject(place);
    const { body } = await client.listReleases({ path, query: { limit: MOST_ROWS }, signal });
    if (body.next_cursor === null) return body.data;
    const readOpen = async (state: 'active' | 'planned') => {
      const { rows } = await readPages(
        async (page) => (await client.listReleases({ path, query: { ...page, state }, signal })).body,
        Number.POSITIVE_INFINITY,
        signal,
      );
      return rows;
    };
    const [active, planned] = await Promise.all([readOpen('active'), readOpen('planned')]);
    return latestVersions([...body.data, ...active, ...planned]);
  });

/** Each release once: one that was changed between two readings is in both, with the later state in the greater version. */
const latestVersions = (releases: readonly Release[]): readonly Release[] => {
  const latest = new Map<string, Release>();
  for (const release of releases)
    if (release.version > (latest.get(release.id)?.version ?? 0)) latest.set(release.id, release);
  return [...latest.values()];
};

const LATEST = 200;

interface LatestEnvironments {
  /** Where the latest deployments went to, one entry for each of them. */
  readonly deployments: readonly { readonly environment: string }[];
  /** Whether these are all deployments of the project. */
  readonly isAll: boolean;
}

export const useLatestEnvironments = (place: ProjectPlace): Resource<LatestEnvironments> =>
  useResource(projectKey(place, 'latest-environments'), async (signal): Promise<LatestEnvironments> => {
    const { body } = await client.listDeployments({ path: inProject(place), query: { limit: LATEST }, signal });
    const deployments = body.data.map(({ environment }) => ({ environment }));
    return { deployments, isAll: body.next_cursor === null };
  });
