import { expect } from 'chai';
import type { TeamActor } from '../../src/access/principal.js';
import {
  APPROVAL_LIFE,
  beginApproval,
  checkHostConnection,
  connectByToken,
  disconnectHost,
  finishApproval,
  readHostConnection,
} from '../../src/use-cases/host-connection.js';
import { endRevokedConnection, HOST_ANSWERS_WITHIN, REVOKE_AGAIN_AFTER } from '../../src/use-cases/host-grant.js';
import { refused } from '../refusal.js';
import { ADA, unreachable } from './forge.js';
import { auditing, connecting, type HostScene, hostScene, linkedScene } from './host-scene.js';
import { noted, waitingForLocks } from './scene.js';
import { HOUR } from './world.js';

const BACK = 'https://ship.example/api/settings/forge/callback';

const begun = async () => {
  const here = await hostScene();
  const { url } = await beginApproval(here, { by: here.owner, redirectUrl: BACK });
  return { ...here, url, state: 'state 1' };
};
const finish = (here: HostScene, { by = here.owner, state = 'state 1', code = 'good code' } = {}) =>
  finishApproval(here, { by, state, code });
const inSession = (by: TeamActor, id: string): TeamActor => ({ ...by, principal: { ...by.principal, id } });

describe('Approving access at the repository host', () => {
  it('begins on a page of the host; only the hash of the state is kept', async () => {
    const here = await begun();
    expect(here.url).to.contain(encodeURIComponent(BACK));
    const { id: sessionId, userId } = here.owner.principal;
    expect(await here.stores.hostConnections.take(here.state, sessionId)).to.equal(undefined);
    expect(await here.stores.hostConnections.take(here.secrets.hash(here.state), sessionId)).to.deep.equal({
      ...{ stateHash: here.secrets.hash(here.state), sessionId, userId, host: 'forge' },
      ...{ sealedVerifier: 'verifier 1', redirectUrl: BACK, expiresAt: here.time.now + APPROVAL_LIFE },
    });
  });
  it('connects the person who began it', async () => {
    const here = await begun();
    const connection = await finish(here);
    expect(connection).to.include({ state: 'ok', host: 'forge', connectedAt: here.time.now, pausedUntil: null });
    expect(await here.stored()).to.deep.equal(connection);
    const { principal } = here.owner;
    const status = { configured: true, connected: true, account: ADA };
    expect(await readHostConnection(here, { principal })).to.deep.equal(status);
  });
  it('names the account without characters that reorder a line or cannot be seen, and by its id where none is left', async () => {
    for (const [name, shown] of [
      ['ada\u202egnp.exe\u2069\u200b', 'ada gnp.exe'],
      ['\u001b[31mada\nroot', '[31mada root'],
      ['\u202e\u200b', ADA.id],
    ] as const) {
      const here = await begun();
      const { authorization } = here.forge.host;
      const redeem: typeof authorization.redeem = async (request) => {
        const { grant, account } = await authorization.redeem(request);
        return { grant, account: { ...account, name } };
      };
      const repositoryHost = { ...here.forge.host, authorization: { ...authorization, redeem } };
      const { watched, noted } = auditing({ ...here, repositoryHost });
      expect((await finish(watched)).account).to.deep.equal({ id: ADA.id, name: shown });
      expect(noted).to.deep.equal([['host.connect', { host: 'forge', account: shown }]]);
    }
  });
  it('is noted', async () => {
    const { watched, noted } = auditing(await begun());
    await finish(watched);
    expect(noted).to.deep.equal([['host.connect', { host: 'forge', account: ADA.name }]]);
  });
  it('is of the moment when the account was had, like its entry in the audit log', async () => {
    const { entries, here } = noted(waitingForLocks(await begun()));
    const { connectedAt } = await finish(here);
    expect([connectedAt, ...entries.map(({ at }) => at)]).to.deep.equal([here.time.now, here.time.now]);
  });
  it('is good once, of ten at once for one', async () => {
    const here = await begun();
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => finish(here)));
    const failed = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(failed).to.deep.equal(Array.from({ length: 9 }, () => 'approval-unusable'));
    expect(here.forge.calls).to.deep.equal(['redeem']);
    await refused(finish(here), 'approval-unusable');
  });
  it('ends in the session that began it only, which a try in another one does not take it from', async () => {
    for (const other of ['session', 'person'] as const) {
      const here = await begun();
      const by = other === 'session' ? inSession(here.owner, 'another') : here.member;
      await refused(finish(here, { by }), 'approval-unusable');
      expect(here.forge.calls).to.deep.equal([]);
      expect((await finish(here)).userId).to.equal(here.owner.principal.userId);
    }
  });
  it('is not of another person who has the same session by name', async () => {
    const here = await begun();
    await refused(finish(here, { by: inSession(here.member, here.owner.principal.id) }), 'approval-unusable');
  });
  it('is not of another host', async () => {
    const here = await begun();
    const repositoryHost = { ...here.forge.host, name: 'smithy' };
    await refused(finish({ ...here, repositoryHost }), 'approval-unusable');
  });
  it('expires after ten minutes', async () => {
    const here = await begun();
    here.time.now += APPROVAL_LIFE - 1;
    await finish(here);
    const late = await begun();
    late.time.now += APPROVAL_LIFE;
    await refused(finish(late), 'approval-unusable');
  });
  it('makes no connection when the host refuses the code or cannot be asked', async () => {
    const here = await begun();
    await refused(finish(here, { code: 'bad code' }), 'host-rejected');
    const dead = await begun();
    dead.forge.beforeAnswer = async () => {
      throw unreachable();
    };
    await refused(finish(dead), 'host-unavailable');
    expect([await here.stored(), await dead.stored()]).to.deep.equal([undefined, undefined]);
  });
  it('makes no connection for an account that was disabled while the host was asked, and ends the new grant there', async () => {
    const here = await begun();
    const { userId } = here.owner.principal;
    const connect = {
      approval: () => finish(here),
      token: () => connectByToken(here, { by: here.owner, token: 'good token' }),
    };
    for (const by of ['approval', 'token'] as const) {
      here.forge.calls.length = 0;
      here.forge.beforeAnswer = () => here.stores.users.setDisabled(userId, here.time.now);
      await refused(connect[by](), 'forbidden');
      expect(await here.stored(), by).to.equal(undefined);
      expect(here.forge.calls, by).to.include('revoke');
      await here.stores.users.setDisabled(userId, null);
    }
  });
  it('again takes the place of a refused connection', async () => {
    const here = await begun();
    const before = await connecting(here);
    await here.stores.hostConnections.replace({ ...before, state: 'rejected', version: 2 });
    expect(await finish(here)).to.include({ state: 'ok', version: 3 });
  });
  it('needs a server that is set up for a host', async () => {
    const here = { ...(await begun()), repositoryHost: null };
    await refused(beginApproval(here, { by: here.owner, redirectUrl: BACK }), 'host-not-configured');
    await refused(finish(here as never), 'host-not-configured');
    const none = { configured: false, connected: false, account: null };
    expect(await readHostConnection(here, { principal: here.owner.principal })).to.deep.equal(none);
  });
});

