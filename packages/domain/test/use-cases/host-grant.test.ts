import { expect } from 'chai';
import { DomainError } from '../../src/errors.js';
import type { HostConnection } from '../../src/repository/connection.js';
import {
  beginApproval,
  checkHostConnection,
  disconnectHost,
  finishApproval,
} from '../../src/use-cases/host-connection.js';
import {
  endDueFormerGrant,
  HOST_ANSWERS_WITHIN,
  RENEW_WITHIN,
  REVOKE_AGAIN_AFTER,
  withAccess,
} from '../../src/use-cases/host-grant.js';
import { importFromHost } from '../../src/use-cases/import/worker.js';
import { refused } from '../refusal.js';
import { unreachable } from './forge.js';
import { connecting, type HostScene, hostScene, linkedScene } from './host-scene.js';
import { planned } from './scene.js';
import { HOUR, MINUTE } from './world.js';

/** The link's import went through a minute ago. */
const imported = async (completed = true) => {
  const here = await linkedScene();
  const release = await planned(here, '1.0');
  const { link, state } = here.linked;
  const completedAt = completed ? here.time.now : null;
  await here.stores.repositoryLinks.put({ link, state: { ...state, completedAt } });
  here.time.now += MINUTE;
  const asOf = async () => (await here.stores.facts.factsFor([release.id]))[0]?.facts.issuesAsOf;
  const changedAt = async () => (await here.stores.facts.revisions([release.id]))[0]?.changedAt;
  const check = async () => (await checkHostConnection(here, { principal: here.owner.principal })).status;
  const disconnect = () => disconnectHost(here, { by: here.owner });
  return { ...here, completedAt, asOf, changedAt, check, disconnect };
};

describe('What was imported, once the connection is gone', () => {
  it('is as of the last import when the person disconnects', async () => {
    const here = await imported();
    await here.disconnect();
    expect(await here.asOf()).to.equal(here.completedAt);
    expect(await here.changedAt()).to.equal(here.time.now);
  });
  it('stays as of the last import before a new link, whose first import is not complete', async () => {
    const here = await imported(false);
    const before = here.time.now;
    await here.stores.repositoryLinks.setIssuesAsOf(here.project.id, before, before);
    here.time.now += MINUTE;
    await here.disconnect();
    expect(await here.asOf()).to.equal(before);
  });
  it('is so although the host cannot be reached to end the grant', async () => {
    const here = await imported();
    here.forge.beforeAnswer = async () => {
      throw unreachable();
    };
    await here.disconnect();
    expect(await here.asOf()).to.equal(here.completedAt);
  });
  it('is so when a check finds that the host refuses the connection', async () => {
    const here = await imported();
    here.forge.good.clear();
    await here.check();
    expect(await here.asOf()).to.equal(here.completedAt);
  });
  it('is current while the connection works or the host is only silent', async () => {
    const here = await imported();
    await here.check();
    here.forge.beforeAnswer = async () => {
      throw unreachable();
    };
    await here.check().catch(() => null);
    expect(await here.asOf()).to.equal(null);
  });
  it('is as of nothing when nothing was imported yet', async () => {
    const here = await imported(false);
    await here.disconnect();
    expect(await here.asOf()).to.equal(null);
  });
});

const askingOnce = (here: HostScene, connection: HostConnection) =>
  withAccess(here, connection, here.time.now + 4_500, (access) => here.forge.host.reader.account(access));
/** The grant is spent at the host, and another one is good. */
const rotated = ({ forge }: HostScene, { grant }: HostConnection) => {
  forge.good.delete(grant.sealed);
  return forge.grant();
};

