import { expect } from 'chai';
import { knexStores, migrate, openDatabase } from '../../../src/knex/index.js';
import { takeSteps } from '../../../src/knex/migrations/migrate.js';
import { SCHEMA_STEPS } from '../../../src/knex/migrations/steps.js';
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
