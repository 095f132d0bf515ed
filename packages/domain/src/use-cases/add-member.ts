import { DomainError, invalid } from '../errors.js';
import type { Role } from '../team/team.js';
import type { Member } from '../team/team-store.js';
import type { ChangePorts } from './change.js';
import { changeTeam, type InTeam } from './in-team.js';

export interface AddMember extends InTeam {
  /** Of a person who has an account; others are invited. */
  readonly email: string;
  readonly role: Role;
}

/** Takes a person into a team. Role owner. @throws DomainError `not-found`, `forbidden`, `invalid` without such an account, `already-member` */
export const addMember =
  (ports: ChangePorts) =>
  (command: AddMember): Promise<Member> =>
    changeTeam(ports, command, 'owner', async ({ stores, team, now, note }) => {
      const found = await stores.users.byEmail(command.email);
      if (found === undefined)
        throw invalid([
          {
            pointer: '/email',
            code: 'unknown-person',
            message: 'Nobody with this address has an account; invite them.',
          },
        ]);
      const { id: userId, name, email } = found.user;
      const { role } = command;
      if (!(await stores.teams.addMember({ teamId: team.id, userId, role, createdAt: now })))
        throw new DomainError('already-member', `${name} is a member already.`);
      await note({
        teamId: team.id,
        action: 'member.add',
        resource: { type: 'user', id: userId },
        detail: { name, role },
      });
      return { userId, name, email, role };
    });
