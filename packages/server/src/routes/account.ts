import type {
  Caller,
  InvitationPurpose,
  Invitation as WireInvitation,
  OwnerlessTeam as WireOwnerless,
  PendingInvitation as WirePending,
  Person as WirePerson,
  ReceivedInvitation as WireReceived,
  ServiceInvitation as WireServiceInvitation,
} from '@shipworthy/client/contract';
import {
  addressKey,
  invalid,
  mixesScripts,
  type PendingInvitation,
  type Principal,
  type ReceivedInvitation,
  type TeamOverview,
  teamsInSight,
  type User,
} from '@shipworthy/domain';
import {
  acceptInvitation,
  acceptReceived,
  appointOwner,
  type CreatedInvitation,
  changePassword,
  declineReceived,
  disablePerson,
  enablePerson,
  invite,
  type JoinedTeam,
  joinByLink,
  type OpenedSession,
  type OwnerlessTeam,
  ownerlessTeams,
  type ReadInvitation,
  readInvitation,
  receivedInvitations,
  revokeInvitation,
  setUp,
  signIn,
  signOut,
  vouchForPerson,
} from '@shipworthy/domain/use-cases';
import { unauthenticated } from '../http/authentication.js';
import { publicAddress } from '../http/base-path.js';
import type { OperationOf, RouteHandler, Routes } from '../http/route.js';
import { sentMomentOrNull, sentWords, wireMoment, wireMomentOrNull, wireUser } from '../wire.js';
import { exportList, exportWhole, type TableColumns } from './csv.js';
import { actorOf, pageReply } from './replies.js';
import { wireMember } from './teams.js';

/** The reply that opens a session: the person in the body, the secret in the cookie only; marks the device as known. */
const openedReply = ({ user, session, secret }: OpenedSession) =>
  ({
    body: { data: { user: wireUser(user) } },
    session: { set: { secret, expiresAt: session.expiresAt } },
    device: { account: addressKey(user.email) },
  }) as const;

const setUpWith =
  (expected: string): RouteHandler<OperationOf<'setUp'>> =>
  async ({ body }, { ports, address, requestId }) => {
    const { setup_token: given, ...person } = body;
    const opened = await setUp(ports, {
      setupToken: { given, expected },
      ...person,
      origin: { address, requestId },
    });
    return { status: 201, ...openedReply(opened) };
  };

const open: RouteHandler<OperationOf<'signIn'>> = async (
  { body },
  { ports, address, requestId, shownSession, shownDevice },
) => {
  const replaces = await shownSession();
  const device = shownDevice(addressKey(body.email));
  const opened = await signIn(ports, { ...body, origin: { address, requestId }, device, replaces });
  return { status: 200, ...openedReply(opened) };
};

const readOwn: RouteHandler<OperationOf<'readSession'>> = async (_, { ports, principal }) => {
  const user = await ports.stores.users.byId(principal.userId);
  if (user === undefined) throw unauthenticated('Whose session it is has no account here.');
  return { status: 200, body: { data: { user: wireUser(user) } } };
};

const close: RouteHandler<OperationOf<'signOut'>> = async (_, context) => {
  await signOut(context.ports, { by: actorOf(context) });
  return { status: 204, session: { clear: true } };
};

const change: RouteHandler<OperationOf<'changePassword'>> = async ({ body }, context) => {
  const { current_password: oldPassword, new_password: newPassword } = body;
  const deviceOf = (email: string) => context.shownDevice(addressKey(email));
  await changePassword(context.ports, { by: actorOf(context), oldPassword, newPassword, deviceOf });
  return { status: 204 };
};

/** The routes of setting up, signing in and out, and passwords. `setupToken` lets the first administrator in. */
export const sessionRoutes = (setupToken: string) =>
  ({
    setUp: setUpWith(setupToken),
    signIn: open,
    readSession: readOwn,
    signOut: close,
    changePassword: change,
  }) as const satisfies Partial<Routes>;

/** Who makes a request, with the teams in sight and the role in each. */
const wireCaller = (principal: Principal, teams: readonly TeamOverview[]): Caller => ({
  kind: principal.kind,
  id: principal.id,
  name: principal.name,
  user_id: principal.userId,
  administrator: principal.administrator,
  scopes: [...principal.scopes],
  teams: teams.flatMap(({ team: { id, name, slug } }) => {
    const role = principal.roles.get(id);
    return role === undefined ? [] : [{ id, name, slug, role }];
  }),
  project_id: principal.home?.projectId ?? null,
  expires_at: wireMoment(principal.expiresAt),
});

const whoAmI: RouteHandler<OperationOf<'whoAmI'>> = async (_, { ports, principal }) => {
  const teams = await ports.stores.teams.overview(teamsInSight(principal));
  return { status: 200, body: { data: wireCaller(principal, teams) } };
};

/** The route that says who a key or session is. */
export const whoAmIRoutes = { whoAmI } as const satisfies Partial<Routes>;

