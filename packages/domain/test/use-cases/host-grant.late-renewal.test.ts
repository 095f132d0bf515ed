import { expect } from 'chai';
import { HOST_ANSWERS_WITHIN, withAccess } from '../../src/use-cases/host-grant.js';
import { refused } from '../refusal.js';
import { connecting, hostScene } from './host-scene.js';
import { HOUR } from './world.js';

/** A connection whose grant has ended, and a host that notes by when it must answer a refresh. */
const scene = async () => {
  const here = await hostScene();
  const connection = await connecting(here, here.time.now);
  here.forge.expiresAt = here.time.now + HOUR;
  const { host } = here.forge;
  const deadlines: number[] = [];
  const refresh: typeof host.authorization.refresh = (access) => {
    deadlines.push(access.deadline - here.time.now);
    return host.authorization.refresh(access);
  };
  const repositoryHost = { ...host, authorization: { ...host.authorization, refresh } };
  const ask = (leftMs: number) =>
    withAccess({ ...here, repositoryHost }, connection, here.time.now + leftMs, (access) =>
      host.reader.account(access),
    );
  return { ...here, connection, deadlines, ask };
};

describe('A renewal that begins shortly before the deadline', () => {
  it('has the time of any other, so that the new grant is not lost on its way', async () => {
    const here = await scene();
    await here.ask(50);
    expect(here.deadlines).to.deep.equal([HOST_ANSWERS_WITHIN]);
    expect((await here.stored())?.grant.expiresAt).to.equal(here.forge.expiresAt);
  });
  it('is kept from others for as long', async () => {
    const here = await scene();
    const { userId, host } = here.connection;
    let claimed: boolean | undefined;
    here.forge.beforeAnswer = async (call) => {
      if (call !== 'refresh') return;
      here.time.now += HOST_ANSWERS_WITHIN;
      claimed = await here.stores.hostConnections.claimRefresh(userId, host, here.time.now, 1_000);
    };
    await here.ask(50);
    expect(claimed).to.equal(false);
  });
  it('ends no later than the deadline where that is further away', async () => {
    const here = await scene();
    await here.ask(2 * HOST_ANSWERS_WITHIN);
    expect(here.deadlines).to.deep.equal([2 * HOST_ANSWERS_WITHIN]);
  });
  it('does not begin after it', async () => {
    const here = await scene();
    await refused(here.ask(0), 'host-unavailable');
    expect(here.forge.calls).to.deep.equal([]);
  });
});
