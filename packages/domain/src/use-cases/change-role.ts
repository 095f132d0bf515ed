import { notFound } from '../errors.js';
import { requireOwnerLeft } from '../team/last-owner.js';
import type { Role } from '../team/team.js';
import type { Member } from '../team/team-store.js';
import type { ChangePorts } from './change.js';
import { changeTeam, type InTeam } from './in-team.js';

export interface ChangeRole extends InTeam {
  readonly userId: string;
  readonly role: Role;
}

/** Gives a member another role; with the role owner end the invitations that the person made. Role owner. @throws DomainError `not-found`, `forbidden`, `last-owner` */
export const changeRole =
  (ports: ChangePorts) =>
  (command: ChangeRole): Promise<Member> =>
    changeTeam(ports, command, 'owner', async ({ stores, team, now, note }) => {
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
