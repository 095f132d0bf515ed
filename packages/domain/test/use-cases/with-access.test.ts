import { expect } from 'chai';
import { DomainError } from '../../src/errors.js';
import type { HostConnection } from '../../src/repository/host-connection.js';
import { RENEW_WITHIN, withAccess } from '../../src/use-cases/with-access.js';
import { refused } from '../refusal.js';
import { unreachable } from './forge.js';
import { connecting, type HostScene, hostScene } from './host-scene.js';

const LIMIT = 4_500;

const asking = (here: HostScene, connection: HostConnection) =>
  withAccess(here, connection, here.time.now + LIMIT, async (access) => {
    await here.forge.host.repositories.account(access);
    return access.grant.sealed;
  });
const ten = <Result>(work: () => Promise<Result>) => Promise.all(Array.from({ length: 10 }, work));
const refreshes = ({ forge }: HostScene) => forge.calls.filter((call) => call === 'refresh').length;
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('Access to the repository host', () => {
  it('is given with the stored grant while that is good for more than a minute', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now + RENEW_WITHIN + 1);
    expect(await asking(here, connection)).to.equal(connection.grant.sealed);
    expect(refreshes(here)).to.equal(0);
    here.time.now += 1;
    expect(await asking(here, connection)).to.not.equal(connection.grant.sealed);
    expect(await here.stored()).to.include({ state: 'ok', version: 2 });
  });
  it('is renewed once for ten callers at once, who all go on with the new grant', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now + 1_000);
    here.forge.meanwhile = turn;
    const used = await ten(() => asking(here, connection));
    expect(refreshes(here)).to.equal(1);
    expect(new Set(used)).to.deep.equal(new Set([(await here.stored())?.grant.sealed]));
  });
  it('is refused to ten callers at once by one refused renewal', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now);
    here.forge.good.clear();
    here.forge.meanwhile = turn;
    await ten(() => refused(asking(here, connection), 'host-rejected'));
    expect(refreshes(here)).to.equal(1);
    expect((await here.stored())?.state).to.equal('rejected');
  });
  it('ends for all in time while the host does not renew, is tried one at a time, and refuses nothing by that', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now);
    const began = here.time.now;
    let refreshing = 0;
    here.forge.meanwhile = async () => {
      refreshing += 1;
      expect(refreshing).to.equal(1);
      await here.pause(Math.min(200, began + LIMIT - here.time.now));
      refreshing -= 1;
      throw unreachable();
    };
    await ten(() => refused(asking(here, connection), 'host-unavailable'));
    // Nobody is kept from trying by a try that failed, one at a time.
    expect(refreshes(here)).to.be.within(2, 10);
    expect(here.time.now).to.be.at.most(began + LIMIT);
    expect(await here.stored()).to.deep.equal(connection);
    here.forge.meanwhile = async () => undefined;
    here.time.now = began + LIMIT + 1_000;
    expect(await asking(here, connection)).to.equal((await here.stored())?.grant.sealed);
  });
  it('is renewed by another caller when the one who began was lost', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now);
    await here.stores.hostConnections.claimRefresh(connection.userId, 'forge', here.time.now, 2_000);
    await asking(here, connection);
    expect(refreshes(here)).to.equal(1);
  });
  it('keeps a pause and a new grant that arrive together, and one refresher still', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now);
    here.forge.meanwhile = async (call) => {
      if (call !== 'refresh') return;
      await here.stores.hostConnections.replace({ ...connection, pausedUntil: 9, version: 2 });
      await turn();
    };
    await ten(() => asking(here, connection));
    expect(refreshes(here)).to.equal(1);
    expect(await here.stored()).to.include({ pausedUntil: 9, state: 'ok', version: 3 });
  });
  it('is not renewed again when another refresher has just stored a new grant', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now);
    const next = { ...connection, grant: here.forge.grant(), version: 2 };
    const { hostConnections: kept } = here.stores;
    const claimRefresh: typeof kept.claimRefresh = async (...claim) => {
      await kept.replace(next);
      return kept.claimRefresh(...claim);
    };
    const stores = { ...here.stores, hostConnections: { ...kept, claimRefresh } };
    expect(await asking({ ...here, stores }, connection)).to.equal(next.grant.sealed);
    expect(refreshes(here)).to.equal(0);
  });
  it('does not lose a new grant to a database that cannot be reached for a moment', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now);
    let failures = 3;
    const hostConnections = {
      ...here.stores.hostConnections,
      replace: async (next: HostConnection) => {
        failures -= 1;
        if (failures >= 0) throw Object.assign(unreachable(), { code: 'unavailable' });
        return here.stores.hostConnections.replace(next);
      },
    };
    const sealed = await asking({ ...here, stores: { ...here.stores, hostConnections } }, connection);
    expect((await here.stored())?.grant.sealed).to.equal(sealed);
  });
  it('does not count as refused when it is renewed elsewhere each time it is used', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now + 10 * RENEW_WITHIN);
    const overtaken = withAccess(here, connection, here.time.now + LIMIT, async () => {
      const stored = (await here.stored()) ?? connection;
      await here.stores.hostConnections.replace({ ...stored, grant: here.forge.grant(), version: stored.version + 1 });
      throw new DomainError('host-rejected', 'Spent.');
    });
    await refused(overtaken, 'host-unavailable');
    expect((await here.stored())?.state).to.equal('ok');
  });
});
