import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { PLACES, TABLES } from '../../../src/knex/copy/table-list.js';

const page = readFileSync(new URL('../../../../../../docs/capacity.md', import.meta.url), 'utf8');

/** The rows of the table about Citus: the tables of each place. */
const rows = page
  .slice(page.indexOf('| on a cluster'))
  .split('\n\n', 1)
  .join('')
  .split('\n')
  .slice(2)
  .map((line): readonly [string, readonly string[]] => {
    const [, place = '', tables = ''] = line.split('|');
    return [place.trim().split(',', 1).join(''), tables.match(/\w+/g) ?? []];
  });

const columnsOf = (table: string): readonly string[] =>
  TABLES.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? [];

describe('the places of tables on a cluster', () => {
  it('hold every table of the schema once', () => {
    expect(Object.values(PLACES).flat().sort()).to.deep.equal(TABLES.map(({ name }) => name).sort());
  });

  it('are those on the page of capacity', () => {
    expect(Object.fromEntries(rows)).to.deep.equal(PLACES);
  });

  it('are distributed by a column that the tables have', () => {
    for (const table of PLACES.distributed) expect(columnsOf(table), table).to.include('project_id');
  });
});
