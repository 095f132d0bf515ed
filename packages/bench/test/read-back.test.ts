import { expect } from 'chai';
import sqlite3 from 'sqlite3';
import { sequenceText } from '../src/load/load-process.js';
import { startPostgres } from '../src/process/postgres.js';
import { inWorkshop, openWorkshop, type Workshop } from '../src/process/workshop.js';
import {
  COUNTING,
  countedDeployments,
  postgresQuery,
  type Query,
  requireRemembered,
  requireStoredOnce,
  sqliteQuery,
  statementsOf,
} from '../src/read-back.js';

const COMMITS = 'abcdef012345abcdef012345';
const PROJECT = 'one';

const SCHEMA = `
  create table deployments (commit_sha text, project_id text);
  create table deployment_counts (project_id text, hours integer, started integer, success integer, failure integer);
  create table idempotency (id text, status integer);`;

const failure = (check: Promise<unknown>): Promise<string> => check.then(() => 'nothing was found wrong', String);

describe('reading deployments back', () => {
  let workshop: Workshop;
  let query: Query;
  let file = '';

  const store = (sql: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const database = new sqlite3.Database(file);
      database.exec(sql, (error) => (error ? reject(error) : database.close(() => resolve())));
    });
  const insert = (...sequences: number[]): Promise<void> =>
    store(
      sequences
        .map((sequence) => `insert into deployments values ('${COMMITS}${sequenceText(sequence)}', '${PROJECT}');`)
        .join(''),
    );

  beforeEach(async () => {
    workshop = openWorkshop();
    file = workshop.path('stored.sqlite');
    query = sqliteQuery(file);
    await store(SCHEMA);
  });
  afterEach(() => workshop.close());

  it('accepts every record once, among records of other loads', async () => {
    await insert(0, 1, 2);
    await store(`insert into deployments values ('${'0'.repeat(40)}', '${PROJECT}')`);
    await requireStoredOnce(query, COMMITS, 3);
  });

  it('finds a lost, a doubled and an exchanged record', async () => {
    await insert(0, 1);
    expect(await failure(requireStoredOnce(query, COMMITS, 3))).to.include('Stored deployments: 2 instead of 3');
    await insert(1);
    expect(await failure(requireStoredOnce(query, COMMITS, 3))).to.include('Different deployments: 2 instead of 3');
    expect(await failure(requireStoredOnce(query, COMMITS, 2))).to.include('Stored deployments: 3 instead of 2');
    await store('delete from deployments');
    await insert(0, 7);
    expect(await failure(requireStoredOnce(query, COMMITS, 2))).to.include('The last deployment');
  });

  it('finds an answer that is not remembered, or only begun', async () => {
    await store(`insert into idempotency values ('one', 201), ('two', null)`);
    await requireRemembered(query, 1);
    expect(await failure(requireRemembered(query, 2))).to.include('Remembered answers: 1 instead of 2');
  });

  it('finds counts that differ from the rows', async () => {
    await insert(0, 1, 2);
    expect(await failure(countedDeployments(query, PROJECT))).to.include('No counts are kept');
    await store(`insert into deployment_counts values ('${PROJECT}', 24, 1, 1, 1), ('${PROJECT}', 1, 0, 3, 0)`);
    expect(await countedDeployments(query, PROJECT)).to.equal(3);
    await store(`update deployment_counts set success = 4 where hours = 1`);
    expect(await failure(countedDeployments(query, PROJECT))).to.include('Counts of 1 h: 4 instead of 3');
  });
});

describe('the count of statements', () => {
  it('is that of one piece of work, without what comes rarely beside it', () =>
    inWorkshop(async (workshop) => {
      const url = await (await startPostgres(workshop, 'fleeting', COUNTING)).createDatabase('counted');
      const query = postgresQuery(url);
      let times = 0;
      const work = async (): Promise<void> => {
        times += 1;
        await query('select 1 as one');
        await query("select 'two' as two");
        await query("select 'another two' as two");
        if (times % 5 === 0) await query('select now() as rare');
      };
      expect(await statementsOf(query, 10, work)).to.equal(3);
      expect(times).to.equal(10);
    }));
});
