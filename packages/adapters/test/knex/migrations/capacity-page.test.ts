import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { TABLES } from '../../../src/knex/copy/table-list.js';

const page = readFileSync(new URL('../../../../../../docs/capacity.md', import.meta.url), 'utf8');

/** The rows of the table about Citus: how a table gets its team, and which tables do. */
const rows = page
  .slice(page.indexOf('| how it gets'))
  .split('\n\n', 1)
  .join('')
  .split('\n')
  .slice(2)
  .map((line) => {
    const [, how = '', tables = ''] = line.split('|');
    return { how: how.trim(), tables: tables.match(/\w+/g) ?? [] };
  });

const columnsOf = (table: string): readonly string[] =>
  TABLES.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? [];

describe('the page of capacity', () => {
  it('places every table of the schema once', () => {
    const placed = rows.flatMap(({ tables }) => tables);
    expect([...placed].sort()).to.deep.equal(TABLES.map(({ name }) => name).sort());
  });

  it('says of each where its team comes from', () => {
    for (const { how, tables } of rows)
      for (const table of tables) {
        const [, column = how.startsWith('has it') ? 'team_id' : undefined] = /^from `(\w+)`$/.exec(how) ?? [];
        if (column !== undefined) expect(columnsOf(table), `${table}: ${how}`).to.include(column);
        else expect(columnsOf(table), `${table}: ${how}`).to.not.include.members(['team_id']);
      }
    expect(rows.filter(({ how }) => how.startsWith('from'))).to.have.lengthOf(4);
  });
});
