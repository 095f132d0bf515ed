import { expect } from 'chai';
import { addDemo } from '../../src/demo.js';
import { onEveryStore } from '../harness/openings.js';
import { useFreshStage } from '../harness/stage.js';

onEveryStore('the demo', (open) => {
  const stage = useFreshStage(open);

  it('is marked wherever teams are shown, and removed as a whole with nothing else', async () => {
    const { browser, service, team, inRelease } = stage();
    await addDemo(service.ports);
    const marked = (entries: readonly { team: { demo: boolean; name: string } }[]) =>
      entries.map(({ team: { name, demo } }) => [name, demo]);
    const before = (await browser.ok('readPortfolio')).body.data;
    expect(marked(before)).to.deep.equal([
      ['Demo', true],
      ['Payments', false],
    ]);
    expect((await browser.ok('listTeams')).body.data.map(({ demo }) => demo)).to.deep.equal([true, false]);
    expect((await browser.ok('removeDemo')).status).to.equal(204);
    expect((await browser.ok('listTeams')).body.data.map(({ id }) => id)).to.deep.equal([team.id]);
    expect(marked((await browser.ok('readPortfolio')).body.data)).to.deep.equal([['Payments', false]]);
    await browser.ok('readReadiness', { path: inRelease });
    await browser.refused('removeDemo', 'not-found');
    expect(await service.ports.stores.teams.demo()).to.equal(undefined);
  });

  it('is removed by its owners only, in a browser; other people do not see it', async () => {
    const { browser, pipeline, service, world } = stage();
    await addDemo(service.ports);
    const { stores, clock } = service.ports;
    const demo = await stores.teams.demo();
    if (demo === undefined) throw new Error('there is no demo');
    const [eve, bob] = [await world.person('Eve'), await world.person('Bob')];
    await stores.teams.addMember({ teamId: demo.id, userId: bob.user.id, role: 'member', createdAt: clock() });
    await service.signedIn(eve).refused('removeDemo', 'not-found');
    await service.signedIn(bob).refused('removeDemo', 'forbidden');
    await pipeline.refused('removeDemo', 'session-only');
    await service.anonymous.refused('removeDemo', 'unauthenticated');
    expect(await stores.teams.demo()).to.deep.equal(demo);
    await browser.ok('removeDemo');
  });

  it('takes no new project', async () => {
    const { browser, service } = stage();
    await addDemo(service.ports);
    const demo = await service.ports.stores.teams.demo();
    const path = { team_id: demo?.id ?? '' };
    const { body } = await browser.refused('createProject', 'forbidden', { path, body: { name: 'billing' } });
    expect(body.detail).to.contain('demo');
  });
});
