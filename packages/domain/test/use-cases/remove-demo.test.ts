import { expect } from 'chai';
import { createProject } from '../../src/use-cases/create-project.js';
import { removeDemo } from '../../src/use-cases/remove-demo.js';
import { refused } from '../refusal.js';
import { teamScene } from './scene.js';
import { withRoles } from './world.js';

/** A scene with a demo beside its team. */
const demoScene = async () => {
  const here = await teamScene();
  const [id, createdAt] = [here.newId(), here.clock()];
  const { userId } = here.owner.principal;
  const demo = await here.stores.teams.create(
    { id, name: 'Demo', slug: 'demo', version: 1, createdAt, demo: true },
    { teamId: id, userId, role: 'owner', createdAt },
  );
  const within = (role: 'owner' | 'member') => withRoles(here.owner, { [here.teamId]: 'owner', [demo.id]: role });
  return { here, demo, within };
};

describe('Removing the demo', () => {
  it('takes the demo away and no other team', async () => {
    const { here, demo, within } = await demoScene();
    await removeDemo(here)({ by: within('owner') });
    expect(await here.stores.teams.byId(demo.id)).to.equal(undefined);
    expect(await here.stores.teams.byId(here.teamId)).to.include({ id: here.teamId, demo: false });
    await refused(removeDemo(here)({ by: within('owner') }), 'not-found');
  });
  it('is for its owners; who is not in it does not know of it', async () => {
    const { here, demo, within } = await demoScene();
    await refused(removeDemo(here)({ by: within('member') }), 'forbidden');
    await refused(removeDemo(here)({ by: here.owner }), 'not-found');
    await refused(removeDemo(here)({ by: here.stranger }), 'not-found');
    expect(await here.stores.teams.demo()).to.deep.equal(demo);
  });
  it('has nothing to do without one', async () => {
    const here = await teamScene();
    await refused(removeDemo(here)({ by: here.owner }), 'not-found');
  });
  it('never takes a project of somebody along: the demo takes none', async () => {
    const { here, demo, within } = await demoScene();
    await refused(createProject(here)({ by: within('owner'), teamId: demo.id, name: 'Shop' }), 'forbidden');
  });
});
