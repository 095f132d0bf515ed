import { auditEntry } from '../access/actor.js';
import type { Origin } from '../access/origin.js';
import { passwordFaults } from '../access/password.js';
import { sessionPrincipal } from '../access/principals.js';
import { DomainError, invalid } from '../errors.js';
import type { Ports } from '../ports.js';
import { type OpenedSession, openSession } from './open-session.js';

export interface AcceptInvitation {
  readonly secret: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly origin: Origin;
}

const unusable = (): DomainError => new DomainError('invitation-unusable', 'The invitation was used or has expired.');

/** Gives an invited person an account and their place in the team, and signs them in; a link works once. @throws DomainError `invalid`, `invitation-unusable`, `email-taken` */
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
