import {
  addressKey,
  type Invitation,
  invitationState,
  mayBeAcceptedBy,
  type ReceivedInvitation,
} from '../access/person.js';
import { type Actor, type Principal, requireRole, seesProject, teamsInSight, type User } from '../access/principal.js';
import { DomainError, invalid, notFound } from '../errors.js';
import { requireName, slugOf } from '../names.js';
import type { Ports, Stores } from '../ports.js';
import { MOST_PROJECT_NAMES, tooManyProjectNames } from '../project.js';
import { type Member, MOST_TEAMS, type Role, requireOwnerLeft, type Team, type TeamOverview } from '../team.js';
import {
  type Change,
  type ChangePorts,
  change,
  type InTeam,
  requireStoredRole,
  requireVersion,
  runTeamChange,
  versionMismatch,
} from './change.js';
import { holdTeamOf, joinAction, requireInvitation, revokeBoundTo, spendInvitation } from './invitation.js';

interface CreateTeam {
  readonly by: Actor;
  readonly name: string;
}

/** @throws DomainError `invalid` when the person is in 200 teams already; `pointer` is where the command names the team */
const requireRoomForTeam = async ({ teams }: Pick<Stores, 'teams'>, userId: string, pointer: string): Promise<void> => {
  if ((await teams.countOf(userId)) < MOST_TEAMS) return;
  const message = `A person is in ${MOST_TEAMS} teams at most.`;
  throw invalid([{ pointer, code: 'too-many', message }]);
};

/** Creates a team and makes the caller its owner; a person is in 200 teams at most. @throws DomainError `invalid` */
export function createTeam(ports: ChangePorts, { by, name }: CreateTeam): Promise<Team> {
  const create = async ({ stores, now, newId, note }: Change): Promise<Team> => {
    requireName(name);
    await requireRoomForTeam(stores, by.principal.userId, '/name');
    const team = { id: newId(), name, slug: slugOf(name, 'team'), version: 1, createdAt: now, demo: false };
    const owner = { teamId: team.id, userId: by.principal.userId, role: 'owner', createdAt: now } as const;
    const stored = await stores.teams.create(team, owner);
    await note({
      teamId: stored.id,
      action: 'team.create',
      resource: { type: 'team', id: stored.id },
      detail: { name },
    });
    return stored;
  };
  // Locked, so that each of many simultaneous requests counts the teams that those before it created.
  return change(ports, by, create, ({ users }) => users.lock(by.principal.userId));
}

interface RenameTeam extends InTeam {
  readonly name: string;
  /** The version the caller saw; null: any. */
  readonly version: number | null;
}

/** Renames a team; its slug stays. @throws DomainError `not-found`, `forbidden`, `version-mismatch`, `invalid` */
export function renameTeam(ports: ChangePorts, command: RenameTeam): Promise<Team> {
  return runTeamChange(ports, command, async ({ stores, team, note }) => {
    requireVersion(team, command.version);
    requireName(command.name, team.name);
    const next = { ...team, name: command.name, version: team.version + 1 };
    if (!(await stores.teams.replace(next))) throw versionMismatch(await stores.teams.byId(team.id));
    const detail = { from: team.name, to: next.name };
    await note({ teamId: team.id, action: 'team.rename', resource: { type: 'team', id: team.id }, detail });
    return next;
  });
}

/** Leaves a team's projects out of the portfolio until it is restored; nothing else changes. @throws DomainError `not-found`, `forbidden` */
export function archiveTeam(ports: ChangePorts, command: InTeam): Promise<Team> {
  return runTeamChange(ports, command, async (changing) => {
    const { team, now } = changing;
    return team.archivedAt === undefined ? replace(changing, 'team.archive', { ...team, archivedAt: now }) : team;
  });
}

/** Takes the projects of an archived team back into the portfolio. @throws DomainError `not-found`, `forbidden` */
export function restoreTeam(ports: ChangePorts, command: InTeam): Promise<Team> {
  return runTeamChange(ports, command, async (changing) => {
    const { archivedAt, ...restored } = changing.team;
    return archivedAt === undefined ? changing.team : replace(changing, 'team.restore', restored);
  });
}

