import { notFound } from '../errors.js';
import { requireOwnerLeft } from '../team/last-owner.js';
import type { ChangePorts } from './change.js';
import { changeTeam, type InTeam } from './in-team.js';

export interface RemoveMember extends InTeam {
  readonly userId: string;
}

/** Takes a member out of a team, and with them the invitations that they made; everybody may leave, removing others needs the role owner. @throws DomainError `not-found`, `forbidden`, `last-owner` */
export const removeMember =
  (ports: ChangePorts) =>
  (command: RemoveMember): Promise<void> => {
    const { by, userId } = command;
    const needed = by.principal.userId === userId ? 'viewer' : 'owner';
    return changeTeam(ports, command, needed, async ({ stores, team, now, note }) => {
      const members = await stores.teams.members(team.id);
      const member = members.find((one) => one.userId === userId);
      if (member === undefined) throw notFound('member');
      requireOwnerLeft(members, userId, null);
      await stores.teams.removeMember(team.id, userId);
      await stores.invitations.revokeMadeBy({ userId, teamId: team.id }, now);
      const detail = { name: member.name, role: member.role };
      await note({ teamId: team.id, action: 'member.remove', resource: { type: 'user', id: userId }, detail });
    });
  };
