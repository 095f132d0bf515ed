import {
  acceptInvitation,
  acceptReceived,
  declineReceived,
  invalid,
  invite,
  type JoinedTeam,
  joinByLink,
  readInvitation,
  receivedInvitations,
  revokeInvitation,
} from '@shipworthy/domain';
import { publicAddress } from '../http/base-path.js';
import type { OperationOf, Route, Routes } from '../http/route.js';
import {
  wireInvitation,
  wireInvitationPurpose,
  wirePendingInvitation,
  wireReceivedInvitation,
} from '../wire/invitation.js';
import { momentOrNull } from '../wire/moment.js';
import { actorOf } from './actor.js';
import { openedReply } from './sessions.js';

const roleWithoutTeam = () =>
  invalid([{ pointer: '/role', code: 'without-team', message: 'A role goes with team_id only.' }]);

const createWith =
  (page: string): Route<OperationOf<'createInvitation'>> =>
  async ({ body }, context) => {
    const { team_id, role, email, expires_at } = body;
    if (team_id === undefined && role !== undefined) throw roleWithoutTeam();
    const team = team_id === undefined ? null : { id: team_id.toLowerCase(), role: role ?? 'member' };
    const wish = { team, email: email ?? null, expiresAt: momentOrNull(expires_at) };
    const made = await invite(context.ports)({ by: actorOf(context), ...wish });
    return { status: 201, body: { data: wireInvitation(made, page) } };
  };

const addWith =
  (page: string): Route<OperationOf<'addMember'>> =>
  async ({ body: { email, role } }, context) => {
    const team = { id: context.place.teamId, role };
    const made = await invite(context.ports)({ by: actorOf(context), team, email });
    return { status: 201, body: { data: wireInvitation(made, page) } };
  };

const read: Route<OperationOf<'readInvitation'>> = async ({ body }, { ports, address, requestId }) => {
  const found = await readInvitation(ports)({ secret: body.token, origin: { address, requestId } });
  return { status: 200, body: { data: wireInvitationPurpose(found) } };
};

const accept: Route<OperationOf<'acceptInvitation'>> = async ({ body }, { ports, address, requestId }) => {
  const { token: secret, ...person } = body;
  const opened = await acceptInvitation(ports)({ secret, ...person, origin: { address, requestId } });
  return { status: 201, ...openedReply(opened) };
};

const joinedReply = ({ teamId, role }: JoinedTeam) =>
  ({ status: 200, body: { data: { team_id: teamId, role } } }) as const;

const join: Route<OperationOf<'joinTeam'>> = async ({ body }, context) =>
  joinedReply(await joinByLink(context.ports)({ by: actorOf(context), secret: body.token }));

const listReceived: Route<OperationOf<'listReceivedInvitations'>> = async (_, context) => {
  const received = await receivedInvitations(context.ports)({ by: actorOf(context) });
  return { status: 200, body: { data: received.map(wireReceivedInvitation) } };
};

const acceptOwn: Route<OperationOf<'acceptReceivedInvitation'>> = async ({ path }, context) =>
  joinedReply(await acceptReceived(context.ports)({ by: actorOf(context), invitationId: path.invitation_id }));

const decline: Route<OperationOf<'declineReceivedInvitation'>> = async ({ path }, context) => {
  await declineReceived(context.ports)({ by: actorOf(context), invitationId: path.invitation_id });
  return { status: 204 };
};

const list: Route<OperationOf<'listInvitations'>> = async (_, { ports, place }) => {
  const pending = await ports.stores.invitations.pending(place.teamId, ports.clock());
  return { status: 200, body: { data: pending.map(wirePendingInvitation) } };
};

const revoke: Route<OperationOf<'revokeInvitation'>> = async ({ path }, context) => {
  const { teamId } = context.place;
  await revokeInvitation(context.ports)({ by: actorOf(context), teamId, invitationId: path.invitation_id });
  return { status: 204 };
};

/** Inviting people, what was not accepted yet, and accepting. `baseUrl` is where they reach the service. */
export const invitationRoutes = (baseUrl: URL) => {
  const page = publicAddress(baseUrl, '/invitation');
  return {
    createInvitation: createWith(page),
    addMember: addWith(page),
    readInvitation: read,
    acceptInvitation: accept,
    joinTeam: join,
    listReceivedInvitations: listReceived,
    acceptReceivedInvitation: acceptOwn,
    declineReceivedInvitation: decline,
    listInvitations: list,
    revokeInvitation: revoke,
  } as const satisfies Partial<Routes>;
};
