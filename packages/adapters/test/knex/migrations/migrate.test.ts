import { expect } from 'chai';
import { migrate, openDatabase } from '../../../src/knex/index.js';
import { schemaVersion, takeSteps } from '../../../src/knex/migrations/migrate.js';
import { SCHEMA_STEPS } from '../../../src/knex/migrations/steps.js';
import { expectRefused } from '../../contract/expectations.js';
import { killed, startChild, written } from '../child.js';
import { places } from '../opened.js';

const SLOW = {
  SQLite: 'with recursive n (i) as (select 1 union all select i + 1 from n) select max(i) from n where i < 0',
  PostgreSQL: 'select pg_sleep(60)',
};

// Takes the first step, then one that makes a table and never ends.
const HALF_WAY = `
  import { openDatabase } from 'KNEX/index.js';
  import { takeSteps } from 'KNEX/migrations/migrate.js';
  import { SCHEMA_STEPS } from 'KNEX/migrations/steps.js';
  const database = await openDatabase({ url: process.env.PLACE });
  const statements = () => {
    setTimeout(() => console.log('half-way'), 200);
    return ['create table half_way (n integer)', process.env.SLOW];
  };
  await takeSteps(database.access, [SCHEMA_STEPS[0], { name: 'never ends', statements }]);`;

describe('migrations', () => {
  for (const kind of ['SQLite', 'PostgreSQL'] as const) {
    it(`on ${kind} are done once by three starters at once`, async () => {
      const { url, remove } = await places[kind]();
      const starters = await Promise.all([1, 2, 3].map(() => openDatabase({ url })));
      await Promise.all(starters.map(migrate));
      const [first] = starters;
      if (first === undefined) throw new Error('nobody started');
      const taken = await first.access.read<{ name: string }>('select name from schema_steps order by version');
      expect(taken.map(({ name }) => name)).to.deep.equal(SCHEMA_STEPS.map(({ name }) => name));
      for (const starter of starters) {
        await starter.ready();
        await starter.close();
      }
      await remove();
    });

    it(`on ${kind} need no hand after being killed half-way`, async () => {
      const { url, remove } = await places[kind]();
      const child = startChild(HALF_WAY, { PLACE: url, SLOW: SLOW[kind] });
      await written(child, 'half-way');
      await killed(child);
      const database = await openDatabase({ url });
      expect(await schemaVersion(database.access)).to.equal(1);
      await expectRefused(database.ready(), 'unavailable');
      const over = await database.access.read('select * from half_way').then(
        () => 'a table of the killed step',
        () => 'nothing',
      );
      expect(over).to.equal('nothing');
      await migrate(database);
      await database.ready();
      await database.close();
      await remove();
    });

    it(`on ${kind} go on where they stopped, and refuse a newer schema, with nothing changed`, async () => {
      const { url, remove } = await places[kind]();
      const database = await openDatabase({ url });
      await takeSteps(database.access, SCHEMA_STEPS.slice(0, 1));
      expect(await schemaVersion(database.access)).to.equal(1);
      const later = { name: 'later', statements: () => ['create table later (n integer)'] };
      await takeSteps(database.access, [...SCHEMA_STEPS, later]);
      // A server that runs already goes on working.
      await database.ready();
      const refusal = await migrate(database).then(() => 'it was accepted', String);
      expect(refusal)
        .to.contain(`step ${SCHEMA_STEPS.length + 1} "later"`)
        .and.contain('restore a backup');
      expect(await schemaVersion(database.access)).to.equal(SCHEMA_STEPS.length + 1);
      await database.access.write(`update schema_steps set name = 'another' where version = 2`);
      expect(await migrate(database).then(() => 'it was accepted', String)).to.contain(
        `steps 2 "another", ${SCHEMA_STEPS.length + 1} "later"`,
      );
      await database.close();
      await remove();
    });
  }
});
