import type { Invitation } from '@shipworthy/domain';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { sampleInvitation, sampleUser } from './sample-access.js';
import { MINUTE, NOON, sampleHash, sampleId, unique } from './sample-records.js';
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

    it('are pending in their team while they can be accepted, and revoked before they are used only', async () => {
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
        email: null,
        createdBy: owner.name,
        createdAt,
        expiresAt,
      });
      const revoke = (teamId: string | null, id: string) => stores.invitations.revoke(teamId, id, NOON + 2);
      for (const elsewhere of [otherTeam.id, null]) expect(await revoke(elsewhere, first.id)).to.equal(false);
      expect(await revoke(team.id, used.id)).to.equal(false);
      expect(await revoke(team.id, first.id)).to.equal(true);
      expect(await revoke(team.id, first.id)).to.equal(false);
      expect(await again.invitations.byId(first.id)).to.deep.equal({ ...first, revokedAt: NOON + 2 });
      expect(await again.invitations.byId(sampleId())).to.equal(undefined);
      expect(await pending()).to.deep.equal([second.id]);
      expect(await stores.invitations.accept(first.id, NOON + 2)).to.equal(false);
      await stores.teams.changeRole(team.id, owner.id, 'member');
      expect(await pending()).to.deep.equal([]);
    });

    it('into no team are pending while their maker is an administrator', async () => {
      const { stores, again } = opened();
      const [root, other] = [sampleUser({ administrator: true }), sampleUser()];
      for (const user of [root, other]) await stores.users.create(user, 'hash');
      const email = `${unique('Grace')}@example.org`;
      const made = sampleInvitation(root.id, { email });
      for (const each of [made, sampleInvitation(other.id)]) await stores.invitations.create(each);
      const pending = async () =>
        (await again.invitations.pending(null, NOON)).filter(({ createdBy }) => createdBy === root.name);
      const { id, createdAt, expiresAt } = made;
      expect((await pending()).filter((each) => each.id === id)).to.deep.equal([
        { id, role: null, email, createdBy: root.name, createdAt, expiresAt },
      ]);
      expect(await stores.invitations.revoke(null, made.id, NOON)).to.equal(true);
      expect((await pending()).map((each) => each.id)).not.to.include(id);
    });

    it('are received under the key of the address they are bound to, into teams only', async () => {
      const { stores, again } = opened();
      const { owner, team } = await storedTeam(stores);
      const address = `${unique('grace')}@example.org`;
      const bound = (more: Partial<Invitation> = {}) =>
        sampleInvitation(owner.id, { team: { id: team.id, role: 'viewer' }, email: address.toUpperCase(), ...more });
      const [one, other] = [bound(), bound({ email: `${unique('eve')}@example.org` })];
      const [gone, late, bare] = [bound({ revokedAt: NOON }), bound({ expiresAt: NOON }), bound({ team: null })];
      for (const each of [one, other, gone, late, bare]) await stores.invitations.create(each);
      const { id, createdAt, expiresAt } = one;
      const seen = { id, team: { id: team.id, name: team.name }, role: 'viewer', createdBy: owner.name };
      expect(await again.invitations.received(address, NOON)).to.deep.equal([{ ...seen, createdAt, expiresAt }]);
      expect(await again.invitations.byId(one.id)).to.deep.equal(one);
      const elsewhere = await storedTeam(stores);
      await stores.invitations.revokeMadeBy({ userId: owner.id, teamId: elsewhere.team.id }, NOON + 1);
      await stores.invitations.revokeMadeBy({ userId: elsewhere.owner.id, teamId: team.id }, NOON + 1);
      expect(await again.invitations.received(address, NOON)).to.have.length(1);
      await stores.invitations.revokeMadeBy({ userId: owner.id, teamId: team.id }, NOON + 1);
      expect(await again.invitations.received(address, NOON)).to.deep.equal([]);
      expect((await again.invitations.byId(bare.id))?.revokedAt).to.equal(null);
      await stores.invitations.revokeMadeBy({ userId: owner.id }, NOON + 1);
      expect((await again.invitations.byId(bare.id))?.revokedAt).to.equal(NOON + 1);
      expect(await again.invitations.received(address, NOON)).to.deep.equal([]);
      expect((await again.invitations.byId(gone.id))?.revokedAt).to.equal(NOON);
      expect((await again.invitations.byId(other.id))?.revokedAt).to.equal(NOON + 1);
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
