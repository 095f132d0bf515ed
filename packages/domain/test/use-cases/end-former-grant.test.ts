import { expect } from 'chai';
import { beginApproval } from '../../src/use-cases/begin-approval.js';
import { disconnectHost } from '../../src/use-cases/disconnect-host.js';
import { endFormerDue } from '../../src/use-cases/end-former-grant.js';
import { finishApproval } from '../../src/use-cases/finish-approval.js';
import { importFromHost } from '../../src/use-cases/import-from-host.js';
import { HOST_ANSWERS_WITHIN } from '../../src/use-cases/in-connection.js';
import { REVOKE_AGAIN_AFTER } from '../../src/use-cases/revoke-due.js';
import { withAccess } from '../../src/use-cases/with-access.js';
import { unreachable } from './forge.js';
import { connecting, type HostScene, hostScene } from './host-scene.js';

const approve = async (here: HostScene) => {
  const { url } = await beginApproval(here)({ by: here.owner, redirectUrl: 'https://ship.example/back' });
  const state = `state ${new URL(url).searchParams.get('n')}`;
  return finishApproval(here)({ by: here.owner, state, code: 'good code' });
};
/** The host ends nothing for now. */
const dead = async (call: string) => {
  if (call === 'revoke') throw unreachable();
};
const turn = (here: HostScene) => importFromHost(here)({ leaseMs: 60_000, pageMs: 10_000 });

describe('The grant of a connection that another approval takes the place of', () => {
  it('is ended at the host at once, in what is left of the time', async () => {
    const here = await hostScene();
    await connecting(here);
    const { grant } = await approve(here);
    expect([...here.forge.good]).to.deep.equal([grant.sealed]);
    expect(here.forge.calls).to.deep.equal(['redeem', 'revoke']);
    here.time.now += REVOKE_AGAIN_AFTER;
    expect(await turn(here)).to.equal(false);
  });
  it('is ended later when the host cannot end it now, and nobody waits longer for that', async () => {
    const here = await hostScene();
    await connecting(here);
    here.forge.meanwhile = dead;
    const { grant } = await approve(here);
    expect(await here.stored()).to.deep.include({ grant, state: 'ok' });
    here.time.now += REVOKE_AGAIN_AFTER - 1;
    expect(await turn(here)).to.equal(false);
    here.time.now += 1;
    expect(await turn(here)).to.equal(true);
    expect(await turn(here)).to.equal(false);
    here.forge.meanwhile = async () => undefined;
    here.time.now += REVOKE_AGAIN_AFTER;
    expect([await turn(here), await turn(here)]).to.deep.equal([true, false]);
    expect([...here.forge.good]).to.deep.equal([grant.sealed]);
  });
  it('is ended also when it was left over from disconnecting at a dead host', async () => {
    const here = await hostScene();
    await connecting(here);
    here.forge.meanwhile = dead;
    await disconnectHost(here)({ by: here.owner });
    here.forge.meanwhile = async () => undefined;
    const { grant } = await approve(here);
    expect([...here.forge.good]).to.deep.equal([grant.sealed]);
  });
  it('has ended when the host refuses it', async () => {
    const here = await hostScene();
    await connecting(here);
    here.forge.good.clear();
    await approve(here);
    here.time.now += REVOKE_AGAIN_AFTER;
    expect(await turn(here)).to.equal(false);
  });
  it('stays kept, and the person connected, when ending it meets a bug', async () => {
    const here = await hostScene();
    await connecting(here);
    here.forge.meanwhile = async (call) => {
      if (call === 'revoke') throw new RangeError('a bug');
    };
    expect(await approve(here)).to.include({ state: 'ok' });
    here.time.now += REVOKE_AGAIN_AFTER;
    expect(await endFormerDue(here).catch((error: unknown) => error)).to.be.instanceOf(RangeError);
  });
  it('is ended also when it was being renewed meanwhile, now or later', async () => {
    for (const reachable of [true, false]) {
      const here = await hostScene();
      const connection = await connecting(here, here.time.now);
      let approved: string | undefined;
      here.forge.meanwhile = async (call) => {
        if (!reachable && approved !== undefined) await dead(call);
        if (call !== 'refresh' || approved !== undefined) return;
        approved = (await approve(here)).grant.sealed;
        here.forge.good.add(connection.grant.sealed);
      };
      const deadline = here.time.now + HOST_ANSWERS_WITHIN;
      await withAccess(here, connection, deadline, (access) => here.forge.host.repositories.account(access));
      expect((await here.stored())?.grant.sealed).to.equal(approved);
      expect(here.forge.good.size).to.equal(reachable ? 1 : 2);
      here.forge.meanwhile = async () => undefined;
      here.time.now += REVOKE_AGAIN_AFTER;
      expect(await turn(here)).to.equal(!reachable);
      expect([...here.forge.good]).to.deep.equal([approved]);
    }
  });
});