describe('A grant the host refuses', () => {
  it('marks the connection as rejected when there is no other one', async () => {
    const here = await hostScene();
    const connection = await connecting(here);
    here.forge.good.clear();
    await refused(askingOnce(here, connection), 'host-rejected');
    expect(await here.stored()).to.deep.equal({ ...connection, state: 'rejected', version: 2 });
    expect(here.forge.calls).to.deep.equal(['account']);
  });
  it('marks the connection when the renewed one is refused too', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now + HOUR);
    here.forge.beforeAnswer = async (call) => {
      if (call === 'account') here.forge.good.clear();
      else here.forge.good.add(connection.grant.sealed);
    };
    await refused(askingOnce(here, connection), 'host-rejected');
    expect(here.forge.calls).to.deep.equal(['account', 'refresh', 'account']);
    expect((await here.stored())?.state).to.equal('rejected');
  });
  it('is no refusal of the one another refresher has stored: that one is used', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now + HOUR);
    const next = { ...connection, grant: rotated(here, connection), version: 2 };
    await here.stores.hostConnections.replace(next);
    await askingOnce(here, connection);
    expect(await here.stored()).to.deep.equal(next);
    expect(here.forge.calls).to.deep.equal(['account', 'account']);
  });
  it('is waited for while another refresher has not stored the new one yet', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now + HOUR);
    const { hostConnections } = here.stores;
    await hostConnections.claimRefresh(connection.userId, 'forge', here.time.now, 5_000);
    const next = { ...connection, grant: rotated(here, connection), version: 2 };
    const waited: number[] = [];
    const pause = async (ms: number) => {
      waited.push(ms);
      if (waited.length === 3) await hostConnections.replace(next);
      await here.pause(ms);
    };
    await askingOnce({ ...here, pause }, connection);
    expect(waited).to.have.lengthOf(3);
    expect(await here.stored()).to.deep.equal(next);
    expect(here.forge.calls).to.not.include('refresh');
  });
  it('leaves a connection alone that was approved again in the meantime', async () => {
    const here = await hostScene();
    const connection = await connecting(here);
    let again: HostConnection | undefined;
    here.forge.good.clear();
    here.forge.beforeAnswer = async () => {
      again ??= await connecting(here);
    };
    await askingOnce(here, connection);
    expect(await here.stored()).to.deep.equal(again);
  });
  it('spent by two refreshers leaves the grant of the one that got it', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now);
    const next = { ...connection, grant: { sealed: '', expiresAt: here.time.now + HOUR }, version: 2 };
    here.forge.beforeAnswer = async (call) => {
      if (call !== 'refresh') return;
      next.grant = { ...rotated(here, connection), expiresAt: here.time.now + HOUR };
      await here.stores.hostConnections.replace(next);
    };
    await askingOnce(here, connection);
    expect(await here.stored()).to.deep.equal(next);
  });
  it('heals a refusal that was marked while the new one was on its way', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now);
    here.forge.beforeAnswer = async (call) => {
      if (call === 'refresh')
        await here.stores.hostConnections.replace({ ...connection, state: 'rejected', version: 2 });
    };
    await askingOnce(here, connection);
    expect(await here.stored()).to.include({ state: 'ok', version: 3 });
  });
  it('is told from everything else that goes wrong, which changes nothing', async () => {
    const here = await hostScene();
    const connection = await connecting(here);
    here.forge.beforeAnswer = async () => {
      throw unreachable();
    };
    await refused(askingOnce(here, connection), 'host-unavailable');
    expect(await here.stored()).to.deep.equal(connection);
    expect(here.forge.calls).to.deep.equal(['account']);
  });
});

describe('The renewal of a grant', () => {
  const mayRenew = ({ stores, time }: HostScene, { userId, host }: HostConnection) =>
    stores.hostConnections.claimRefresh(userId, host, time.now, 1_000);
  it('may begin again at once when it failed', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now);
    here.forge.beforeAnswer = async () => {
      throw unreachable();
    };
    await refused(askingOnce(here, connection), 'host-unavailable');
    here.forge.beforeAnswer = async () => undefined;
    await askingOnce(here, connection);
    expect(here.forge.calls).to.deep.equal(['refresh', 'refresh', 'account']);
  });
  it('may begin again at once when there was another grant already', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now);
    const { hostConnections } = here.stores;
    const next = {
      ...connection,
      grant: { ...rotated(here, connection), expiresAt: here.time.now + HOUR },
      version: 2,
    };
    const claimRefresh: typeof hostConnections.claimRefresh = async (...given) => {
      await hostConnections.replace(next);
      return hostConnections.claimRefresh(...given);
    };
    const stores = { ...here.stores, hostConnections: { ...hostConnections, claimRefresh } };
    await askingOnce({ ...here, stores }, connection);
    expect(here.forge.calls).to.deep.equal(['account']);
    expect(await mayRenew(here, connection)).to.equal(true);
  });
});

