import { expect } from 'chai';
import { inPostgres, inSqlite, type OpenStores } from '../harness/openings.js';
import { givePassword, PASSWORD } from '../harness/people.js';
import { type Service, startService } from '../harness/service.js';
import { type Stage, stageOn } from '../harness/stage.js';
import { createTestClock } from '../harness/test-clock.js';
import { createTestHost } from '../harness/test-host.js';

/** Whatever is given up is given up at every instance within this time, in milliseconds. */
const AT_MOST = 2000;

const suite = (name: string, open: OpenStores): void => {
  describe(`what is given up at one instance, at another on the same data, ${name}`, () => {
    let stage: Stage;
    let other: Service;
    before(async () => {
      const stores = await open();
      const [forge, clock] = [createTestHost(), createTestClock()];
      const service = await startService(stores, { repositoryHost: forge.host, clock });
      other = await startService({ ...stores, close: async () => {} }, { repositoryHost: forge.host, clock });
      stage = await stageOn(service, forge);
    });
    after(async () => {
      await other.close();
      await stage.service.close();
    });

    const later = (): void => void stage.service.clock.pass(AT_MOST);
    /** Somebody in the team, known at the other instance. */
    const member = async () => {
      const { world, team } = stage;
      const bob = await world.person(`Bob${stage.service.clock.pass(1)}`);
      await world.member(team, bob, 'member');
      const there = other.signedIn(bob);
      await there.ok('readProject', { path: stage.inProject });
      return { bob, there, path: { team_id: team.id, user_id: bob.user.id } };
    };

    it('ends a key', async () => {
      const { browser } = stage;
      const made = (await browser.ok('createApiKey', { body: { name: 'ci', scopes: ['read'] } })).body.data;
      const there = other.withKey(made.key);
      await there.ok('listTeams');
      await browser.ok('revokeApiKey', { path: { api_key_id: made.id } });
      later();
      await there.refused('listTeams', 'unauthenticated');
    });

    it('ends a session that signed out', async () => {
      const { bob, there } = await member();
      await stage.service.signedIn(bob).ok('signOut');
      later();
      await there.refused('readSession', 'unauthenticated');
    });

    it('ends the other sessions of whoever changes the password', async () => {
      const { bob, there } = await member();
      await givePassword(stage.service, bob);
      const body = { current_password: PASSWORD, new_password: 'another long phrase' };
      const second = await stage.world.session(bob.user);
      await stage.service.signedIn(second).ok('changePassword', { body });
      later();
      await there.refused('readSession', 'unauthenticated');
      await other.signedIn(second).ok('readSession');
    });

    it('ends a role, in sessions and in keys', async () => {
      const { bob, there, path } = await member();
      const key = other.withKey(await stage.world.key(bob));
      const body = { name: 'checkout 3' };
      await key.ok('readProject', { path: stage.inProject });
      await stage.browser.ok('changeMemberRole', { path, body: { role: 'viewer' } });
      later();
      await there.refused('createProject', 'forbidden', { path: { team_id: path.team_id }, body });
      await key.ok('readProject', { path: stage.inProject });
      await stage.browser.ok('removeMember', { path });
      later();
      await there.refused('readProject', 'not-found', { path: stage.inProject });
      await key.refused('readProject', 'not-found', { path: stage.inProject });
      expect((await key.ok('listTeams')).body.data).to.deep.equal([]);
    });
  });
};

suite('on SQLite', inSqlite);
suite('on PostgreSQL', inPostgres);
