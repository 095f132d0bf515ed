import type { Project } from '@shipworthy/client';
import { inProject, type ProjectPlace, projectKey } from '../navigation/places.js';
import { client } from './client.js';
import { type Resource, useResource } from './resource.js';

/** The project an address names. */
export const useProject = (place: ProjectPlace): Resource<Project> =>
  useResource(projectKey(place, 'project'), async (signal) => {
    const { body } = await client.readProject({ path: inProject(place), signal });
    return body.data;
  });
