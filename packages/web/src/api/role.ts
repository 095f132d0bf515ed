import type { Caller } from '@shipworthy/client';
import { client } from './client.js';
import { useResource } from './resource.js';

export type Role = Caller['teams'][number]['role'];

const RANKS: Readonly<Record<Role, number>> = { viewer: 0, member: 1, owner: 2 };

export const ROLE_TITLES: Readonly<Record<Role, string>> = { viewer: 'Viewer', member: 'Member', owner: 'Owner' };

/** The person's role in the team; null: none, or it cannot be told; undefined: not known yet. */
export const useRole = (teamId: string): Role | null | undefined => {
  const caller = useResource('whoami', async (signal) => (await client.whoAmI({ signal })).body.data);
  const { value, fault } = caller.state.value;
  if (value === undefined) return fault === undefined ? undefined : null;
  return value.teams.find(({ id }) => id === teamId)?.role ?? null;
};

/** Whether a role gives a person what another one does. */
export const reaches = (own: Role | null | undefined, role: Role): boolean => own != null && RANKS[own] >= RANKS[role];

/** Whether the person has that role in the team, or a higher one; false as long as it is not known, so that nothing is offered in vain. */
export const useMay = (teamId: string, role: Role): boolean => reaches(useRole(teamId), role);
