import {
  disablePerson,
  enablePerson,
  nameOwner,
  ownerlessTeams,
  revokeInvitation,
  vouchForPerson,
} from '@shipworthy/domain';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { wireOwnerlessTeam, wirePerson, wireServiceInvitation } from '../wire/people.js';
import { wireMember } from '../wire/team.js';
import { actorOf } from './actor.js';
import { pageReply } from './page-reply.js';

const list: Route<OperationOf<'listPeople'>> = async (_, { ports, page, sealCursor }) => {
  const { rows, next } = await ports.stores.users.page(page);
  return pageReply(rows.map(wirePerson), sealCursor(next));
};

const disable: Route<OperationOf<'disablePerson'>> = async ({ path }, context) => {
  const user = await disablePerson(context.ports)({ by: actorOf(context), userId: path.user_id });
  return { status: 200, body: { data: wirePerson(user) } };
};

const enable: Route<OperationOf<'enablePerson'>> = async ({ path }, context) => {
  const user = await enablePerson(context.ports)({ by: actorOf(context), userId: path.user_id });
  return { status: 200, body: { data: wirePerson(user) } };
};

const vouch: Route<OperationOf<'vouchForPerson'>> = async ({ path }, context) => {
  const user = await vouchForPerson(context.ports)({ by: actorOf(context), userId: path.user_id });
  return { status: 200, body: { data: wirePerson(user) } };
};

const listInvitations: Route<OperationOf<'listServiceInvitations'>> = async (_, { ports }) => {
  const pending = await ports.stores.invitations.pending(null, ports.clock());
  return { status: 200, body: { data: pending.map(wireServiceInvitation) } };
};

const revoke: Route<OperationOf<'revokeServiceInvitation'>> = async ({ path }, context) => {
  const command = { by: actorOf(context), teamId: null, invitationId: path.invitation_id };
  await revokeInvitation(context.ports)(command);
  return { status: 204 };
};

const listOwnerless: Route<OperationOf<'listOwnerlessTeams'>> = async (_, context) => {
  const teams = await ownerlessTeams(context.ports)({ by: actorOf(context) });
  return { status: 200, body: { data: teams.map(wireOwnerlessTeam) } };
};

const name: Route<OperationOf<'nameOwner'>> = async ({ path, body }, context) => {
  const command = { by: actorOf(context), userId: path.user_id, teamId: body.team_id.toLowerCase() };
  return { status: 200, body: { data: wireMember(await nameOwner(context.ports)(command)) } };
};

/** The accounts of the service, for its administrators. */
export const peopleRoutes = {
  listPeople: list,
  disablePerson: disable,
  enablePerson: enable,
  vouchForPerson: vouch,
  listServiceInvitations: listInvitations,
  revokeServiceInvitation: revoke,
  listOwnerlessTeams: listOwnerless,
  nameOwner: name,
} as const satisfies Partial<Routes>;
