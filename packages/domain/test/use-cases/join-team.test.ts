import { expect } from 'chai';
import type { Actor } from '../../src/access/actor.js';
import { INVITATION_LIFE, invite } from '../../src/use-cases/invite.js';
import { acceptReceived, declineReceived, joinByLink, receivedInvitations } from '../../src/use-cases/join-team.js';
import { refused } from '../refusal.js';
import { type TeamScene, teamScene } from './scene.js';
import { actions } from './world.js';

const inviting = (here: TeamScene, email: string | null = 'SAM@example.com') =>
  invite(here)({ by: here.owner, team: { id: here.teamId, role: 'viewer' }, email });
const roleOf = async (here: TeamScene, { principal }: Actor) =>
  (await here.stores.teams.members(here.teamId)).find(({ userId }) => userId === principal.userId)?.role;

describe('Joining a team', () => {
  it('takes nobody in before they accept what is bound to their address', async () => {
    const here = await teamScene();
    const { invitation } = await inviting(here);
    const by = here.stranger;
    expect(await roleOf(here, by)).to.equal(undefined);
    const [received] = await receivedInvitations(here)({ by });
    expect(received).to.deep.include({ id: invitation.id, team: { id: here.teamId, name: 'Payments' } });
    const joined = await acceptReceived(here)({ by, invitationId: invitation.id });
    expect(joined).to.deep.equal({ teamId: here.teamId, role: 'viewer' });
    expect(await roleOf(here, by)).to.equal('viewer');
    expect(await actions(here, here.teamId)).to.include('member.add');
    await refused(acceptReceived(here)({ by, invitationId: invitation.id }), 'not-found');
    await refused(inviting(here), 'already-member');
  });
  it('by a link is for one person with an account, and for the address it is bound to', async () => {
    const here = await teamScene();
    const by = here.stranger;
    const other = await inviting(here, 'someone@example.com');
    await refused(joinByLink(here)({ by, secret: other.secret }), 'invitation-for-another-address');
    const unbound = await inviting(here, null);
    await joinByLink(here)({ by, secret: unbound.secret });
    expect(await roleOf(here, by)).to.equal('viewer');
    await refused(joinByLink(here)({ by, secret: unbound.secret }), 'invitation-unusable');
    const again = await inviting(here, null);
    await refused(joinByLink(here)({ by, secret: again.secret }), 'already-member');
    expect((await here.stores.invitations.byId(again.invitation.id))?.acceptedAt).to.equal(null);
  });
  it('ends with the invitation: declined, expired, or its maker no longer an owner', async () => {
    const here = await teamScene();
    const by = here.stranger;
    const declined = (await inviting(here)).invitation;
    await declineReceived(here)({ by, invitationId: declined.id });
    await refused(acceptReceived(here)({ by, invitationId: declined.id }), 'not-found');
    expect(await actions(here, here.teamId)).to.include('invitation.decline');
    const orphan = await inviting(here);
    await here.stores.teams.changeRole(here.teamId, here.owner.principal.userId, 'member');
    expect(await receivedInvitations(here)({ by })).to.deep.equal([]);
    await refused(acceptReceived(here)({ by, invitationId: orphan.invitation.id }), 'invitation-unusable');
    await here.stores.teams.changeRole(here.teamId, here.owner.principal.userId, 'owner');
    here.time.now += INVITATION_LIFE;
    await refused(acceptReceived(here)({ by, invitationId: orphan.invitation.id }), 'not-found');
    await refused(joinByLink(here)({ by, secret: orphan.secret }), 'invitation-unusable');
  });
  it('says nothing of invitations to who only claims the address', async () => {
    const here = await teamScene();
    const { principal } = here.stranger;
    const made = { createdAt: here.time.now, disabledAt: null };
    const id = here.newId();
    const user = { id, email: 'claimed@example.com', emailVerified: false, name: 'Eve', administrator: false, ...made };
    await here.stores.users.create(user, '');
    const by = { ...here.stranger, principal: { ...principal, userId: id } };
    const { invitation, secret } = await inviting(here, 'claimed@example.com');
    expect(await receivedInvitations(here)({ by })).to.deep.equal([]);
    await refused(acceptReceived(here)({ by, invitationId: invitation.id }), 'not-found');
    await joinByLink(here)({ by, secret });
    expect((await here.stores.users.byId(id))?.emailVerified, 'an owner proves no address').to.equal(false);
  });
  it('verifies the address that an administrator bound the invitation to', async () => {
    const here = await teamScene();
    const stored = async (name: string, administrator: boolean) => {
      const made = { createdAt: here.time.now, disabledAt: null, emailVerified: false, administrator };
      const user = { id: here.newId(), email: `${name}@example.com`, name, ...made };
      await here.stores.users.create(user, '');
      return user;
    };
    const [root, mia] = [await stored('Root', true), await stored('Mia', false)];
    const membership = { teamId: here.teamId, role: 'owner', createdAt: here.time.now } as const;
    await here.stores.teams.addMember({ ...membership, userId: root.id });
    const as = ({ id }: typeof root, { principal, ...actor } = here.owner): Actor => ({
      ...actor,
      principal: { ...principal, userId: id },
    });
    const team = { id: here.teamId, role: 'viewer' } as const;
    const { secret } = await invite(here)({ by: as(root), team, email: mia.email });
    await joinByLink(here)({ by: as(mia), secret });
    expect((await here.stores.users.byId(mia.id))?.emailVerified).to.equal(true);
  });
});
