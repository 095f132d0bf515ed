import { expect } from 'chai';
import { notFound } from '../../src/errors.js';
import { filled } from './filled-host.js';
import { MINUTE } from './world.js';

/** Imported once; then renamed, and the old path is another one's. */
const moved = async () => {
  const here = await filled();
  await here.settle();
  here.time.now = (await here.linked()).state.dueAt;
  here.model.taken = here.model.repository.path;
  here.model.repository = {
    ...here.model.repository,
    path: 'acme/store',
    url: 'https://host.example/acme/store',
    defaultBranch: 'trunk',
  };
  here.model.requests.length = 0;
  return here;
};

describe("A repository whose former path is another one's", () => {
  it('is found by its id, read on under its new path, and called so from then on', async () => {
    const here = await moved();
    await here.settle();
    const { link, state } = await here.linked();
    const { id, path, url, defaultBranch } = here.model.repository;
    expect(link.repository).to.deep.equal({ id, path, url, defaultBranch });
    expect(state).to.deep.include({ failure: null, completedAt: here.time.now });
    expect(here.model.requests.slice(0, 3)).to.deep.equal(['milestones', 'repository', 'milestones=']);
  });
  it('fails as not found when it is not to be found by its id either', async () => {
    const here = await moved();
    here.model.repository = { ...here.model.repository, id: 'R2' };
    await here.turn();
    const { link, state } = await here.linked();
    expect(state.failure).to.include({ code: 'not-found', attempts: 1 });
    expect(state.dueAt).to.equal(here.time.now + MINUTE);
    expect(link.repository).to.include({ id: 'R1', path: 'acme/shop' });
  });
  it('fails as not found when it has its path still, once and not for ever in one turn', async () => {
    const here = await filled();
    here.model.failure = notFound('repository');
    await here.turn();
    expect((await here.linked()).state.failure).to.include({ code: 'not-found' });
    expect(here.model.requests).to.deep.equal(['milestones', 'repository']);
  });
  it('is not stored under a claim that somebody else has by now', async () => {
    const here = await moved();
    const before = await here.linked();
    const { userId } = here.owner.principal;
    here.model.meanwhile = async () => {
      if (here.model.requests.length === 1)
        await here.stores.hostConnections.claimWork('github', here.time.now + 10 * MINUTE, MINUTE, 'another');
    };
    expect(await here.turn()).to.equal(true);
    expect(await here.linked()).to.deep.equal(before);
    expect((await here.stores.hostConnections.of(userId, 'github'))?.state).to.equal('ok');
  });
});