const replace = async (
  { stores, note }: Change,
  action: 'team.archive' | 'team.restore',
  changed: Team,
): Promise<Team> => {
  const next = { ...changed, version: changed.version + 1 };
  if (!(await stores.teams.replace(next))) throw versionMismatch(await stores.teams.byId(next.id));
  await note({ teamId: next.id, action, resource: { type: 'team', id: next.id }, detail: { name: next.name } });
  return next;
};

interface ChangeRole extends InTeam {
  readonly userId: string;
  readonly role: Role;
}

/**
 * Gives a member another role; a member who is no longer owner loses the invitations that they made.
 * @throws DomainError `not-found`, `forbidden`, `last-owner`
 */
export function changeRole(ports: ChangePorts, command: ChangeRole): Promise<Member> {
  return runTeamChange(ports, command, async ({ stores, team, now, note }) => {
    const { userId, role } = command;
    const members = await stores.teams.members(team.id);
    const member = members.find((one) => one.userId === userId);
    if (member === undefined) throw notFound('member');
    requireOwnerLeft(members, userId, role);
    await stores.teams.changeRole(team.id, userId, role);
    if (role !== 'owner') await stores.invitations.revokeMadeBy({ userId, teamId: team.id }, now);
    const detail = { name: member.name, from: member.role, to: role };
    await note({ teamId: team.id, action: 'member.change_role', resource: { type: 'user', id: userId }, detail });
    return { ...member, role };
  });
}

interface RemoveMember extends InTeam {
  readonly userId: string;
}

/**
 * Removes a member from a team, and revokes the invitations that they made and those bound to their address. Every
 * member may leave; removing others needs the role owner.
 * @throws DomainError `not-found`, `forbidden`, `last-owner`
 */
export function removeMember(ports: ChangePorts, command: RemoveMember): Promise<void> {
  const { by, userId } = command;
  // The table of operations cannot say this rule, since it depends on the person: every member may leave.
  const needs = by.principal.userId === userId ? by.needs : 'owner';
  return runTeamChange(ports, { ...command, by: { ...by, needs } }, async ({ stores, team, now, note }) => {
    const members = await stores.teams.members(team.id);
    const member = members.find((one) => one.userId === userId);
    if (member === undefined) throw notFound('member');
    requireOwnerLeft(members, userId, null);
    await stores.teams.removeMember(team.id, userId);
    await stores.invitations.revokeMadeBy({ userId, teamId: team.id }, now);
    await revokeBoundTo({ stores, now }, team.id, member.email);
    const detail = { name: member.name, role: member.role };
    await note({ teamId: team.id, action: 'member.remove', resource: { type: 'user', id: userId }, detail });
  });
}

/** Removes the demo with everything in it; nothing else is ever removed by this. @throws DomainError `not-found` when there is none in sight, `forbidden` */
export async function removeDemo(ports: ChangePorts, { by }: Pick<InTeam, 'by'>): Promise<void> {
  const demo = await ports.stores.teams.demo();
  if (demo === undefined || !by.principal.roles.has(demo.id)) throw notFound('demo');
  requireRole(by.principal, demo.id, by.needs);
  const remove = async ({ stores, note }: Change): Promise<void> => {
    await requireStoredRole(stores, by, demo.id);
    if (!(await stores.teams.removeDemo(demo.id))) throw notFound('demo');
    const resource = { type: 'team', id: demo.id };
    await note({ teamId: null, action: 'demo.remove', resource, detail: { name: demo.name } });
  };
  await change(ports, by, remove, ({ teams }) => teams.lock(demo.id));
}

/** The team a person joined, with the role there. */
export interface JoinedTeam {
  readonly teamId: string;
  readonly role: Role;
}

const personOf = async ({ users }: Pick<Stores, 'users'>, { principal }: Actor): Promise<User> => {
  const user = await users.byId(principal.userId);
  if (user === undefined) throw notFound('user');
  if (user.disabledAt !== null) throw new DomainError('forbidden', 'The account is disabled.');
  return user;
};

