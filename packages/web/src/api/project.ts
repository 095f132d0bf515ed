import type { Project, Release } from '@shipworthy/client';
import { inProject, type ProjectPlace, projectKey } from '../navigation/places.js';
import { client } from './client.js';
import { type Resource, useResource } from './resource.js';

/** The project an address names. */
export const useProject = (place: ProjectPlace): Resource<Project> =>
  useResource(projectKey(place, 'project'), async (signal) => {
    const { body } = await client.readProject({ path: inProject(place), signal });
    return body.data;
  });

/** The newest releases of a project, as many as one page holds. */
export const useReleases = (place: ProjectPlace): Resource<readonly Release[]> =>
  useResource(projectKey(place, 'release-choices'), async (signal) => {
    const { body } = await client.listReleases({ path: inProject(place), query: { limit: 200 }, signal });
    return body.data;
  });

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
