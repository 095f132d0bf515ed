import { expect } from 'chai';
import { postgres, sqlite } from '../../../src/knex/dialect.js';
import { SCHEMA_STEPS } from '../../../src/knex/migrations/steps.js';

/** The tables a step has made so far; it may use any statement on them, since older versions do not write there. */
interface Made {
  readonly tables: Set<string>;
  readonly columns: Set<string>;
}

/** Why a statement would hinder a version that does not know it; undefined: it does not. */
const hindrance = (statement: string, made: Made): string | undefined => {
  const sql = statement.replace(/\s+/g, ' ').trim();
  const [, table] = /^create table (\w+) \(/.exec(sql) ?? [];
  if (table !== undefined) {
    made.tables.add(table);
    return undefined;
  }
  const [, altered, column, rest = ''] = /^alter table (\w+) add column (\w+) (.*)$/.exec(sql) ?? [];
  if (altered !== undefined) {
    made.columns.add(`${altered}.${column}`);
    return /not null/.test(rest) && !/default/.test(rest) ? 'rows without the column are refused' : undefined;
  }
  const [, unique, on = '', columns = ''] = /^create (unique )?index \w+ on (\w+) \(([^)]*)\)/.exec(sql) ?? [];
  if (on !== '') {
    const fresh = made.tables.has(on) || columns.split(', ').some((name) => made.columns.has(`${on}.${name}`));
    return unique === undefined || fresh ? undefined : 'rows that were accepted are refused';
  }
  const [, into = ''] = /^insert into (\w+) \(/.exec(sql) ?? [];
  if (made.tables.has(into)) return undefined;
  const [, filled, assigned = ''] = /^update (\w+) set (.*)$/.exec(sql) ?? [];
  if (filled !== undefined) {
    const names = [...assigned.matchAll(/(?:^|, )(\w+) = /g)].map(([, name]) => `${filled}.${name}`);
    return names.length > 0 && names.every((name) => made.columns.has(name)) ? undefined : 'old columns change';
  }
  return 'it does not only add';
};

/** Steps that correct values of old columns to others the version before could have stored itself: it goes on with them. */
const CORRECTIONS: ReadonlySet<string> = new Set(['effective times']);

/** Steps that change nothing but a key, which no statement of the version before names: `on conflict` there names none. */
const KEYS: ReadonlySet<string> = new Set([
  'deployments by project',
  'test runs by project',
  'axis reports by project',
]);

const made = (): Made => ({ tables: new Set(), columns: new Set() });

describe('the steps of the schema', () => {
  for (const dialect of [sqlite, postgres])
    it(`only widen it on ${dialect.name}, so that the version before goes on`, () => {
      for (const step of SCHEMA_STEPS.filter(({ name }) => !CORRECTIONS.has(name) && !KEYS.has(name))) {
        const inStep = made();
        for (const statement of step.statements(dialect))
          expect(hindrance(statement, inStep), `${step.name}: ${statement}`).to.equal(undefined);
      }
    });

  it('are told apart from those that would hinder it', () => {
    for (const statement of [
      'drop table teams',
      'alter table teams rename column name to title',
      'alter table teams drop column slug',
      'alter table teams add column size integer not null',
      'create unique index teams_name on teams (name)',
      `update teams set name = ''`,
      'delete from sessions',
    ])
      expect(hindrance(statement, made()), statement).to.be.a('string');
    expect(hindrance('alter table teams add column size integer not null default 0', made())).to.equal(undefined);
  });
});
