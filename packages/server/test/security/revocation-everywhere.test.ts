import { expect } from 'chai';
import { begin } from '../harness/ask.js';
import { listen } from '../harness/listen.js';
import { inPostgres, inSqlite, type OpenStores } from '../harness/openings.js';
import { givePassword, PASSWORD } from '../harness/people.js';
import { POLICY } from '../harness/policy-request.js';
import { type Service, startService } from '../harness/service.js';
import { type Stage, stageOn } from '../harness/stage.js';
import { createTestClock } from '../harness/test-clock.js';
import { createTestHost } from '../harness/test-host.js';

/** A revocation takes effect at every instance within this time, in milliseconds. */
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
    /** A member of the team, remembered at the other instance. */
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

    it('ends the other sessions of anyone who changes the password', async () => {
      const { bob, there } = await member();
      await givePassword(stage.service, bob);
      const body = { current_password: PASSWORD, new_password: 'another long phrase' };
      const second = await stage.world.session(bob.user);
      await stage.service.signedIn(second).ok('changePassword', { body });
      later();
      await there.refused('readSession', 'unauthenticated');
      await other.signedIn(second).ok('readSession');
    });

    it('ends the sessions, the streams and the keys of an account that is disabled', async () => {
      const { bob, there } = await member();
      const key = other.withKey(await stage.world.key(bob));
      await key.ok('listTeams');
      const stream = await listen(`${other.baseUrl}/api/events`, { cookie: `shipworthy_session=${bob.secret}` });
      expect(stream.status).to.equal(200);
      await stage.browser.ok('disablePerson', { path: { user_id: bob.user.id } });
      later();
      await stream.ended;
      await there.refused('readSession', 'unauthenticated');
      await key.refused('listTeams', 'unauthenticated');
      await givePassword(stage.service, bob);
      const body = { email: bob.user.email, password: PASSWORD };
      await other.anonymous.refused('signIn', 'wrong-credentials', { body });
    });

    it('lets no one change the team in the second in which their former role is remembered', async () => {
      const { world, team, browser, service } = stage;
      const [eve, friend] = [await world.person('Eve'), await world.person('Friend')];
      await world.member(team, eve, 'owner');
      await world.member(team, friend, 'viewer');
      const pathOf = ({ user }: typeof eve) => ({ team_id: team.id, user_id: user.id });
      const there = other.signedIn(eve);
      await there.ok('listMembers', { path: pathOf(eve) });
      await browser.ok('changeMemberRole', { path: pathOf(eve), body: { role: 'viewer' } });
      const promote = { path: pathOf(friend), body: { role: 'owner' } } as const;
      await there.refused('changeMemberRole', 'forbidden', promote);
      await browser.ok('removeMember', { path: pathOf(eve) });
      await there.refused('removeMember', 'not-found', { path: pathOf(friend) });
      const members = await service.ports.stores.teams.members(team.id);
      expect(members.find(({ userId }) => userId === friend.user.id)?.role).to.equal('viewer');
    });

    it('lets no one decide about the ship gate in that second', async () => {
      const { world, team, browser, inRelease, inProject } = stage;
      const eve = await world.person('Eva');
      await world.member(team, eve, 'owner');
      const there = other.signedIn(eve);
      const [reason] = (await there.ok('readGate', { path: inRelease })).body.data.reasons;
      await browser.ok('changeMemberRole', {
        path: { team_id: team.id, user_id: eve.user.id },
        body: { role: 'member' },
      });
      const expires_at = new Date(stage.service.clock.read() + 3_600_000).toISOString();
      const waiver = { code: reason?.code, axis: reason?.axis, text: 'Fine', expires_at };
      await there.refused('waiveReason', 'forbidden', { path: inRelease, rawBody: JSON.stringify(waiver) });
      const [item] = (await browser.ok('listChecklist', { path: inRelease })).body.data;
      const mark = { state: 'not_applicable', reason: 'Not needed here.' } as const;
      const path = { ...inRelease, item_id: item?.id ?? '' };
      const marked = (await there.ok('changeChecklistItem', { path, body: mark })).body.data;
      expect(marked).to.include({ state: 'not_applicable', confirmed_by: null });
      const headers = { 'if-match': '"1"' };
      const body = { ...POLICY, threshold: 0 };
      await there.refused('replacePolicy', 'forbidden', { path: inProject, headers, body });
    });

    it('lets no one change a project in that second, for any role that this needs', async () => {
      const { world, team, browser, inRelease, inProject } = stage;
      const issue = { path: inProject, body: { title: 'Too late', type: 'bug', state: 'todo' } } as const;
      const joined = async (name: string) => {
        const one = await world.person(name);
        await world.member(team, one, 'member');
        const there = other.signedIn(one);
        await there.ok('listIssues', { path: inProject });
        return { there, path: { team_id: team.id, user_id: one.user.id } };
      };
      const [demoted, removed] = [await joined('Evi'), await joined('Rem')];
      await browser.ok('changeMemberRole', { path: demoted.path, body: { role: 'viewer' } });
      await demoted.there.refused('createIssue', 'forbidden', issue);
      await browser.ok('removeMember', { path: removed.path });
      await removed.there.refused('createIssue', 'not-found', issue);
      await removed.there.refused('cancelRelease', 'not-found', { path: inRelease });
    });

    it('refuses what was begun before: a request whose body comes later', async () => {
      const { bob, path } = await member();
      const { browser, world, team, service } = stage;
      const key = await world.key(bob);
      const session = { cookie: `shipworthy_session=${bob.secret}`, origin: other.baseUrl };
      const posts = (path: string, headers: Readonly<Record<string, string>>, body: object) =>
        begin(other.baseUrl, `/api/teams/${team.id}/projects${path}`, { method: 'POST', headers, body });
      const beginBoth = () =>
        Promise.all([
          posts('', session, { name: 'too late' }),
          posts(
            `/${stage.project.id}/test-runs`,
            { authorization: `Bearer ${key}` },
            { total: 1, passed: 1, failed: 0 },
          ),
        ]);
      await other.withKey(key).ok('readProject', { path: stage.inProject });
      const asMember = await beginBoth();
      await browser.ok('changeMemberRole', { path, body: { role: 'viewer' } });
      later();
      const refused = await Promise.all(asMember.map((begun) => begun.finish()));
      expect(refused.map(({ status }) => status)).to.deep.equal([403, 403]);
      await browser.ok('changeMemberRole', { path, body: { role: 'member' } });
      later();
      await other.withKey(key).ok('readProject', { path: stage.inProject });
      await other.signedIn(bob).ok('readProject', { path: stage.inProject });
      const enabled = await beginBoth();
      await browser.ok('disablePerson', { path: { user_id: bob.user.id } });
      later();
      const ended = await Promise.all(enabled.map((begun) => begun.finish()));
      expect(ended.map(({ status }) => status)).to.deep.equal([401, 401]);
      const names = (await service.ports.stores.projects.ofTeams([team.id])).map(({ name }) => name);
      expect(names).not.to.include('too late');
    });

    it('lets no administrator who was disabled enable the account again in the second that remembers them', async () => {
      const { stores, newId, clock } = stage.service.ports;
      const made = { createdAt: clock(), disabledAt: null, administrator: true, emailVerified: true };
      const user = { id: newId(), email: `rogue-${clock()}@acme.dev`, name: 'Rogue', ...made };
      await stores.users.create(user, 'unusable');
      const there = other.signedIn(await stage.world.session(user));
      await there.ok('listPeople');
      const path = { user_id: user.id };
      await stage.browser.ok('disablePerson', { path });
      await there.refused('enablePerson', 'forbidden', { path });
      await there.refused('disablePerson', 'forbidden', { path: { user_id: stage.ada.user.id } });
      expect((await stores.users.byId(user.id))?.disabledAt).not.to.equal(null);
    });

    it('leaves one of two administrators who disable each other at two instances at once', async () => {
      const { stores, newId, clock } = stage.service.ports;
      const made = { createdAt: clock(), disabledAt: null, administrator: true, emailVerified: true };
      const user = { id: newId(), email: `root-${clock()}@acme.dev`, name: 'Root', ...made };
      await stores.users.create(user, 'unusable');
      const root = other.signedIn(await stage.world.session(user));
      const ada = stage.service.signedIn(await stage.world.session(stage.ada.user));
      const answers = await Promise.all([
        ada.ask('disablePerson', { path: { user_id: user.id } }),
        root.ask('disablePerson', { path: { user_id: stage.ada.user.id } }),
      ]);
      // The other one is an administrator no more by then, or finds its session ended.
      const [first, second] = answers.map(({ status }) => status).sort();
      expect(first).to.equal(200);
      expect(second).to.be.oneOf([401, 403]);
      const left = (await stores.users.administrators()).filter(({ disabledAt }) => disabledAt === null);
      expect(left).to.have.lengthOf(1);
      await stores.users.setDisabled(stage.ada.user.id, null);
      await stores.users.setDisabled(user.id, clock());
      stage = { ...stage, browser: stage.service.signedIn(await stage.world.session(stage.ada.user)) };
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
