import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { useFreshStage } from '../harness/stage.js';

onEveryStore('the search', (open) => {
  const stage = useFreshStage(open);

  it('finds projects, releases and issues with their places, the best matches first', async () => {
    const { browser, pipeline, inProject, team, project, release } = stage();
    await browser.ok('createProject', { path: { team_id: team.id }, body: { name: 'Checkout of shops' } });
    const issue = { title: 'Fast checkout', type: 'bug', state: 'in_progress' } as const;
    const added = (await browser.ok('createIssue', { path: inProject, body: issue })).body.data;
    const { data } = (await pipeline.ok('search', { query: { q: 'CHECKOUT' } })).body;
    const place = { team: { id: team.id, name: team.name }, project: { id: project.id, name: project.name } };
    expect(data.map(({ kind, name, match }) => [kind, name, match])).to.deep.equal([
      ['project', 'checkout', 'exact'],
      ['project', 'Checkout of shops', 'prefix'],
      ['issue', 'Fast checkout', 'word'],
    ]);
    expect(data[0]).to.deep.include({ id: project.id, state: null, ...place });
    expect(data[2]).to.deep.include({ id: added.id, state: 'in_progress', ...place });
    const both = (await pipeline.ok('search', { query: { q: 'checkout 2.4' } })).body.data;
    expect(both).to.deep.equal([
      { kind: 'release', id: release.id, name: '2.4', match: 'exact', state: 'active', ...place },
    ]);
    expect((await pipeline.ok('search', { query: { q: 'checkout', limit: 1 } })).body.data).to.have.length(1);
    const bySlug = (await pipeline.ok('search', { query: { q: 'checkout-of-shops' } })).body.data;
    expect(bySlug.map(({ name, match }) => [name, match])).to.deep.equal([['Checkout of shops', 'exact']]);
  });

  it('finds nothing of teams that the caller may not read, and of one project for a key of that alone', async () => {
    const { service, world, ada, browser, team, project, inProject } = stage();
    const bob = await world.person('Bob');
    const theirs = await world.team(bob, 'Elsewhere');
    const secret = await world.project(bob, theirs, 'Zephyr');
    const path = { team_id: theirs.id, project_id: secret.id };
    const body = { title: 'Zephyr leaks', type: 'bug', state: 'todo' } as const;
    const bobs = service.signedIn(bob);
    await bobs.ok('createRelease', { path, body: { name: 'Zephyr 1' } });
    const leak = (await bobs.ok('createIssue', { path, body })).body.data;
    const own = await world.project(ada, team, 'Zephyr of Ada');
    const names = async (caller: typeof browser, q: string) =>
      (await caller.ok('search', { query: { q } })).body.data.map(({ name }) => name);
    expect(await names(bobs, 'zephyr')).to.deep.equal(['Zephyr', 'Zephyr 1', 'Zephyr leaks']);
    expect(await names(browser, 'zephyr')).to.deep.equal(['Zephyr of Ada']);
    for (const id of [theirs.id, secret.id, leak.id]) expect(await names(browser, id)).to.deep.equal([]);
    await browser.ok('createIssue', { path: inProject, body });
    const single = service.withKey(await world.key(ada, { projectId: project.id }));
    expect(await names(single, 'zephyr')).to.deep.equal(['Zephyr leaks']);
    const other = service.withKey(await world.key(ada, { projectId: own.id }));
    expect(await names(other, 'zephyr')).to.deep.equal(['Zephyr of Ada']);
  });

  it('refuses what it cannot look for, and names every fault', async () => {
    const { browser } = stage();
    const pointers = async (query: object) => {
      const { body } = await browser.refused('search', 'invalid', { query } as never);
      return (body.errors ?? []).map(({ pointer }) => pointer);
    };
    expect(await pointers({})).to.have.length(1);
    expect(await pointers({ q: 'x'.repeat(101), limit: 51, page: 2 })).to.have.length(3);
    expect(await pointers({ q: '', limit: 0 })).to.have.length(2);
    expect(await pointers({ q: ' \u0000' })).to.have.length(1);
  });
});
