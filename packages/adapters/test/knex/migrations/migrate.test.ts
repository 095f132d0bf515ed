import { expect } from 'chai';
import { migrate, openDatabase } from '../../../src/knex/index.js';
import { type SchemaStep, schemaVersion, takeSteps } from '../../../src/knex/migrations/migrate.js';
import { SCHEMA_STEPS } from '../../../src/knex/migrations/steps.js';
import type { Access } from '../../../src/knex/sql.js';
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

/** Takes steps as versions did that kept a record of their own. */
const takeAsBefore = ({ dialect, atomically }: Access, steps: readonly SchemaStep[]): Promise<void> =>
  atomically(async ({ write }) => {
    const { types, tableEnd, moment } = dialect;
    await write(
      `create table if not exists schema_steps (
          version ${types.integer} primary key, name ${types.text} not null, taken_at ${types.moment} not null) ${tableEnd}`,
    );
    for (const [place, step] of steps.entries()) {
      for (const statement of step.statements(dialect)) await write(statement);
      const values = [place + 1, step.name, moment(Date.UTC(2026, 0, 1 + place))];
      await write('insert into schema_steps (version, name, taken_at) values (?, ?, ?)', values);
    }
  });

/** What such a version reads of its record. */
const recordOfBefore = async ({ read }: Access): Promise<readonly string[]> => {
  const rows = await read<{ name: string }>('select name from schema_steps order by version');
  return rows.map(({ name }) => name);
};

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
      const locks = await database.access.read<{ is_locked: number }>('select is_locked from knex_migrations_lock');
      expect(locks).to.deep.equal([{ is_locked: 0 }]);
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
      await database.access.write(`update knex_migrations set name = 'another' where id = 2`);
      expect(await migrate(database).then(() => 'it was accepted', String)).to.contain(
        `steps 2 "another", ${SCHEMA_STEPS.length + 1} "later"`,
      );
      await database.close();
      await remove();
    });

    it(`on ${kind} leave a database alone where knex keeps the record of another program`, async () => {
      const { url, remove } = await places[kind]();
      const database = await openDatabase({ url });
      const { write, read } = database.access;
      await write(
        'create table knex_migrations (id integer primary key, name text, batch integer, migration_time text)',
      );
      await write(`insert into knex_migrations (id, name, batch) values (1, '20260101_posts.js', 1)`);
      const refusal = await migrate(database).then(() => 'it was accepted', String);
      expect(refusal).to.contain('table knex_migrations of another program').and.contain('Nothing was changed');
      expect(await read('select name from knex_migrations')).to.deep.equal([{ name: '20260101_posts.js' }]);
      expect(await schemaVersion(database.access)).to.equal(0);
      await database.close();
      await remove();
    });

    it(`on ${kind} take over the record of a version before, which still finds it afterwards`, async () => {
      const { url, remove } = await places[kind]();
      const database = await openDatabase({ url });
      const names = SCHEMA_STEPS.map(({ name }) => name);
      await takeAsBefore(database.access, SCHEMA_STEPS.slice(0, 20));
      expect(await schemaVersion(database.access)).to.equal(20);
      await migrate(database);
      await database.ready();
      expect(await recordOfBefore(database.access)).to.deep.equal(names);
      const kept = await database.access.read<{ name: string; batch: number }>(
        'select name, batch from knex_migrations where batch = 1 order by id',
      );
      expect(kept.map(({ name }) => name)).to.deep.equal(names.slice(0, 20));
      await database.close();
      await remove();
    });

    it(`on ${kind} leave the record of a version before as it was when they fail while they take it over`, async () => {
      const { url, remove } = await places[kind]();
      const database = await openDatabase({ url });
      await takeAsBefore(database.access, SCHEMA_STEPS);
      const failing = (access: Access): Access => ({
        ...access,
        write: (text, bindings, name) =>
          text.startsWith('create view') ? Promise.reject(new Error('killed')) : access.write(text, bindings, name),
        atomically: (work) => access.atomically((inside) => work(failing(inside))),
      });
      const failed = await takeSteps(failing(database.access), SCHEMA_STEPS).then(() => 'it was taken over', String);
      expect(failed).to.equal('Error: killed');
      const isThere = await database.access.read('select id from knex_migrations').then(
        () => true,
        () => false,
      );
      expect(isThere).to.equal(false);
      expect(await recordOfBefore(database.access)).to.have.length(SCHEMA_STEPS.length);
      await migrate(database);
      expect(await recordOfBefore(database.access)).to.have.length(SCHEMA_STEPS.length);
      await database.close();
      await remove();
    });
  }
});
