import { expect } from 'chai';
import { TABLES } from '../../../src/knex/copy/table-list.js';
import { postgres, sqlite } from '../../../src/knex/dialect.js';
import { withNew } from '../opened.js';

const listed = (types: Readonly<Record<string, string>>): readonly string[] =>
  TABLES.flatMap(({ name, columns }) =>
    columns.map((column) => `${name}.${column.name} ${types[column.kind]?.replace(/ collate.*/, '')}`),
  );

/** Which steps the schema has taken, and what shows it to versions of before. */
const NOT_DATA = `('knex_migrations', 'knex_migrations_lock', 'schema_steps')`;

/** SQLite has one type for several kinds, so only PostgreSQL shows whether the kinds are right. */
const COLUMNS = {
  SQLite: `select m.name || '.' || c.name || ' ' || lower(c.type) as shown
    from sqlite_master m join pragma_table_info(m.name) c
    where m.type = 'table' and m.name not in ${NOT_DATA} and m.name not like 'sqlite_%'`,
  PostgreSQL: `select table_name || '.' || column_name || ' ' ||
      case data_type when 'timestamp with time zone' then 'timestamptz' else data_type end as shown
    from information_schema.columns where table_schema = 'public' and table_name not in ${NOT_DATA}`,
};

describe('the list of tables', () => {
  for (const [kind, { types }] of [
    ['SQLite', sqlite],
    ['PostgreSQL', postgres],
  ] as const)
    it(`names every table and column there is on ${kind}, each with its kind`, () =>
      withNew(kind, async ({ database }) => {
        const there = await database.access.read<{ shown: string }>(COLUMNS[kind]);
        expect(listed(types)).to.have.members(there.map(({ shown }) => shown));
      }));

  it('names each table behind those it points to', () =>
    withNew('PostgreSQL', async ({ database }) => {
      const pointers = await database.access.read<{ one: string; other: string }>(
        `select conrelid::regclass::text as one, confrelid::regclass::text as other from pg_constraint where contype = 'f'`,
      );
      const place = (table: string) => TABLES.findIndex(({ name }) => name === table);
      expect(pointers.length).to.be.above(20);
      for (const { one, other } of pointers) expect(place(other), `${one} to ${other}`).to.be.below(place(one));
    }));
});
