import { auditEntry } from '../access/actor.js';
import type { Invitation } from '../access/invitation-store.js';
import type { Origin } from '../access/origin.js';
import { passwordFaults } from '../access/password.js';
import { sessionPrincipal } from '../access/principals.js';
import { DomainError, invalid } from '../errors.js';
import type { Ports, Stores } from '../ports.js';
import { type OpenedSession, openSession } from './open-session.js';

export interface AcceptInvitation {
  readonly secret: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly origin: Origin;
}

const unusable = (): DomainError =>
  new DomainError('invitation-unusable', 'The invitation was used, has expired, or its maker may no longer invite.');

/** Whether the maker could make the invitation now. Holds the team's membership still, so that the answer stays true. */
const mayStillInvite = async (inside: Stores, { team, createdBy }: Invitation): Promise<boolean> => {
  if (team === null) return (await inside.users.byId(createdBy))?.administrator === true;
  await inside.teams.lock(team.id);
  const members = await inside.teams.members(team.id);
  return members.some(({ userId, role }) => userId === createdBy && role === 'owner');
};

/**
 * Gives an invited person an account and their place in the team, and signs them in; a link works once, and only as long as its
 * maker may invite. @throws DomainError `invalid`, `invitation-unusable`, `email-taken`
 */
export const acceptInvitation =
  (ports: Pick<Ports, 'stores' | 'secrets' | 'clock' | 'newId'>) =>
  async ({ secret, email, name, password, origin }: AcceptInvitation): Promise<OpenedSession> => {
    const { stores, secrets, clock, newId } = ports;
    const faults = passwordFaults(password);
    if (faults.length > 0) throw invalid(faults);
    const invitation = await stores.invitations.bySecretHash(secrets.hash(secret));
    if (invitation === undefined || invitation.acceptedAt !== null || invitation.expiresAt <= clock()) throw unusable();
    const passwordHash = await secrets.hashPassword(password);
    return stores.transaction(async (inside) => {
      const now = clock();
      if (!(await mayStillInvite(inside, invitation))) throw unusable();
      if (!(await inside.invitations.accept(invitation.id, now))) throw unusable();
      const user = { id: newId(), email, name, administrator: false, createdAt: now };
      await inside.users.create(user, passwordHash);
      const opened = await openSession(ports, inside, { user, now, action: 'invitation.accept', origin });
      if (invitation.team === null) return opened;
      const { id: teamId, role } = invitation.team;
      await inside.teams.addMember({ teamId, userId: user.id, role, createdAt: now });
      const by = { principal: sessionPrincipal(opened.session, user, new Map()), ...origin };
      const deed = { teamId, action: 'member.add', resource: { type: 'user', id: user.id }, detail: { name, role } };
      await inside.audit.append(auditEntry(newId(), now, by, deed));
      return opened;
    });
  };