/** An invitation as it is answered once, when it is made. `page` is the address where a person accepts. */
export const wireInvitation = ({ invitation, secret }: CreatedInvitation, page: string): WireInvitation => ({
  id: invitation.id,
  token: secret,
  // Behind the hash, which no browser sends and no server logs.
  url: `${page}#${secret}`,
  team_id: invitation.team?.id ?? null,
  role: invitation.team?.role ?? null,
  email: invitation.email,
  mixed_scripts: mixesScripts(invitation.email),
  expires_at: wireMoment(invitation.expiresAt),
});

/** A pending invitation into a team. */
const wirePendingInvitation = ({ role, ...pending }: PendingInvitation): WirePending => ({
  id: pending.id,
  // An invitation into a team always has a role.
  role: role ?? 'viewer',
  email: pending.email,
  mixed_scripts: mixesScripts(pending.email),
  created_by: pending.createdBy,
  created_at: wireMoment(pending.createdAt),
  expires_at: wireMoment(pending.expiresAt),
});

/** What an invitation is for, as shown to anyone who has its link. */
const wireInvitationPurpose = (read: ReadInvitation): InvitationPurpose => {
  const { state } = read;
  if (state !== 'open')
    return { state, team: null, role: null, invited_by: null, email: null, mixed_scripts: false, expires_at: null };
  const { invitation, teamName, createdBy } = read;
  return {
    state,
    team: teamName,
    role: invitation.team?.role ?? null,
    invited_by: createdBy,
    email: invitation.email,
    mixed_scripts: mixesScripts(teamName, createdBy, invitation.email),
    expires_at: wireMoment(invitation.expiresAt),
  };
};

const wireReceivedInvitation = (received: ReceivedInvitation): WireReceived => ({
  id: received.id,
  team: received.team,
  role: received.role,
  invited_by: received.createdBy,
  mixed_scripts: mixesScripts(received.team.name, received.createdBy),
  created_at: wireMoment(received.createdAt),
  expires_at: wireMoment(received.expiresAt),
});

const roleWithoutTeam = () =>
  invalid([{ pointer: '/role', code: 'without-team', message: 'A role goes with team_id only.' }]);

const createWith =
  (page: string): RouteHandler<OperationOf<'createInvitation'>> =>
  async ({ body }, context) => {
    const { team_id, role, email, expires_at } = body;
    if (team_id === undefined && role !== undefined) throw roleWithoutTeam();
    const team = team_id === undefined ? null : { id: team_id.toLowerCase(), role: role ?? 'member' };
    const wish = { team, email: email ?? null, expiresAt: sentMomentOrNull(expires_at) };
    const made = await invite(context.ports, { by: actorOf(context), ...wish });
    return { status: 201, body: { data: wireInvitation(made, page) } };
  };

const addWith =
  (page: string): RouteHandler<OperationOf<'addMember'>> =>
  async ({ body: { email, role } }, context) => {
    const team = { id: context.place.teamId, role };
    const made = await invite(context.ports, { by: actorOf(context), team, email });
    return { status: 201, body: { data: wireInvitation(made, page) } };
  };

const readInvited: RouteHandler<OperationOf<'readInvitation'>> = async ({ body }, { ports, address, requestId }) => {
  const found = await readInvitation(ports, { secret: body.token, origin: { address, requestId } });
  return { status: 200, body: { data: wireInvitationPurpose(found) } };
};

const accept: RouteHandler<OperationOf<'acceptInvitation'>> = async (
  { body },
  { ports, address, requestId, shownSession },
) => {
  const { token: secret, ...person } = body;
  const replaces = await shownSession();
  const opened = await acceptInvitation(ports, { secret, ...person, origin: { address, requestId }, replaces });
  return { status: 201, ...openedReply(opened) };
};

const joinedReply = ({ teamId, role }: JoinedTeam) =>
  ({ status: 200, body: { data: { team_id: teamId, role } } }) as const;

const join: RouteHandler<OperationOf<'joinTeam'>> = async ({ body }, context) =>
  joinedReply(await joinByLink(context.ports, { by: actorOf(context), secret: body.token }));

const listReceived: RouteHandler<OperationOf<'listReceivedInvitations'>> = async (_, context) => {
  const received = await receivedInvitations(context.ports, { by: actorOf(context) });
  return { status: 200, body: { data: received.map(wireReceivedInvitation) } };
};

const acceptOwn: RouteHandler<OperationOf<'acceptReceivedInvitation'>> = async ({ path }, context) =>
  joinedReply(await acceptReceived(context.ports, { by: actorOf(context), invitationId: path.invitation_id }));

const decline: RouteHandler<OperationOf<'declineReceivedInvitation'>> = async ({ path }, context) => {
  await declineReceived(context.ports, { by: actorOf(context), invitationId: path.invitation_id });
  return { status: 204 };
};

const listOfTeam: RouteHandler<OperationOf<'listInvitations'>> = async (_, { ports, place }) => {
  const pending = await ports.stores.invitations.pending(place.teamId, ports.clock());
  return { status: 200, body: { data: pending.map(wirePendingInvitation) } };
};

