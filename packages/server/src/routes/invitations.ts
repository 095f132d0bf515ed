import { acceptInvitation, invalid, invite, revokeInvitation } from '@shipworthy/domain';
import { publicAddress } from '../http/base-path.js';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { wireInvitation, wirePendingInvitation } from '../wire/invitation.js';
import { momentOrNull } from '../wire/moment.js';
import { actorOf } from './actor.js';
import { openedReply } from './sessions.js';

const roleWithoutTeam = () =>
  invalid([{ pointer: '/role', code: 'without-team', message: 'A role goes with team_id only.' }]);

const createWith =
  (baseUrl: URL): Route<OperationOf<'createInvitation'>> =>
  async ({ body }, context) => {
    const { team_id, role, expires_at } = body;
    if (team_id === undefined && role !== undefined) throw roleWithoutTeam();
    const team = team_id === undefined ? null : { id: team_id.toLowerCase(), role: role ?? 'member' };
    const made = await invite(context.ports)({ by: actorOf(context), team, expiresAt: momentOrNull(expires_at) });
    return { status: 201, body: { data: wireInvitation(made, publicAddress(baseUrl, '/invitation')) } };
  };

const accept: Route<OperationOf<'acceptInvitation'>> = async ({ body }, { ports, address, requestId }) => {
  const { token: secret, ...person } = body;
  const opened = await acceptInvitation(ports)({ secret, ...person, origin: { address, requestId } });
  return { status: 201, ...openedReply(opened) };
};

const list: Route<OperationOf<'listInvitations'>> = async (_, { ports, place }) => {
  const pending = await ports.stores.invitations.pending(place.teamId, ports.clock());
  return { status: 200, body: { data: pending.map(wirePendingInvitation) } };
};

const revoke: Route<OperationOf<'revokeInvitation'>> = async ({ path }, context) => {
  const { teamId } = context.place;
  const invitationId = path.invitation_id.toLowerCase();
  await revokeInvitation(context.ports)({ by: actorOf(context), teamId, invitationId });
  return { status: 204 };
};

/** Inviting people, what was not accepted yet, and accepting. `baseUrl` is where they reach the service. */
export const invitationRoutes = (baseUrl: URL) =>
  ({
    createInvitation: createWith(baseUrl),
    acceptInvitation: accept,
    listInvitations: list,
    revokeInvitation: revoke,
  }) as const satisfies Partial<Routes>;
