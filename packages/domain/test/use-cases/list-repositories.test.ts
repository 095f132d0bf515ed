import { expect } from 'chai';
import { listRepositories } from '../../src/use-cases/list-repositories.js';
import { refused } from '../refusal.js';
import { ADA, SHOP } from './forge.js';
import { connecting, type HostScene, hostScene } from './host-scene.js';

const list = (here: HostScene, text: string | null = null, page: string | null = null) =>
  listRepositories(here)({ principal: here.owner.principal, search: { text, limit: 30, page } });

describe('Listing repositories', () => {
  it('answers what the account can read, and whose account it is', async () => {
    const here = await hostScene();
    await connecting(here);
    const found = { rows: [SHOP], next: null, account: ADA, empty: null, message: null };
    expect(await list(here)).to.deep.equal(found);
    expect(await list(here, 'shop')).to.deep.equal(found);
  });
  it('says why there is none', async () => {
    const here = await hostScene();
    await connecting(here);
    const unmatched = await list(here, 'pay');
    expect(unmatched).to.include({ empty: 'no_match' });
    here.forge.repositories.length = 0;
    const none = await list(here);
    expect(none).to.include({ empty: 'none_readable' });
    for (const { message } of [unmatched, none]) expect(message).to.contain(ADA.name);
    expect(none.message).to.contain('another account');
    expect(await list(here, null, 'page 2')).to.include({ empty: null, message: null });
  });
  it('needs a connection that works, and marks one the host refuses', async () => {
    const here = await hostScene();
    await refused(list({ ...here, repositoryHost: null }), 'host-not-configured');
    await refused(list(here), 'host-not-connected');
    await connecting(here);
    here.forge.good.clear();
    await refused(list(here), 'host-rejected');
    expect((await here.stored())?.state).to.equal('rejected');
    await refused(list(here), 'host-rejected');
    expect(here.forge.calls).to.deep.equal(['repositories']);
  });
});
