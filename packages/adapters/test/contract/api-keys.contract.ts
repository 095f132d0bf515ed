import { type ApiKey, type PageRequest, type Stores, searchTextOf } from '@shipworthy/domain';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { sampleApiKey } from './sample-access.js';
import { AWKWARD, NOON, sampleHash, sampleId } from './sample-records.js';
import { storedProject, storedTeam, storedUser } from './sample-world.js';

const storedKey = async (stores: Stores, userId: string, over: Partial<ApiKey> = {}): Promise<ApiKey> => {
  const key = sampleApiKey(userId, over);
  await stores.apiKeys.create(key);
  return key;
};

/** ApiKeyStore. */
export const apiKeysContract = (opened: Opened): void => {
  describe('API keys', () => {
    it('are found by hash with their maker and the present roles of the maker', async () => {
      const { stores, again } = opened();
      const { owner, team } = await storedTeam(stores);
      const key = await storedKey(stores, owner.id, { name: AWKWARD, teamId: team.id, scopes: ['read'] });
      const find = () => again.apiKeys.byHash(key.hash);
      expect(await find()).to.deep.equal({ key, user: owner, roles: new Map([[team.id, 'owner']]) });
      await stores.teams.changeRole(team.id, owner.id, 'viewer');
      expect((await find())?.roles).to.deep.equal(new Map([[team.id, 'viewer']]));
      await stores.teams.removeMember(team.id, owner.id);
      expect((await find())?.roles).to.deep.equal(new Map());
      expect(await again.apiKeys.byHash(sampleHash())).to.equal(undefined);
    });

    it('are found when expired or revoked too', async () => {
      const { stores, again } = opened();
      const user = await storedUser(stores);
      const key = await storedKey(stores, user.id, { expiresAt: NOON + 1 });
      expect(await stores.apiKeys.revoke(user.id, key.id, NOON + 5)).to.equal(true);
      expect((await again.apiKeys.byHash(key.hash))?.key).to.deep.equal({ ...key, revokedAt: NOON + 5 });
    });

    it('are revoked once, by their maker', async () => {
      const { stores, again } = opened();
      const user = await storedUser(stores);
      const key = await storedKey(stores, user.id);
      expect(await stores.apiKeys.revoke((await storedUser(stores)).id, key.id, NOON)).to.equal(false);
      expect(await stores.apiKeys.revoke(user.id, sampleId(), NOON)).to.equal(false);
      expect((await again.apiKeys.byHash(key.hash))?.key.revokedAt).to.equal(null);
      expect(await stores.apiKeys.revoke(user.id, key.id, NOON + 1)).to.equal(true);
      expect(await stores.apiKeys.revoke(user.id, key.id, NOON + 2)).to.equal(false);
      expect((await again.apiKeys.byHash(key.hash))?.key.revokedAt).to.equal(NOON + 1);
    });

    it('are listed newest first, revoked ones left out', async () => {
      const { stores, again } = opened();
      const user = await storedUser(stores);
      const keys: ApiKey[] = [];
      for (const offset of [5, 0, 5, 3]) keys.push(await storedKey(stores, user.id, { createdAt: NOON + offset }));
      await storedKey(stores, (await storedUser(stores)).id);
      const [first, oldest, twin, revoked] = keys;
      await stores.apiKeys.revoke(user.id, revoked?.id ?? '', NOON);
      expect(await again.apiKeys.ofUser(user.id)).to.deep.equal([twin, first, oldest]);
    });

    it('remember when they were last used', async () => {
      const { stores, again } = opened();
      const key = await storedKey(stores, (await storedUser(stores)).id);
      await stores.apiKeys.touch(key.id, NOON + 7, '192.0.2.7');
      const used = { lastUsedAt: NOON + 7, lastUsedAddress: '192.0.2.7' };
      expect((await again.apiKeys.byHash(key.hash))?.key).to.deep.equal({ ...key, ...used });
    });

    it('keep where they belong', async () => {
      const { stores, again } = opened();
      const { owner, team, project } = await storedProject(stores);
      const one = await storedKey(stores, owner.id, { teamId: team.id, projectId: project.id });
      const all = await storedKey(stores, owner.id, { homeTeams: [team.id, sampleId()] });
      for (const key of [one, all]) expect((await again.apiKeys.byHash(key.hash))?.key).to.deep.equal(key);
    });

    it('reach a team while its members made them, for the team or for all teams', async () => {
      const { stores, again } = opened();
      const { owner, team } = await storedTeam(stores);
      const { owner: stranger, team: elsewhere } = await storedTeam(stores);
      const own = await storedKey(stores, owner.id, { teamId: team.id, createdAt: NOON + 1 });
      const wide = await storedKey(stores, owner.id, { createdAt: NOON + 2 });
      await storedKey(stores, owner.id, { teamId: elsewhere.id });
      await storedKey(stores, owner.id, { expiresAt: NOON + 10 });
      await storedKey(stores, owner.id, { revokedAt: NOON });
      await storedKey(stores, stranger.id);
      const reaching = async (teamId: string) =>
        (await again.apiKeys.reaching(teamId, NOON + 10, { limit: 10, after: null })).rows;
      expect(await reaching(team.id)).to.deep.equal([
        { key: wide, maker: owner },
        { key: own, maker: owner },
      ]);
      expect(await again.apiKeys.reachingOf(team.id, own.id, NOON + 10)).to.deep.equal({ key: own, maker: owner });
      expect(await again.apiKeys.reachingOf(elsewhere.id, own.id, NOON + 10)).to.equal(undefined);
      expect(await again.apiKeys.reachingOf(team.id, sampleId(), NOON + 10)).to.equal(undefined);
      await stores.teams.addMember({ teamId: elsewhere.id, userId: owner.id, role: 'viewer', createdAt: NOON });
      expect((await reaching(elsewhere.id)).map(({ key }) => key.id)).to.include(wide.id);
      await stores.teams.removeMember(team.id, owner.id);
      expect(await reaching(team.id)).to.deep.equal([]);
    });

    it('that reach a team are found by their names and those of their makers, in any case', async () => {
      const { stores, again } = opened();
      const { owner, team } = await storedTeam(stores);
      const deploy = await storedKey(stores, owner.id, { name: 'Ärger_deploy 100%', createdAt: NOON + 1 });
      const gate = await storedKey(stores, owner.id, { name: 'gate', prefix: 'sw_0042', createdAt: NOON + 2 });
      const found = async (text: string, limit = 10) =>
        (await again.apiKeys.reaching(team.id, NOON + 5, { limit, after: null }, searchTextOf(text))).rows.map(
          ({ key }) => key.id,
        );
      expect(await found('ärger DEPLOY')).to.deep.equal([deploy.id]);
      expect(await found('0%')).to.deep.equal([deploy.id]);
      expect(await found('SW_0042')).to.deep.equal([gate.id]);
      expect(await found(owner.name)).to.deep.equal([gate.id, deploy.id]);
      expect(await found(`gate ${owner.email.toUpperCase()}`)).to.deep.equal([gate.id]);
      expect(await found('deploy', 1)).to.deep.equal([deploy.id]);
      expect(await found('nobody')).to.deep.equal([]);
    });

    it('that reach a team are read page by page, none twice and none left out', async () => {
      const { stores, again } = opened();
      const { owner, team } = await storedTeam(stores);
      const keys = [];
      for (let time = 0; time < 7; time += 1)
        keys.push(await storedKey(stores, owner.id, { createdAt: NOON + Math.floor(time / 3) }));
      await stores.apiKeys.bar(keys[3]?.id ?? '', team.id);
      const found: string[] = [];
      let after: PageRequest['after'] = null;
      do {
        const page = await again.apiKeys.reaching(team.id, NOON + 10, { limit: 2, after });
        expect(page.rows, 'no page is short while more is behind it').to.have.length(2);
        found.push(...page.rows.map(({ key }) => key.id));
        after = page.next;
      } while (after !== null);
      const expected = keys.filter((_, place) => place !== 3);
      expected.sort((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1));
      expect(found).to.deep.equal(expected.map(({ id }) => id));
    });

    it('are barred from a team once, and no longer reach it', async () => {
      const { stores, again } = opened();
      const { owner, team } = await storedTeam(stores);
      const { team: other } = await storedTeam(stores);
      const key = await storedKey(stores, owner.id);
      expect(await stores.apiKeys.bar(key.id, team.id)).to.equal(true);
      expect(await stores.apiKeys.bar(key.id, team.id)).to.equal(false);
      expect(await stores.apiKeys.bar(sampleId(), team.id)).to.equal(false);
      expect((await again.apiKeys.reaching(team.id, NOON, { limit: 10, after: null })).rows).to.deep.equal([]);
      await Promise.all([stores.apiKeys.bar(key.id, other.id), stores.apiKeys.touch(key.id, NOON, '::1')]);
      expect((await again.apiKeys.byHash(key.hash))?.key.barredTeams).to.deep.equal([team.id, other.id]);
    });
  });
};
