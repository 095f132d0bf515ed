import { expect } from 'chai';
import { changeRole } from '../../src/use-cases/change-role.js';
import { refused } from '../refusal.js';
import { teamScene } from './scene.js';
import { lastDeed } from './world.js';

describe('Changing a role', () => {
  it('gives a member another role and is noted', async () => {
    const here = await teamScene();
    const { userId } = here.viewer.principal;
    const member = await changeRole(here)({ by: here.owner, teamId: here.teamId, userId, role: 'member' });
    expect(member).to.include({ userId, role: 'member' });
    expect((await here.stores.teams.members(here.teamId)).find((one) => one.userId === userId)?.role).to.equal(
      'member',
    );
    expect(await lastDeed(here, here.teamId)).to.deep.equal({
      action: 'member.change_role',
      resource: { type: 'user', id: userId },
      detail: { name: 'Eve', from: 'viewer', to: 'member' },
    });
  });
  it('leaves the last owner an owner', async () => {
    const here = await teamScene();
    const { userId } = here.owner.principal;
    await refused(changeRole(here)({ by: here.owner, teamId: here.teamId, userId, role: 'member' }), 'last-owner');
  });
  it('lets two owners who step down at once leave one', async () => {
    const here = await teamScene();
    const [first, second] = [here.owner.principal.userId, here.member.principal.userId];
    await changeRole(here)({ by: here.owner, teamId: here.teamId, userId: second, role: 'owner' });
    const down = (userId: string) => changeRole(here)({ by: here.owner, teamId: here.teamId, userId, role: 'viewer' });
    const ends = await Promise.allSettled([down(first), down(second)]);
    expect(ends.map((end) => end.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    const owners = (await here.stores.teams.members(here.teamId)).filter((one) => one.role === 'owner');
    expect(owners).to.have.length(1);
  });
  it('finds no member among strangers, and is for owners', async () => {
    const here = await teamScene();
    const { userId } = here.stranger.principal;
    const unknown = changeRole(here)({ by: here.owner, teamId: here.teamId, userId, role: 'member' });
    expect((await refused(unknown, 'not-found')).details).to.deep.equal({ what: 'member' });
    await refused(changeRole(here)({ by: here.member, teamId: here.teamId, userId, role: 'member' }), 'forbidden');
  });
});
