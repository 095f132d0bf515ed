import { expect } from 'chai';
import { addMember } from '../../src/use-cases/add-member.js';
import { pointers, refused } from '../refusal.js';
import { teamScene } from './scene.js';
import { actions } from './world.js';

describe('Adding a member', () => {
  it('takes a person with an account in, whatever case the address is typed in', async () => {
    const here = await teamScene();
    const add = { by: here.owner, teamId: here.teamId, email: 'SAM@example.com', role: 'viewer' } as const;
    expect(await addMember(here)(add)).to.deep.include({ name: 'Sam', role: 'viewer' });
    expect(await actions(here, here.teamId)).to.include('member.add');
    await refused(addMember(here)(add), 'already-member');
  });
  it('is a fault at /email without such an account', async () => {
    const here = await teamScene();
    const add = { by: here.owner, teamId: here.teamId, email: 'nobody@example.com', role: 'viewer' } as const;
    const error = await refused(addMember(here)(add), 'invalid');
    expect(pointers(error.details.faults)).to.deep.equal(['/email']);
  });
  it('is for owners', async () => {
    const here = await teamScene();
    const add = { teamId: here.teamId, email: 'sam@example.com', role: 'owner' } as const;
    await refused(addMember(here)({ ...add, by: here.member }), 'forbidden');
    await refused(addMember(here)({ ...add, by: here.stranger }), 'not-found');
  });
});
