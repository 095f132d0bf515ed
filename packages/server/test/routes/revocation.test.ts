import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN } from '../harness/reports.js';
import { useFreshStage } from '../harness/stage.js';

/** Everything given up is given up everywhere within this time, in milliseconds. */
const AT_MOST = 2000;

onEveryStore('what a key may do', (open) => {
  const stage = useFreshStage(open);

  const bobWithKey = async (role: 'member' | 'viewer') => {
    const { world, service, team } = stage();
    const bob = await world.person('Bob');
    await world.member(team, bob, 'member');
    const key = service.withKey(await world.key(bob));
    if (role === 'viewer') await service.ports.stores.teams.changeRole(team.id, bob.user.id, 'viewer');
    return { bob, key, path: { team_id: team.id, user_id: bob.user.id } };
  };

  it('ends with the key', async () => {
    const { browser, service } = stage();
    const made = (await browser.ok('createApiKey', { body: { name: 'ci', scopes: ['read'] } })).body.data;
    const key = service.withKey(made.key);
    await key.ok('listTeams');
    await browser.ok('revokeApiKey', { path: { api_key_id: made.id } });
    service.clock.pass(AT_MOST);
    const { body } = await key.refused('listTeams', 'unauthenticated');
    expect(body.detail).to.contain('revoked');
  });

  it('ends with its expiry', async () => {
    const { browser, service } = stage();
    const expires_at = new Date(service.clock.read() + 60_000).toISOString();
    const made = (await browser.ok('createApiKey', { body: { name: 'ci', scopes: ['read'], expires_at } })).body.data;
    service.clock.pass(59_999);
    await service.withKey(made.key).ok('listTeams');
    service.clock.pass(1);
    await service.withKey(made.key).refused('listTeams', 'unauthenticated');
  });

  it('goes with its maker when the maker is removed from the team', async () => {
    const { browser, service, inProject } = stage();
    const { key, path } = await bobWithKey('member');
    await key.ok('readProject', { path: inProject });
    await key.ok('recordDeployment', { body: FINISHED });
    await browser.ok('removeMember', { path });
    service.clock.pass(AT_MOST);
    await key.refused('readProject', 'not-found', { path: inProject });
    await key.refused('recordDeployment', 'unknown-app-name', { body: FINISHED });
    expect((await key.ok('listTeams')).body.data).to.deep.equal([]);
  });

  it('is no more than its maker may do now', async () => {
    const { service, browser, inProject } = stage();
    const { key, bob, path } = await bobWithKey('viewer');
    service.clock.pass(AT_MOST);
    await key.ok('readProject', { path: inProject });
    await key.refused('recordTestRun', 'forbidden', { path: inProject, body: RUN });
    await key.refused('recordDeployment', 'forbidden', { body: FINISHED });
    await browser.ok('changeMemberRole', { path, body: { role: 'member' } });
    service.clock.pass(AT_MOST);
    await key.ok('recordTestRun', { path: inProject, body: RUN });
    await service.signedIn(bob).ok('readSession');
  });

  it('shrinks for the person in the browser likewise', async () => {
    const { service, browser, inProject } = stage();
    const { bob, path } = await bobWithKey('member');
    const his = service.signedIn(bob);
    await his.ok('createRelease', { path: inProject, body: { name: '3.0' } });
    await browser.ok('changeMemberRole', { path, body: { role: 'viewer' } });
    service.clock.pass(AT_MOST);
    await his.refused('createRelease', 'forbidden', { path: inProject, body: { name: '3.1' } });
  });
});