const check = async (here: HostScene) => (await checkHostConnection(here, { principal: here.owner.principal })).status;

describe('Checking the connection to the repository host', () => {
  it('answers ok, and changes nothing by it', async () => {
    const here = await hostScene();
    const connection = await connecting(here);
    expect(await check(here)).to.equal('ok');
    expect(await here.stored()).to.deep.equal(connection);
  });
  it('answers rejected, and remembers it, when the host refuses', async () => {
    const here = await hostScene();
    const { grant } = await connecting(here);
    here.forge.good.clear();
    expect(await check(here)).to.equal('rejected');
    expect(await check(here)).to.equal('rejected');
    expect((await here.stored())?.state).to.equal('rejected');
    here.forge.good.add(grant.sealed);
    expect(await check(here)).to.equal('ok');
    expect((await here.stored())?.state).to.equal('ok');
  });
  it('clears a refusal also when the grant was renewed', async () => {
    const here = await hostScene();
    const { grant } = await connecting(here, here.time.now);
    here.forge.good.clear();
    expect(await check(here)).to.equal('rejected');
    here.forge.good.add(grant.sealed);
    expect(await check(here)).to.equal('ok');
    expect(await here.stored()).to.include({ state: 'ok' });
  });
  it('says nothing about the connection when the host is slow or failing', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now + HOUR);
    const deadlines: number[] = [];
    const account = async ({ deadline }: { readonly deadline: number }) => {
      deadlines.push(deadline - here.time.now);
      throw unreachable();
    };
    const repositoryHost = { ...here.forge.host, reader: { ...here.forge.host.reader, account } };
    await refused(check({ ...here, repositoryHost }), 'host-unavailable');
    expect(deadlines).to.deep.equal([HOST_ANSWERS_WITHIN]);
    expect(await here.stored()).to.deep.equal(connection);
  });
  it('needs a connection, and a server that is set up for a host', async () => {
    const here = await hostScene();
    await refused(check(here), 'host-not-connected');
    const connection = await connecting(here);
    await here.stores.hostConnections.replace({ ...connection, state: 'revoking', version: 2 });
    await refused(check(here), 'host-not-connected');
    await refused(check({ ...here, repositoryHost: null }), 'host-not-configured');
  });
});

const disconnect = (here: HostScene) => disconnectHost(here, { by: here.owner });
const claimed = ({ stores, time }: HostScene, now = time.now) =>
  stores.hostConnections.claimWork('forge', now, 60_000, `lease at ${now}`);