describe('A grant renewed for a person who disconnects during the renewal', () => {
  const disconnectingDuringRefresh = async (reachable: boolean) => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now);
    let during = false;
    here.forge.beforeAnswer = async (call) => {
      if (call === 'refresh') {
        during = true;
        await disconnectHost(here, { by: here.owner });
        during = false;
        here.forge.good.add(connection.grant.sealed);
      } else if (during && !reachable) throw unreachable();
    };
    await refused(askingOnce(here, connection), 'host-not-connected');
    return here;
  };
  it('is ended at the host at once', async () => {
    const here = await disconnectingDuringRefresh(true);
    expect(await here.stored()).to.equal(undefined);
    expect([...here.forge.good]).to.deep.equal([]);
  });
  it('is kept to be ended later when the host cannot be reached', async () => {
    const here = await disconnectingDuringRefresh(false);
    const stored = await here.stored();
    expect(stored?.state).to.equal('revoking');
    expect([...here.forge.good]).to.deep.equal([stored?.grant.sealed]);
  });
});

const LIMIT = 4_500;

const askingWithin = (here: HostScene, connection: HostConnection) =>
  withAccess(here, connection, here.time.now + LIMIT, async (access) => {
    await here.forge.host.reader.account(access);
    return access.grant.sealed;
  });
const ten = <Result>(work: () => Promise<Result>) => Promise.all(Array.from({ length: 10 }, work));
const refreshes = ({ forge }: HostScene) => forge.calls.filter((call) => call === 'refresh').length;
const turnOfLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('Access to the repository host', () => {
  it('is given with the stored grant while that is good for more than a minute', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now + RENEW_WITHIN + 1);
    expect(await askingWithin(here, connection)).to.equal(connection.grant.sealed);
    expect(refreshes(here)).to.equal(0);
    here.time.now += 1;
    expect(await askingWithin(here, connection)).to.not.equal(connection.grant.sealed);
    expect(await here.stored()).to.include({ state: 'ok', version: 2 });
  });
  it('is renewed once for ten callers at once, who all go on with the new grant', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now + 1_000);
    here.forge.beforeAnswer = turnOfLoop;
    const used = await ten(() => askingWithin(here, connection));
    expect(refreshes(here)).to.equal(1);
    expect(new Set(used)).to.deep.equal(new Set([(await here.stored())?.grant.sealed]));
  });
  it('is refused to ten callers at once by one refused renewal', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now);
    here.forge.good.clear();
    here.forge.beforeAnswer = turnOfLoop;
    await ten(() => refused(askingWithin(here, connection), 'host-rejected'));
    expect(refreshes(here)).to.equal(1);
    expect((await here.stored())?.state).to.equal('rejected');
  });
  it('ends for all in time while the host does not renew, is tried one at a time, and refuses nothing by that', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now);
    const began = here.time.now;
    let refreshing = 0;
    here.forge.beforeAnswer = async () => {
      refreshing += 1;
      expect(refreshing).to.equal(1);
      await here.pause(Math.min(200, began + LIMIT - here.time.now));
      refreshing -= 1;
      throw unreachable();
    };
    await ten(() => refused(askingWithin(here, connection), 'host-unavailable'));
    // A failed try does not block the next one; tries run one at a time.
    expect(refreshes(here)).to.be.within(2, 10);
    expect(here.time.now).to.be.at.most(began + LIMIT);
    expect(await here.stored()).to.deep.equal(connection);
    here.forge.beforeAnswer = async () => undefined;
    here.time.now = began + LIMIT + 1_000;
    expect(await askingWithin(here, connection)).to.equal((await here.stored())?.grant.sealed);
  });
  it('is renewed by another caller when the one who began was lost', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now);
    await here.stores.hostConnections.claimRefresh(connection.userId, 'forge', here.time.now, 2_000);
    await askingWithin(here, connection);
    expect(refreshes(here)).to.equal(1);
  });
  it('keeps a pause and a new grant that arrive together, and one refresher still', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now);
    here.forge.beforeAnswer = async (call) => {
      if (call !== 'refresh') return;
      await here.stores.hostConnections.replace({ ...connection, pausedUntil: 9, version: 2 });
      await turnOfLoop();
    };
    await ten(() => askingWithin(here, connection));
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
    expect(await askingWithin({ ...here, stores }, connection)).to.equal(next.grant.sealed);
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
    const sealed = await askingWithin({ ...here, stores: { ...here.stores, hostConnections } }, connection);
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

