import type { Invitation } from '@shipworthy/domain';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { sampleInvitation } from './sample-access.js';
import { MINUTE, NOON, sampleHash, sampleId } from './sample-records.js';
import { storedTeam } from './sample-world.js';

/** InvitationStore. */
export const invitationsContract = (opened: Opened): void => {
  describe('invitations', () => {
    it('are found by the hash of their secret, with and without a team', async () => {
      const { stores, again } = opened();
      const { owner, team } = await storedTeam(stores);
      const toTeam = sampleInvitation(owner.id, { team: { id: team.id, role: 'member' } });
      const bare = sampleInvitation(owner.id);
      for (const invitation of [toTeam, bare]) await stores.invitations.create(invitation);
      expect(await again.invitations.bySecretHash(toTeam.secretHash)).to.deep.equal(toTeam);
      expect(await again.invitations.bySecretHash(bare.secretHash)).to.deep.equal(bare);
      expect(await again.invitations.bySecretHash(sampleHash())).to.equal(undefined);
    });

    it('are accepted once, even when many try at once', async () => {
      const { stores, again } = opened();
      const { owner } = await storedTeam(stores);
      const invitation = sampleInvitation(owner.id);
      await stores.invitations.create(invitation);
      const tries = Array.from({ length: 5 }, () => stores.invitations.accept(invitation.id, NOON + 1));
      expect((await Promise.all(tries)).filter((accepted) => accepted)).to.have.lengthOf(1);
      expect(await stores.invitations.accept(invitation.id, NOON + 2)).to.equal(false);
      expect(await stores.invitations.accept(sampleId(), NOON)).to.equal(false);
      const accepted = { ...invitation, acceptedAt: NOON + 1 };
      expect(await again.invitations.bySecretHash(invitation.secretHash)).to.deep.equal(accepted);
    });

    it('are pending in their team while they can be accepted, and removed before they are used only', async () => {
      const { stores, again } = opened();
      const { owner, team } = await storedTeam(stores);
      const { owner: other, team: otherTeam } = await storedTeam(stores);
      const into = (id: string, more: Partial<Invitation> = {}) =>
        sampleInvitation(owner.id, { team: { id, role: 'member' }, ...more });
      const first = into(team.id, { createdAt: NOON });
      const second = into(team.id, { createdAt: NOON + 1 });
      const used = into(team.id);
      const gone = [into(team.id, { expiresAt: NOON + 2 }), into(team.id, { createdBy: other.id }), into(otherTeam.id)];
      for (const each of [second, first, used, ...gone, sampleInvitation(owner.id)])
        await stores.invitations.create(each);
      await stores.invitations.accept(used.id, NOON + 1);
      const pending = async () => (await again.invitations.pending(team.id, NOON + 2)).map(({ id }) => id);
      expect(await pending()).to.deep.equal([first.id, second.id]);
      const { createdAt, expiresAt } = first;
      expect((await again.invitations.pending(team.id, NOON + 2))[0]).to.deep.equal({
        id: first.id,
        role: 'member',
        createdBy: owner.name,
        createdAt,
        expiresAt,
      });
      expect(await stores.invitations.remove(otherTeam.id, first.id)).to.equal(false);
      expect(await stores.invitations.remove(team.id, used.id)).to.equal(false);
      expect(await stores.invitations.remove(team.id, first.id)).to.equal(true);
      expect(await stores.invitations.remove(team.id, first.id)).to.equal(false);
      expect(await pending()).to.deep.equal([second.id]);
      expect(await stores.invitations.accept(first.id, NOON + 2)).to.equal(false);
      await stores.teams.changeRole(team.id, owner.id, 'member');
      expect(await pending()).to.deep.equal([]);
    });

    it('cannot be accepted from their expiry on', async () => {
      const { stores, again } = opened();
      const { owner } = await storedTeam(stores);
      const invitation = sampleInvitation(owner.id, { expiresAt: NOON + MINUTE });
      await stores.invitations.create(invitation);
      expect(await stores.invitations.accept(invitation.id, NOON + MINUTE)).to.equal(false);
      expect(await again.invitations.bySecretHash(invitation.secretHash)).to.deep.equal(invitation);
      expect(await stores.invitations.accept(invitation.id, NOON + MINUTE - 1)).to.equal(true);
    });
  });
};
