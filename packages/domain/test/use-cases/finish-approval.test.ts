import { expect } from 'chai';
import type { Actor } from '../../src/access/actor.js';
import { APPROVAL_LIFE, beginApproval } from '../../src/use-cases/begin-approval.js';
import { finishApproval } from '../../src/use-cases/finish-approval.js';
import { readHostConnection } from '../../src/use-cases/read-host-connection.js';
import { refused } from '../refusal.js';
import { ADA, unreachable } from './forge.js';
import { auditing, connecting, type HostScene, hostScene } from './host-scene.js';

const BACK = 'https://ship.example/api/settings/forge/callback';

const begun = async () => {
  const here = await hostScene();
  const { url } = await beginApproval(here)({ by: here.owner, redirectUrl: BACK });
  return { ...here, url, state: 'state 1' };
};
const finish = (here: HostScene, { by = here.owner, state = 'state 1', code = 'good code' } = {}) =>
  finishApproval(here)({ by, state, code });
const inSession = (by: Actor, id: string): Actor => ({ ...by, principal: { ...by.principal, id } });

describe('Approving access at the repository host', () => {
  it('begins on a page of the host; only the hash of the state is kept', async () => {
    const here = await begun();
    expect(here.url).to.contain(encodeURIComponent(BACK));
    const { id: sessionId, userId } = here.owner.principal;
    expect(await here.stores.hostConnections.take(here.state)).to.equal(undefined);
    expect(await here.stores.hostConnections.take(here.secrets.hash(here.state))).to.deep.equal({
      ...{ stateHash: here.secrets.hash(here.state), sessionId, userId, host: 'forge' },
      ...{ sealedVerifier: 'verifier 1', redirectUrl: BACK, expiresAt: here.time.now + APPROVAL_LIFE },
    });
  });
  it('connects whoever began it', async () => {
    const here = await begun();
    const connection = await finish(here);
    expect(connection).to.include({ state: 'ok', host: 'forge', connectedAt: here.time.now, pausedUntil: null });
    expect(await here.stored()).to.deep.equal(connection);
    const { principal } = here.owner;
    const status = { configured: true, connected: true, account: ADA };
    expect(await readHostConnection(here)({ principal })).to.deep.equal(status);
  });
  it('is noted', async () => {
    const { watched, noted } = auditing(await begun());
    await finish(watched);
    expect(noted).to.deep.equal([['host.connect', { host: 'forge', account: ADA.name }]]);
  });
  it('is good once, of ten at once for one', async () => {
    const here = await begun();
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => finish(here)));
    const failed = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(failed).to.deep.equal(Array.from({ length: 9 }, () => 'approval-unusable'));
    expect(here.forge.calls).to.deep.equal(['redeem']);
    await refused(finish(here), 'approval-unusable');
  });
  it('ends in the session that began it only, and is spent by a try in another one', async () => {
    for (const other of ['session', 'person'] as const) {
      const here = await begun();
      const by = other === 'session' ? inSession(here.owner, 'another') : here.member;
      await refused(finish(here, { by }), 'approval-unusable');
      await refused(finish(here), 'approval-unusable');
      expect(here.forge.calls).to.deep.equal([]);
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
  it('connects nobody when the host refuses the code or cannot be asked', async () => {
    const here = await begun();
    await refused(finish(here, { code: 'bad code' }), 'host-rejected');
    const dead = await begun();
    dead.forge.meanwhile = async () => {
      throw unreachable();
    };
    await refused(finish(dead), 'host-unavailable');
    expect([await here.stored(), await dead.stored()]).to.deep.equal([undefined, undefined]);
  });
  it('again takes the place of a refused connection', async () => {
    const here = await begun();
    const before = await connecting(here);
    await here.stores.hostConnections.replace({ ...before, state: 'rejected', version: 2 });
    expect(await finish(here)).to.include({ state: 'ok', version: 3 });
  });
  it('needs a server that is set up for a host', async () => {
    const here = { ...(await begun()), repositoryHost: null };
    await refused(beginApproval(here)({ by: here.owner, redirectUrl: BACK }), 'host-not-configured');
    await refused(finish(here as never), 'host-not-configured');
    const none = { configured: false, connected: false, account: null };
    expect(await readHostConnection(here)({ principal: here.owner.principal })).to.deep.equal(none);
  });
});