const dead = async (retryAt?: number) => {
  const here = await hostScene();
  await connecting(here);
  here.forge.beforeAnswer = async () => {
    throw unreachable(retryAt);
  };
  await disconnect(here);
  return here;
};

describe('Disconnecting from the repository host', () => {
  it('ends the grant there and forgets it here', async () => {
    const here = await hostScene();
    await connecting(here);
    await disconnect(here);
    expect(await here.stored()).to.equal(undefined);
    expect([...here.forge.good]).to.deep.equal([]);
  });
  it('happens at once, before the host has answered', async () => {
    const here = await hostScene();
    await connecting(here);
    const seen: unknown[] = [];
    here.forge.beforeAnswer = async () => {
      seen.push((await here.stored())?.state, await readHostConnection(here, { principal: here.owner.principal }));
    };
    await disconnect(here);
    expect(seen).to.deep.equal(['revoking', { configured: true, connected: false, account: null }]);
  });
  it('says that issues are stale once no import can call them current any more', async () => {
    const here = await linkedScene();
    const { repositoryLinks } = here.stores;
    const { link, state } = here.linked;
    await repositoryLinks.put({ link, state: { ...state, completedAt: here.time.now } });
    const states: unknown[] = [];
    const setIssuesAsOf: typeof repositoryLinks.setIssuesAsOf = async (...given) => {
      states.push((await here.stored())?.state);
      await repositoryLinks.setIssuesAsOf(...given);
    };
    await disconnect({ ...here, stores: { ...here.stores, repositoryLinks: { ...repositoryLinks, setIssuesAsOf } } });
    expect(states).to.deep.equal(['ok', 'revoking']);
  });
  it('twice, or without a connection, is nothing, and is noted once', async () => {
    const { watched: here, noted } = auditing(await hostScene());
    await disconnect(here);
    await connecting(here);
    await Promise.all([disconnect(here), disconnect(here)]);
    await disconnect(here);
    expect(await here.stored()).to.equal(undefined);
    expect(noted).to.deep.equal([['host.disconnect', { host: 'forge', account: 'ada-at-forge' }]]);
  });
  it('leaves a dead host to be asked again later, with a pause, until it has ended the grant', async () => {
    const here = await dead();
    expect((await here.stored())?.state).to.equal('revoking');
    const claim = await claimed(here);
    if (claim === undefined) throw new Error('nothing to do');
    expect(await endRevokedConnection(here, claim)).to.equal(false);
    expect(await here.stored()).to.include({ state: 'revoking', pausedUntil: here.time.now + REVOKE_AGAIN_AFTER });
    here.forge.beforeAnswer = async () => undefined;
    here.time.now += REVOKE_AGAIN_AFTER;
    const next = await claimed(here);
    expect(next && (await endRevokedConnection(here, next))).to.equal(true);
    expect(await here.stored()).to.equal(undefined);
    expect([...here.forge.good]).to.deep.equal([]);
  });
  it('asks again when the host itself said', async () => {
    const retryAt = Date.UTC(2026, 0, 5, 12, 7);
    const here = await dead(retryAt);
    const claim = await claimed(here);
    if (claim) await endRevokedConnection(here, claim);
    expect((await here.stored())?.pausedUntil).to.equal(retryAt);
  });
  it('counts a grant the host does not know any more as ended', async () => {
    const here = await dead();
    here.forge.good.clear();
    here.forge.beforeAnswer = async () => undefined;
    const claim = await claimed(here);
    expect(claim && (await endRevokedConnection(here, claim))).to.equal(true);
    expect(await here.stored()).to.equal(undefined);
  });
  it('does not undo an approval that was given again in the meantime', async () => {
    const here = await dead();
    const claim = await claimed(here);
    const again = await connecting(here);
    expect(claim && (await endRevokedConnection(here, claim))).to.equal(false);
    expect(await here.stored()).to.deep.equal(again);
  });
  it('is over within the time the host is given', async () => {
    const here = await hostScene();
    await connecting(here);
    const deadlines: number[] = [];
    const revoke = async ({ deadline }: { readonly deadline: number }) => void deadlines.push(deadline - here.time.now);
    const repositoryHost = { ...here.forge.host, authorization: { ...here.forge.host.authorization, revoke } };
    await disconnect({ ...here, repositoryHost });
    expect(deadlines).to.deep.equal([HOST_ANSWERS_WITHIN]);
  });
  it('needs a server that is set up for a host', async () => {
    const here = await hostScene();
    await refused(disconnect({ ...here, repositoryHost: null }), 'host-not-configured');
  });
});

describe('Ending grants in the background', () => {
  it('leaves connections in use alone', async () => {
    const here = await linkedScene();
    const claim = await claimed(here);
    expect(claim?.connection).to.deep.equal(here.connection);
    expect(claim && (await endRevokedConnection(here, claim))).to.equal(false);
    expect(here.forge.calls).to.not.include('revoke');
  });
});
