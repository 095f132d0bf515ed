import type {
  ServiceInvitation as WireInvitation,
  OwnerlessTeam as WireOwnerless,
  Person as WirePerson,
} from '@shipworthy/client/contract';
import { mixesScripts, type PendingInvitation, type User } from '@shipworthy/domain';
import {
  disablePerson,
  enablePerson,
  nameOwner,
  type OwnerlessTeam,
  ownerlessTeams,
  revokeInvitation,
  vouchForPerson,
} from '@shipworthy/domain/use-cases';
import type { OperationOf, RouteHandler, Routes } from '../http/route.js';
import { wireMoment, wireMomentOrNull } from '../wire.js';
import { actorOf, pageReply } from './replies.js';
import { wireMember } from './teams.js';

/** An account, as administrators see it. */
const wirePerson = ({ id, name, email, emailVerified, administrator, createdAt, disabledAt }: User): WirePerson => ({
  id,
  name,
  email,
  email_verified: emailVerified,
  mixed_scripts: mixesScripts(name, email),
  administrator,
  created_at: wireMoment(createdAt),
  disabled_at: wireMomentOrNull(disabledAt),
});

/** A pending invitation into no team. */
const wireServiceInvitation = ({ id, email, createdBy, createdAt, expiresAt }: PendingInvitation): WireInvitation => ({
  id,
  email,
  mixed_scripts: mixesScripts(email),
  created_by: createdBy,
  created_at: wireMoment(createdAt),
  expires_at: wireMoment(expiresAt),
});

const wireOwnerlessTeam = ({ team, members }: OwnerlessTeam): WireOwnerless => ({
  id: team.id,
  name: team.name,
  members: members.map(wireMember),
});

const list: RouteHandler<OperationOf<'listPeople'>> = async (_, { ports, page, sealCursor }) => {
  const { rows, next } = await ports.stores.users.page(page);
  return pageReply(rows.map(wirePerson), sealCursor(next));
};

const disable: RouteHandler<OperationOf<'disablePerson'>> = async ({ path }, context) => {
  const user = await disablePerson(context.ports, { by: actorOf(context), userId: path.user_id });
  return { status: 200, body: { data: wirePerson(user) } };
};

const enable: RouteHandler<OperationOf<'enablePerson'>> = async ({ path }, context) => {
  const user = await enablePerson(context.ports, { by: actorOf(context), userId: path.user_id });
  return { status: 200, body: { data: wirePerson(user) } };
};

const vouch: RouteHandler<OperationOf<'vouchForPerson'>> = async ({ path }, context) => {
  const user = await vouchForPerson(context.ports, { by: actorOf(context), userId: path.user_id });
  return { status: 200, body: { data: wirePerson(user) } };
};

const listInvitations: RouteHandler<OperationOf<'listServiceInvitations'>> = async (_, { ports }) => {
  const pending = await ports.stores.invitations.pending(null, ports.clock());
  return { status: 200, body: { data: pending.map(wireServiceInvitation) } };
};

const revoke: RouteHandler<OperationOf<'revokeServiceInvitation'>> = async ({ path }, context) => {
  const command = { by: actorOf(context), teamId: null, invitationId: path.invitation_id };
  await revokeInvitation(context.ports, command);
  return { status: 204 };
};

const listOwnerless: RouteHandler<OperationOf<'listOwnerlessTeams'>> = async (_, context) => {
  const teams = await ownerlessTeams(context.ports, { by: actorOf(context) });
  return { status: 200, body: { data: teams.map(wireOwnerlessTeam) } };
};

const name: RouteHandler<OperationOf<'nameOwner'>> = async ({ path, body }, context) => {
  const command = { by: actorOf(context), userId: path.user_id, teamId: body.team_id.toLowerCase() };
  return { status: 200, body: { data: wireMember(await nameOwner(context.ports, command)) } };
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
