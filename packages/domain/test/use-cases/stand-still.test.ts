import { expect } from 'chai';
import { checkHostConnection } from '../../src/use-cases/check-host-connection.js';
import { disconnectHost } from '../../src/use-cases/disconnect-host.js';
import { unreachable } from './forge.js';
import { linkedScene } from './host-scene.js';
import { planned } from './scene.js';
import { MINUTE } from './world.js';

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
  const check = async () => (await checkHostConnection(here)({ principal: here.owner.principal })).status;
  const disconnect = () => disconnectHost(here)({ by: here.owner });
  return { ...here, completedAt, asOf, changedAt, check, disconnect };
};

describe('What was imported, once nobody can read it any more', () => {
  it('is as of the last import when the person disconnects', async () => {
    const here = await imported();
    await here.disconnect();
    expect(await here.asOf()).to.equal(here.completedAt);
    expect(await here.changedAt()).to.equal(here.time.now);
  });
  it('is so although the host cannot be reached to end the grant', async () => {
    const here = await imported();
    here.forge.meanwhile = async () => {
      throw unreachable();
    };
    await here.disconnect();
    expect(await here.asOf()).to.equal(here.completedAt);
  });
  it('is so when the host refuses the connection, whoever finds out', async () => {
    const here = await imported();
    here.forge.good.clear();
    await here.check();
    expect(await here.asOf()).to.equal(here.completedAt);
  });
  it('is current while the connection works or the host is only silent', async () => {
    const here = await imported();
    await here.check();
    here.forge.meanwhile = async () => {
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