const join = (ports: ChangePorts, by: Actor, invitation: Invitation): Promise<JoinedTeam> => {
  const hold = async (stores: Stores): Promise<void> => {
    await stores.users.lock(by.principal.userId);
    await holdTeamOf(stores, invitation);
  };
  const joinHeld = async ({ stores, now, note }: Change): Promise<JoinedTeam> => {
    const { team } = invitation;
    const user = await personOf(stores, by);
    if (team === null)
      throw new DomainError('invitation-unusable', 'The invitation is for a new account, and you have one already.');
    await requireRoomForTeam(stores, user.id, '');
    const provesAddress = await spendInvitation(stores, invitation, now);
    if (provesAddress && !user.emailVerified) await stores.users.verifyEmail(user.id);
    if (!(await stores.teams.addMember({ teamId: team.id, userId: user.id, role: team.role, createdAt: now })))
      throw new DomainError('already-member', 'You are a member of this team already.');
    if ((await stores.projects.countNames(user.id)) > MOST_PROJECT_NAMES) throw invalid([tooManyProjectNames('')]);
    await revokeBoundTo({ stores, now }, team.id, user.email);
    await note(joinAction(team, user));
    return { teamId: team.id, role: team.role };
  };
  return change(ports, by, joinHeld, hold);
};

/**
 * Adds the caller to the team of an invitation by its link; an invitation that is bound to an address needs that
 * address.
 * @throws DomainError `invitation-unusable`, `invitation-for-another-address`, `already-member`; `invalid` when the
 * caller is in 200 teams, or their projects would have more than 2,000 names
 */
export async function joinByLink(
  ports: ChangePorts & Pick<Ports, 'secrets'>,
  { by, secret }: { readonly by: Actor; readonly secret: string },
): Promise<JoinedTeam> {
  const user = await personOf(ports.stores, by);
  return join(ports, by, await requireInvitation(ports, secret, user.email));
}

/** The invitations that are bound to the caller's address; none as long as that address is not verified. */
export async function receivedInvitations(
  { stores, clock }: Pick<Ports, 'stores' | 'clock'>,
  { by }: { readonly by: Actor },
): Promise<readonly ReceivedInvitation[]> {
  const { email, emailVerified } = await personOf(stores, by);
  return emailVerified ? stores.invitations.received(addressKey(email), clock()) : [];
}

interface Received {
  readonly by: Actor;
  readonly invitationId: string;
}

/** The invitation, if it is open and bound to the caller's verified address. @throws DomainError `not-found` */
const requireReceived = async (
  { stores, clock }: Pick<Ports, 'stores' | 'clock'>,
  { by, invitationId }: Received,
): Promise<Invitation> => {
  const user = await personOf(stores, by);
  const invitation = await stores.invitations.byId(invitationId);
  const isTheirs = user.emailVerified && invitation?.email != null && mayBeAcceptedBy(invitation, user.email);
  if (invitation === undefined || !isTheirs || invitationState(invitation, clock()) !== 'open')
    throw notFound('invitation');
  return invitation;
};

/**
 * Adds the caller to the team of an invitation that is bound to their address.
 * @throws DomainError `not-found`, `invitation-unusable`, `already-member`; `invalid` when the caller is in 200 teams
 */
export async function acceptReceived(ports: ChangePorts, command: Received): Promise<JoinedTeam> {
  return join(ports, command.by, await requireReceived(ports, command));
}

/** Declines an invitation that is bound to the caller's address: it can be accepted no more. @throws DomainError `not-found` */
export async function declineReceived(ports: ChangePorts, command: Received): Promise<void> {
  const invitation = await requireReceived(ports, command);
  const decline = async ({ stores, now, note }: Change): Promise<void> => {
    const teamId = invitation.team?.id ?? null;
    if (!(await stores.invitations.revoke(teamId, invitation.id, now))) throw notFound('invitation');
    const resource = { type: 'invitation', id: invitation.id };
    await note({ teamId, action: 'invitation.decline', resource, detail: { email: invitation.email } });
  };
  await change(ports, command.by, decline, (stores) => holdTeamOf(stores, invitation));
}

/** The teams in sight with the projects in sight, by names. */
export async function readTeams(
  { teams }: Pick<Stores, 'teams'>,
  principal: Principal,
): Promise<readonly TeamOverview[]> {
  const overviews = await teams.overview(teamsInSight(principal));
  return overviews.map(({ team, projects }) => ({
    team,
    projects: projects.filter(({ id }) => seesProject(principal, { id, teamId: team.id })),
  }));
}
