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
