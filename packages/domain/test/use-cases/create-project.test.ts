import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../src/readiness/policy.js';
import { createProject } from '../../src/use-cases/create-project.js';
import { refused } from '../refusal.js';
import { projectScene, teamScene } from './scene.js';
import { actions, withRoles } from './world.js';

describe('Creating a project', () => {
  it('starts with the default policy and is noted', async () => {
    const here = await projectScene();
    expect(here.project).to.include({ name: 'Shop', slug: 'shop', teamId: here.teamId, version: 1 });
    const current = await here.stores.policies.current(here.project.id);
    expect(current).to.deep.include({ policy: DEFAULT_POLICY, version: 1, changedBy: null });
    expect(await actions(here, here.teamId)).to.include('project.create');
  });
  it('keeps names unique within the team, compared exactly', async () => {
    const here = await projectScene();
    const create = (name: string) => createProject(here)({ by: here.member, teamId: here.teamId, name });
    await refused(create('Shop'), 'name-taken');
    expect((await create('shop')).name).to.equal('shop');
    expect((await create(' Shop')).name).to.equal(' Shop');
  });
  it('lets another team use the name', async () => {
    const here = await projectScene();
    const [teamId = ''] = here.stranger.principal.roles.keys();
    expect((await createProject(here)({ by: here.stranger, teamId, name: 'Shop' })).name).to.equal('Shop');
  });
  it('is for members', async () => {
    const here = await teamScene();
    await refused(createProject(here)({ by: here.viewer, teamId: here.teamId, name: 'A' }), 'forbidden');
    await refused(createProject(here)({ by: here.stranger, teamId: here.teamId, name: 'A' }), 'not-found');
    const dreaming = withRoles(here.owner, { nowhere: 'owner' });
    await refused(createProject(here)({ by: dreaming, teamId: 'nowhere', name: 'A' }), 'not-found');
  });
  it('leaves nothing behind when refused', async () => {
    const here = await projectScene();
    const before = await actions(here, here.teamId);
    await refused(createProject(here)({ by: here.member, teamId: here.teamId, name: 'Shop' }), 'name-taken');
    expect(await actions(here, here.teamId)).to.deep.equal(before);
  });
});
