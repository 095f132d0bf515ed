import { expect } from 'chai';
import type { Actor } from '../../src/access/principal.js';
import { DomainError } from '../../src/errors.js';
import { INVITATION_LIFE, invite } from '../../src/use-cases/invitation.js';
import { acceptReceived, declineReceived, joinByLink, receivedInvitations } from '../../src/use-cases/team.js';
import { refused } from '../refusal.js';
import { noted, type TeamScene, teamScene, waitingForLocks } from './scene.js';
import { actions } from './world.js';

const inviting = (here: TeamScene, email: string | null = 'SAM@example.com') =>
  invite(here, { by: here.owner, team: { id: here.teamId, role: 'viewer' }, email });
const roleOf = async (here: TeamScene, { principal }: Actor) =>
  (await here.stores.teams.members(here.teamId)).find(({ userId }) => userId === principal.userId)?.role;

describe('Joining a team', () => {
  it('adds no member before they accept the invitation that is bound to their address', async () => {
    const here = await teamScene();
    const { invitation } = await inviting(here);
    const by = here.stranger;
    expect(await roleOf(here, by)).to.equal(undefined);
    const [received] = await receivedInvitations(here, { by });
    expect(received).to.deep.include({ id: invitation.id, team: { id: here.teamId, name: 'Payments' } });
    const joined = await acceptReceived(here, { by, invitationId: invitation.id });
    expect(joined).to.deep.equal({ teamId: here.teamId, role: 'viewer' });
    expect(await roleOf(here, by)).to.equal('viewer');
    expect(await actions(here, here.teamId)).to.include('member.add');
    await refused(acceptReceived(here, { by, invitationId: invitation.id }), 'not-found');
    await refused(inviting(here), 'already-member');
  });
  it('by a link is for one person with an account, and for the address it is bound to', async () => {
    const here = await teamScene();
    const by = here.stranger;
    const other = await inviting(here, 'someone@example.com');
    await refused(joinByLink(here, { by, secret: other.secret }), 'invitation-for-another-address');
    const unbound = await inviting(here, null);
    await joinByLink(here, { by, secret: unbound.secret });
    expect(await roleOf(here, by)).to.equal('viewer');
    await refused(joinByLink(here, { by, secret: unbound.secret }), 'invitation-unusable');
    const again = await inviting(here, null);
    const member = await refused(joinByLink(here, { by, secret: again.secret }), 'already-member');
    expect(member.message).to.equal('You are a member of this team already.');
    expect((await here.stores.invitations.byId(again.invitation.id))?.acceptedAt).to.equal(null);
  });
  it('is refused to a person whose projects would have more than 2,000 names, and is not spent then', async () => {
    const here = await teamScene();
    const by = here.stranger;
    const { secret } = await inviting(here, null);
    let names = 2_001;
    const projects = { ...here.stores.projects, countNames: async () => names };
    const counting = {
      ...here,
      stores: {
        ...here.stores,
        transaction: ((work, author) =>
          here.stores.transaction((inside) => work({ ...inside, projects }), author)) as typeof here.stores.transaction,
      },
    };
    const { details } = await refused(joinByLink(counting, { by, secret }), 'invalid');
    const message = "The projects in a person's teams have 2000 names at most, former ones included.";
    expect(details.faults).to.deep.equal([{ pointer: '', code: 'too-many', message }]);
    expect(await roleOf(here, by)).to.equal(undefined);
    names = 2_000;
    await joinByLink(counting, { by, secret });
    expect(await roleOf(here, by)).to.equal('viewer');
  });
  it('happens at the moment when account and team were had', async () => {
    const here = await teamScene();
    const { secret } = await inviting(here, null);
    const began = here.time.now;
    const { entries, here: listening } = noted(waitingForLocks(here));
    await joinByLink(listening, { by: here.stranger, secret });
    expect(entries).to.deep.equal([{ action: 'member.add', at: began + 10_000 }]);
  });
  it('takes an account, which is not disabled', async () => {
    const here = await teamScene();
    const { secret } = await inviting(here, null);
    const { principal } = here.stranger;
    const foreign = { ...here.stranger, principal: { ...principal, userId: 'of another service' } };
    const { details } = await refused(joinByLink(here, { by: foreign, secret }), 'not-found');
    expect(details).to.deep.equal({ what: 'user' });
    await here.stores.users.setDisabled(principal.userId, here.time.now);
    const { message } = await refused(joinByLink(here, { by: here.stranger, secret }), 'forbidden');
    expect(message).to.equal('The account is disabled.');
    expect(await roleOf(here, here.stranger)).to.equal(undefined);
  });
  it('is not what an invitation to an account without a team is for', async () => {
    const here = await teamScene();
    const maker = here.owner.principal.userId;
    const secret = here.secrets.newToken();
    const { invitation } = await inviting(here, null);
    const into = {
      ...invitation,
      id: here.newId(),
      team: null,
      secretHash: here.secrets.hash(secret),
      createdBy: maker,
    };
    await here.stores.invitations.create(into);
    const { message } = await refused(joinByLink(here, { by: here.stranger, secret }), 'invitation-unusable');
    expect(message).to.equal('The invitation is for a new account, and you have one already.');
  });
  it('by the id alone is for the person to whose address the invitation is bound', async () => {
    const here = await teamScene();
    const by = here.stranger;
    const unbound = await inviting(here, null);
    const other = await inviting(here, 'someone@example.com');
    for (const invitationId of [unbound.invitation.id, other.invitation.id, 'none'])
      for (const deed of [acceptReceived, declineReceived]) {
        const { details } = await refused(deed(here, { by, invitationId }), 'not-found');
        expect(details).to.deep.equal({ what: 'invitation' });
      }
    expect(await roleOf(here, by)).to.equal(undefined);
    expect((await here.stores.invitations.byId(unbound.invitation.id))?.revokedAt).to.equal(null);
  });
  it('is declined once, which is noted in the team when it was had', async () => {
    const here = await teamScene();
    const { id } = (await inviting(here)).invitation;
    const began = here.time.now;
    const { deeds, entries, here: listening } = noted(waitingForLocks(here));
    const decline = () => declineReceived(listening, { by: here.stranger, invitationId: id });
    const [, second] = await Promise.allSettled([decline(), decline()]);
    const reason = second?.status === 'rejected' ? second.reason : undefined;
    expect(reason)
      .to.be.instanceOf(DomainError)
      .and.deep.include({ code: 'not-found', details: { what: 'invitation' } });
    const resource = { type: 'invitation', id };
    const detail = { email: 'SAM@example.com' };
    expect(deeds).to.deep.equal([{ teamId: here.teamId, action: 'invitation.decline', resource, detail }]);
    expect(entries.map(({ at }) => at)).to.deep.equal([began + 5000]);
  });
  it('is declined by a person with an account, too, where the invitation is to an account without a team', async () => {
    const here = await teamScene();
    const { invitation } = await inviting(here);
    const alone = { ...invitation, id: here.newId(), team: null, secretHash: 'another' };
    await here.stores.invitations.create(alone);
    const { deeds, here: listening } = noted(here);
    await declineReceived(listening, { by: here.stranger, invitationId: alone.id });
    expect(deeds.map(({ teamId, action }) => [teamId, action])).to.deep.equal([[null, 'invitation.decline']]);
  });
  it('ends with the invitation: declined, expired, or its maker no longer an owner', async () => {
    const here = await teamScene();
    const by = here.stranger;
    const declined = (await inviting(here)).invitation;
    await declineReceived(here, { by, invitationId: declined.id });
    await refused(acceptReceived(here, { by, invitationId: declined.id }), 'not-found');
    expect(await actions(here, here.teamId)).to.include('invitation.decline');
    const orphan = await inviting(here);
    await here.stores.teams.changeRole(here.teamId, here.owner.principal.userId, 'member');
    expect(await receivedInvitations(here, { by })).to.deep.equal([]);
    await refused(acceptReceived(here, { by, invitationId: orphan.invitation.id }), 'invitation-unusable');
    await here.stores.teams.changeRole(here.teamId, here.owner.principal.userId, 'owner');
    here.time.now += INVITATION_LIFE;
    await refused(acceptReceived(here, { by, invitationId: orphan.invitation.id }), 'not-found');
    await refused(joinByLink(here, { by, secret: orphan.secret }), 'invitation-unusable');
  });
  it('shows no invitations to a person whose address is not verified', async () => {
    const here = await teamScene();
    const { principal } = here.stranger;
    const made = { createdAt: here.time.now, disabledAt: null };
    const id = here.newId();
    const user = { id, email: 'claimed@example.com', emailVerified: false, name: 'Eve', administrator: false, ...made };
    await here.stores.users.create(user, '');
    const by = { ...here.stranger, principal: { ...principal, userId: id } };
    const { invitation, secret } = await inviting(here, 'claimed@example.com');
    expect(await receivedInvitations(here, { by })).to.deep.equal([]);
    await refused(acceptReceived(here, { by, invitationId: invitation.id }), 'not-found');
    await joinByLink(here, { by, secret });
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
    const { secret } = await invite(here, { by: as(root), team, email: mia.email });
    await joinByLink(here, { by: as(mia), secret });
    expect((await here.stores.users.byId(mia.id))?.emailVerified).to.equal(true);
  });
});
