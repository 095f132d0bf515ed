import { expect } from 'chai';
import { DomainError } from '../../src/errors.js';
import type { HookNotice } from '../../src/repository/host-hooks.js';
import { receiveHook } from '../../src/use-cases/receive-hook.js';
import { refused } from '../refusal.js';
import { linkedScene } from './host-scene.js';
import { DAY } from './world.js';

const DELIVERY = { headers: {}, body: new Uint8Array() };

const resting = async (notice: Partial<HookNotice> = {}) => {
  const here = await linkedScene();
  const { link, state } = here.linked;
  const idle = { ...state, dueAt: here.time.now + DAY };
  await here.stores.repositoryLinks.put({ link, state: idle });
  here.forge.notice = { ...here.forge.notice, ...notice };
  const now = async () => (await here.stores.repositoryLinks.byId(link.id))?.state;
  return { ...here, idle, now };
};

describe('Receiving a delivery of the repository host', () => {
  it('makes the links of its repository due, and names suspects', async () => {
    const here = await resting({ suspectIssueIds: ['I_1'] });
    expect(await receiveHook(here)(DELIVERY)).to.deep.equal({ links: 1, repeated: false });
    expect(await here.now()).to.deep.equal({ ...here.idle, dueAt: here.time.now, suspectIssueIds: ['I_1'] });
  });
  it('repeated changes nothing, and ten at once are one', async () => {
    const here = await resting();
    const all = await Promise.all(Array.from({ length: 10 }, () => receiveHook(here)(DELIVERY)));
    expect(all.filter(({ repeated }) => !repeated)).to.deep.equal([{ links: 1, repeated: false }]);
    await here.stores.repositoryLinks.put({ link: here.linked.link, state: here.idle });
    expect(await receiveHook(here)(DELIVERY)).to.deep.equal({ links: 0, repeated: true });
    expect(await here.now()).to.deep.equal(here.idle);
  });
  it('that says nothing of interest wakes nobody', async () => {
    for (const notice of [{ parts: [] }, { repositoryId: null }, { repositoryId: 'R_other' }]) {
      const here = await resting(notice);
      expect(await receiveHook(here)(DELIVERY)).to.deep.equal({ links: 0, repeated: false });
      expect(await here.now()).to.deep.equal(here.idle);
    }
  });
  it('is received again when storing it failed', async () => {
    const here = await resting();
    const { stores } = here;
    const transaction: typeof stores.transaction = (work) =>
      stores.transaction((inside) => {
        const hurry = async () => {
          throw new DomainError('unavailable', 'The database went away.');
        };
        return work({ ...inside, repositoryLinks: { ...inside.repositoryLinks, hurry } });
      });
    await refused(receiveHook({ ...here, stores: { ...stores, transaction } })(DELIVERY), 'unavailable');
    expect(await receiveHook(here)(DELIVERY)).to.deep.equal({ links: 1, repeated: false });
  });
  it('is refused with a wrong signature, or on a server that is not set up', async () => {
    const here = await resting();
    const read = () => {
      throw new DomainError('wrong-signature', 'Not signed.');
    };
    const repositoryHost = { ...here.forge.host, hooks: { ...here.forge.host.hooks, read } };
    await refused(receiveHook({ ...here, repositoryHost })(DELIVERY), 'wrong-signature');
    await refused(receiveHook({ ...here, repositoryHost: null })(DELIVERY), 'host-not-configured');
    expect(await here.now()).to.deep.equal(here.idle);
  });
});
