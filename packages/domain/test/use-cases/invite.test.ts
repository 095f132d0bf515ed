import { expect } from 'chai';
import { INVITATION_LIFE, invite, LONGEST_INVITATION_LIFE } from '../../src/use-cases/invite.js';
import { refused } from '../refusal.js';
import { teamScene } from './scene.js';
import { actions } from './world.js';

describe('Inviting a person', () => {
  it('into a team is for its owners; only the hash of the secret is kept', async () => {
    const here = await teamScene();
    const team = { id: here.teamId, role: 'member' } as const;
    const { invitation, secret } = await invite(here)({ by: here.owner, team });
    expect(invitation).to.include({ createdBy: here.owner.principal.userId, acceptedAt: null });
    expect(invitation.expiresAt).to.equal(here.time.now + INVITATION_LIFE);
    expect(JSON.stringify(invitation)).to.not.contain(secret);
    expect(await here.stores.invitations.bySecretHash(here.secrets.hash(secret))).to.deep.equal(invitation);
    expect(await actions(here, here.teamId)).to.include('person.invite');
    await refused(invite(here)({ by: here.member, team }), 'forbidden');
    await refused(invite(here)({ by: here.stranger, team }), 'not-found');
  });
  it('without a team is for administrators, who see no team by that', async () => {
    const here = await teamScene();
    const { principal } = here.stranger;
    const administrator = { ...here.stranger, principal: { ...principal, administrator: true } };
    expect((await invite(here)({ by: administrator, team: null })).invitation.team).to.equal(null);
    await refused(invite(here)({ by: here.owner, team: null }), 'forbidden');
    await refused(invite(here)({ by: administrator, team: { id: here.teamId, role: 'owner' } }), 'not-found');
  });
  it('ends when the owner says, after now and within 30 days', async () => {
    const here = await teamScene();
    const until = (expiresAt: number) =>
      invite(here)({ by: here.owner, team: { id: here.teamId, role: 'member' }, expiresAt });
    const { now } = here.time;
    for (const expiresAt of [now + 1, now + LONGEST_INVITATION_LIFE])
      expect((await until(expiresAt)).invitation.expiresAt).to.equal(expiresAt);
    for (const expiresAt of [now, now - 1, now + LONGEST_INVITATION_LIFE + 1])
      await refused(until(expiresAt), 'invalid');
  });
});