const PENDING_COLUMNS: TableColumns<WireServiceInvitation> = {
  created_by: ({ created_by }) => created_by,
  created_at: ({ created_at }) => created_at,
  expires_at: ({ expires_at }) => expires_at,
  id: ({ id }) => id,
};

const OF_TEAM: TableColumns<WirePending> = {
  email: ({ email }) => email,
  role: ({ role }) => role,
  ...PENDING_COLUMNS,
};

const exportOfTeam: RouteHandler<OperationOf<'exportInvitations'>> = async (_, { ports, place }) => {
  const { clock, slices, stores } = ports;
  const pending = await stores.invitations.pending(place.teamId, clock());
  const about = { name: 'invitations', columns: OF_TEAM, slices };
  return exportWhole(await slices.map(pending, wirePendingInvitation), about);
};

const revoke: RouteHandler<OperationOf<'revokeInvitation'>> = async ({ path }, context) => {
  const { teamId } = context.place;
  await revokeInvitation(context.ports, { by: actorOf(context), teamId, invitationId: path.invitation_id });
  return { status: 204 };
};

/** The routes of invitations. `baseUrl` is where people reach the service. */
export const invitationRoutes = (baseUrl: URL) => {
  const page = publicAddress(baseUrl, '/invitation');
  return {
    createInvitation: createWith(page),
    addMember: addWith(page),
    readInvitation: readInvited,
    acceptInvitation: accept,
    joinTeam: join,
    listReceivedInvitations: listReceived,
    acceptReceivedInvitation: acceptOwn,
    declineReceivedInvitation: decline,
    listInvitations: listOfTeam,
    exportInvitations: exportOfTeam,
    revokeInvitation: revoke,
  } as const satisfies Partial<Routes>;
};

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
const wireServiceInvitation = ({
  id,
  email,
  createdBy,
  createdAt,
  expiresAt,
}: PendingInvitation): WireServiceInvitation => ({
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

const list: RouteHandler<OperationOf<'listPeople'>> = async ({ query }, { ports, page, sealCursor }) => {
  const { rows, next } = await ports.stores.users.page(page, sentWords(query.q));
  return pageReply(rows.map(wirePerson), sealCursor(next));
};

const PEOPLE_COLUMNS: TableColumns<WirePerson> = {
  name: ({ name }) => name,
  email: ({ email }) => email,
  email_verified: ({ email_verified }) => (email_verified ? 'yes' : 'no'),
  administrator: ({ administrator }) => (administrator ? 'yes' : 'no'),
  created_at: ({ created_at }) => created_at,
  disabled_at: ({ disabled_at }) => disabled_at,
  id: ({ id }) => id,
};

const exportTable: RouteHandler<OperationOf<'exportPeople'>> = async ({ query }, { ports: { slices, stores } }) =>
  exportList({
    name: 'people',
    columns: PEOPLE_COLUMNS,
    slices,
    readPage: async (page) => {
      const { rows, next } = await stores.users.page(page, sentWords(query.q));
      return { rows: await slices.map(rows, wirePerson), next };
    },
  });

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

const INTO_NO_TEAM: TableColumns<WireServiceInvitation> = { email: ({ email }) => email, ...PENDING_COLUMNS };

const exportInvitations: RouteHandler<OperationOf<'exportServiceInvitations'>> = async (_, { ports }) => {
  const { clock, slices, stores } = ports;
  const pending = await stores.invitations.pending(null, clock());
  const about = { name: 'service-invitations', columns: INTO_NO_TEAM, slices };
  return exportWhole(await slices.map(pending, wireServiceInvitation), about);
};

const revokeIntoNoTeam: RouteHandler<OperationOf<'revokeServiceInvitation'>> = async ({ path }, context) => {
  const command = { by: actorOf(context), teamId: null, invitationId: path.invitation_id };
  await revokeInvitation(context.ports, command);
  return { status: 204 };
};

const listOwnerless: RouteHandler<OperationOf<'listOwnerlessTeams'>> = async (_, context) => {
  const teams = await ownerlessTeams(context.ports, { by: actorOf(context) });
  return { status: 200, body: { data: teams.map(wireOwnerlessTeam) } };
};

const appoint: RouteHandler<OperationOf<'nameOwner'>> = async ({ path, body }, context) => {
  const command = { by: actorOf(context), userId: path.user_id, teamId: body.team_id.toLowerCase() };
  return { status: 200, body: { data: wireMember(await appointOwner(context.ports, command)) } };
};

/** The accounts of the service, for its administrators. */
export const peopleRoutes = {
  listPeople: list,
  exportPeople: exportTable,
  disablePerson: disable,
  enablePerson: enable,
  vouchForPerson: vouch,
  listServiceInvitations: listInvitations,
  exportServiceInvitations: exportInvitations,
  revokeServiceInvitation: revokeIntoNoTeam,
  listOwnerlessTeams: listOwnerless,
  nameOwner: appoint,
} as const satisfies Partial<Routes>;