const approve = async (here: HostScene) => {
  const { url } = await beginApproval(here, { by: here.owner, redirectUrl: 'https://ship.example/back' });
  const state = `state ${new URL(url).searchParams.get('n')}`;
  return finishApproval(here, { by: here.owner, state, code: 'good code' });
};
/** The host ends nothing for now. */
const dead = async (call: string) => {
  if (call === 'revoke') throw unreachable();
};
const importTurn = (here: HostScene) => importFromHost(here, { leaseMs: 60_000, pageMs: 10_000 });

describe('The grant of a connection that another approval takes the place of', () => {
  it('is ended at the host at once, in what is left of the time', async () => {
    const here = await hostScene();
    await connecting(here);
    const { grant } = await approve(here);
    expect([...here.forge.good]).to.deep.equal([grant.sealed]);
    expect(here.forge.calls).to.deep.equal(['redeem', 'revoke']);
    here.time.now += REVOKE_AGAIN_AFTER;
    expect(await importTurn(here)).to.equal(false);
  });
  it('is ended later when the host cannot end it now, without delaying the request', async () => {
    const here = await hostScene();
    await connecting(here);
    here.forge.beforeAnswer = dead;
    const { grant } = await approve(here);
    expect(await here.stored()).to.deep.include({ grant, state: 'ok' });
    here.time.now += REVOKE_AGAIN_AFTER - 1;
    expect(await importTurn(here)).to.equal(false);
    here.time.now += 1;
    expect(await importTurn(here)).to.equal(true);
    expect(await importTurn(here)).to.equal(false);
    here.forge.beforeAnswer = async () => undefined;
    here.time.now += REVOKE_AGAIN_AFTER;
    expect([await importTurn(here), await importTurn(here)]).to.deep.equal([true, false]);
    expect([...here.forge.good]).to.deep.equal([grant.sealed]);
  });
  it('is ended also when it was left over from disconnecting at a dead host', async () => {
    const here = await hostScene();
    await connecting(here);
    here.forge.beforeAnswer = dead;
    await disconnectHost(here, { by: here.owner });
    here.forge.beforeAnswer = async () => undefined;
    const { grant } = await approve(here);
    expect([...here.forge.good]).to.deep.equal([grant.sealed]);
  });
  it('has ended when the host refuses it', async () => {
    const here = await hostScene();
    await connecting(here);
    here.forge.good.clear();
    await approve(here);
    here.time.now += REVOKE_AGAIN_AFTER;
    expect(await importTurn(here)).to.equal(false);
  });
  it('stays kept, and the person connected, when ending it meets a bug', async () => {
    const here = await hostScene();
    await connecting(here);
    here.forge.beforeAnswer = async (call) => {
      if (call === 'revoke') throw new RangeError('a bug');
    };
    expect(await approve(here)).to.include({ state: 'ok' });
    here.time.now += REVOKE_AGAIN_AFTER;
    expect(await endDueFormerGrant(here).catch((error: unknown) => error)).to.be.instanceOf(RangeError);
  });
  it('is ended also when it was being renewed in the meantime, now or later', async () => {
    for (const reachable of [true, false]) {
      const here = await hostScene();
      const connection = await connecting(here, here.time.now);
      let approved: string | undefined;
      here.forge.beforeAnswer = async (call) => {
        if (!reachable && approved !== undefined) await dead(call);
        if (call !== 'refresh' || approved !== undefined) return;
        approved = (await approve(here)).grant.sealed;
        here.forge.good.add(connection.grant.sealed);
      };
      const deadline = here.time.now + HOST_ANSWERS_WITHIN;
      await withAccess(here, connection, deadline, (access) => here.forge.host.reader.account(access));
      expect((await here.stored())?.grant.sealed).to.equal(approved);
      expect(here.forge.good.size).to.equal(reachable ? 1 : 2);
      here.forge.beforeAnswer = async () => undefined;
      here.time.now += REVOKE_AGAIN_AFTER;
      expect(await importTurn(here)).to.equal(!reachable);
      expect([...here.forge.good]).to.deep.equal([approved]);
    }
  });
});
