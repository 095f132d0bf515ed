import type { Caller } from '@shipworthy/client';
import { client } from './client.js';
import { useResource } from './resource.js';

export type Role = Caller['teams'][number]['role'];

const RANKS: Readonly<Record<Role, number>> = { viewer: 0, member: 1, owner: 2 };

export const ROLE_TITLES: Readonly<Record<Role, string>> = { viewer: 'Viewer', member: 'Member', owner: 'Owner' };

/** Whether the person has that role in the team, or a higher one; false as long as it is not known, so that nothing is offered in vain. */
export const useMay = (teamId: string, role: Role): boolean => {
  const caller = useResource('whoami', async (signal) => (await client.whoAmI({ signal })).body.data);
  const own = caller.state.value.value?.teams.find(({ id }) => id === teamId)?.role;
  return own !== undefined && RANKS[own] >= RANKS[role];
};
