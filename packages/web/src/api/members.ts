import type { Member } from '@shipworthy/client';
import { client } from './client.js';
import { type Resource, useResource } from './resource.js';

export const useMembers = (teamId: string): Resource<readonly Member[]> =>
  useResource<readonly Member[]>(`team/${teamId}/members`, async (signal) => {
    const { body } = await client.listMembers({ path: { team_id: teamId }, signal });
    return body.data;
  });
