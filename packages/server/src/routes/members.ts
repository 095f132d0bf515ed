import { changeRole, removeMember } from '@shipworthy/domain';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { wireMember } from '../wire/team.js';
import { actorOf } from './actor.js';

const list: Route<OperationOf<'listMembers'>> = async (_, { ports, place }) => {
  const members = await ports.stores.teams.members(place.teamId);
  return { status: 200, body: { data: members.map(wireMember) } };
};

const change: Route<OperationOf<'changeMemberRole'>> = async ({ path, body: { role } }, context) => {
  const { teamId } = context.place;
  const member = await changeRole(context.ports)({ by: actorOf(context), teamId, userId: path.user_id, role });
  return { status: 200, body: { data: wireMember(member) } };
};

const remove: Route<OperationOf<'removeMember'>> = async ({ path }, context) => {
  const { teamId } = context.place;
  await removeMember(context.ports)({ by: actorOf(context), teamId, userId: path.user_id });
  return { status: 204 };
};

/** Who is in a team. */
export const memberRoutes = {
  listMembers: list,
  changeMemberRole: change,
  removeMember: remove,
} as const satisfies Partial<Routes>;
