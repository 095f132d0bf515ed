import { expect } from 'chai';
import { knexStores, migrate, openDatabase } from '../../../src/knex/index.js';
import { takeSteps } from '../../../src/knex/migrations/migrate.js';
import { SCHEMA_STEPS } from '../../../src/knex/migrations/steps.js';
import { sampleApiKey } from '../../contract/sample-access.js';
import { NOON } from '../../contract/sample-records.js';
import { storedTeam } from '../../contract/sample-world.js';
import { places } from '../opened.js';

describe('the step for the demo', () => {
  for (const kind of ['SQLite', 'PostgreSQL'] as const)
    it(`makes no team on ${kind} that was there before a demo`, async () => {
      const { url, remove } = await places[kind]();
      const database = await openDatabase({ url });
      const before = SCHEMA_STEPS.findIndex(({ name }) => name === 'demo');
      await takeSteps(database.access, SCHEMA_STEPS.slice(0, before));
      const { team } = await storedTeam(knexStores(database), { name: 'Demo', slug: 'demo' });
      await migrate(database);
      const { teams } = knexStores(database);
      expect(await teams.byId(team.id)).to.deep.equal(team);
      expect(await teams.demo()).to.equal(undefined);
      expect(await teams.removeDemo(team.id)).to.equal(false);
      await database.close();
      await remove();
    });
});

describe('the step for the homes of keys', () => {
  for (const kind of ['SQLite', 'PostgreSQL'] as const)
    it(`keeps the teams its maker is in at that time as the home of a key on ${kind}`, async () => {
      const { url, remove } = await places[kind]();
      const database = await openDatabase({ url });
      const before = SCHEMA_STEPS.findIndex(({ name }) => name === 'key-homes');
      await takeSteps(database.access, SCHEMA_STEPS.slice(0, before));
      const stores = knexStores(database);
      const { owner, team } = await storedTeam(stores);
      const { team: later } = await storedTeam(stores);
      const keys = [
        sampleApiKey(owner.id),
        sampleApiKey(owner.id, { teamId: team.id }),
        sampleApiKey((await storedTeam(stores)).owner.id),
      ];
      const moment = database.access.dialect.moment(NOON);
      for (const { id, userId, teamId, hash } of keys)
        await database.access.write(
          `insert into api_keys (id, user_id, name, scopes, team_id, hash, prefix, created_at, expires_at)
            values (?, ?, 'old', '["read"]', ?, ?, 'swk_', ?, ?)`,
          [id, userId, teamId, hash, moment, moment],
        );
      await database.access.write('delete from memberships where user_id = ?', [keys[2]?.userId ?? '']);
      await migrate(database);
      await stores.teams.addMember({ teamId: later.id, userId: owner.id, role: 'member', createdAt: NOON });
      const homes = await Promise.all(keys.map(async ({ hash }) => (await stores.apiKeys.byHash(hash))?.key.homeTeams));
      expect(homes).to.deep.equal([[team.id], [], []]);
      expect((await stores.apiKeys.byHash(keys[0]?.hash ?? ''))?.key).to.deep.include({
        projectId: null,
        barredTeams: [],
        lastUsedAddress: null,
      });
      await database.close();
      await remove();
    });
});
