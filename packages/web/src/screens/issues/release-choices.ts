import type { Release } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { inProject, type ProjectPlace, projectKey } from '../../navigation/places.js';

/** The newest releases of a project, as many as one page holds. */
export const useReleaseChoices = (place: ProjectPlace): readonly Release[] => {
  const releases = useResource(projectKey(place, 'release-choices'), async (signal) => {
    const { body } = await client.listReleases({ path: inProject(place), query: { limit: 200 }, signal });
    return body.data;
  });
  return releases.state.value.value ?? [];
};
