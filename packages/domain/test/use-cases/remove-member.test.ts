import { expect } from 'chai';
import { removeMember } from '../../src/use-cases/remove-member.js';
import { refused } from '../refusal.js';
import { teamScene } from './scene.js';
import { lastDeed } from './world.js';

describe('Removing a member', () => {
  it('is for owners', async () => {
    const here = await teamScene();
    const { userId } = here.viewer.principal;
    await refused(removeMember(here)({ by: here.member, teamId: here.teamId, userId }), 'forbidden');
    await removeMember(here)({ by: here.owner, teamId: here.teamId, userId });
    expect((await here.stores.teams.members(here.teamId)).map((one) => one.userId)).to.not.include(userId);
    expect(await lastDeed(here, here.teamId)).to.deep.equal({
      action: 'member.remove',
      resource: { type: 'user', id: userId },
      detail: { name: 'Eve', role: 'viewer' },
    });
    const again = removeMember(here)({ by: here.owner, teamId: here.teamId, userId });
    expect((await refused(again, 'not-found')).details).to.deep.equal({ what: 'member' });
  });
  it('lets everybody leave but the last owner', async () => {
    const here = await teamScene();
    const leave = (by: typeof here.owner) =>
      removeMember(here)({ by, teamId: here.teamId, userId: by.principal.userId });
    await leave(here.viewer);
    await refused(leave(here.owner), 'last-owner');
  });
});
