import { expect } from 'chai';
import { copyDatabase, sumsOf, tableAdder } from '../../../src/knex/copy/copy-database-sql.js';
import { partitionTables } from '../../../src/knex/index.js';
import { storedFullTeam } from '../../contract/full-team.js';
import { sampleAuditEntry } from '../../contract/sample-access.js';
import { AWKWARD, DAY, NOON, sampleDeployment, sampleId } from '../../contract/sample-records.js';
import { storedActiveRelease, storedIssue } from '../../contract/sample-world.js';
import { type Opened, openNew } from '../opened.js';

const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

describe('a copy from SQLite to PostgreSQL', () => {
  let from: Opened;
  let to: Opened;
  beforeEach(async () => {
    [from, to] = [await openNew('SQLite'), await openNew('PostgreSQL', { statementMs: 60_000 })];
  });
  afterEach(async () => {
    await from.close();
    await to.close();
  });
  const copy = () => copyDatabase(from.database, to.database);

  it('holds every row of every table as it was, and goes on from there', async () => {
    const teams = [await storedFullTeam(from.stores), await storedFullTeam(from.stores, { demo: true })];
    const before = await sumsOf(from.database.access);
    expect(await copy()).to.deep.equal(before);
    expect(before.filter(({ rows }) => rows > 0)).to.have.length.above(25);
    for (const { id } of teams) expect(await to.stores.teams.byId(id)).to.deep.equal(await from.stores.teams.byId(id));
    const [project] = await to.stores.projects.ofTeams([teams[0]?.id ?? '']);
    // The events of issues are numbered by the database: it must not begin anew.
    const issueId = sampleId();
    const event = { issueId, releaseId: null, at: NOON, kind: 'added', type: 'bug' } as const;
    await storedIssue(to.stores, project?.id ?? '', { id: issueId, releaseId: null }, [event]);
    expect(await to.stores.teams.removeDemo(teams[1]?.id ?? '')).to.equal(true);
  });

  it('goes into tables that are partitioned by months just as well', async () => {
    await storedFullTeam(from.stores);
    await partitionTables(to.database);
    expect(await copy()).to.deep.equal(await sumsOf(from.database.access));
    expect(await to.stores.deployments.recount()).to.deep.equal([]);
  });

  it('keeps what the two databases write differently: truth, moments, numbers, JSON, nothing, and any text', async () => {
    const { project, owner, team } = await storedActiveRelease(from.stores);
    const odd = [
      sampleDeployment(project.id, { appName: AWKWARD, startedAt: FIRST_MOMENT, durationSeconds: 0.1 + 0.2 }),
      sampleDeployment(project.id, { appName: '', startedAt: LAST_MOMENT, finishedAt: null, durationSeconds: 1e-300 }),
      sampleDeployment(project.id, {
        appName: 'NULL',
        version: '{"a",\\}',
        startedAt: NOON + 1,
        durationSeconds: null,
      }),
    ];
    await from.stores.reports.record(odd.map((deployment) => ({ kind: 'deployment', deployment, remember: null })));
    const detail = { text: AWKWARD, nested: [null, true, 1.5e21, { '': -0.5 }] };
    await from.stores.audit.append(sampleAuditEntry(team.id, owner.id, { detail }));
    await copy();
    const ids = odd.map(({ id }) => id);
    expect(await to.stores.deployments.byIds(ids)).to.deep.equal(odd);
    const page = { limit: 5, after: null };
    const [entry] = (await to.stores.audit.page({ teamId: team.id }, page)).rows;
    expect(entry?.detail).to.deep.equal(detail);
    const { rows } = await to.stores.users.byId(owner.id).then((user) => ({ rows: [user] }));
    expect(rows).to.deep.equal([owner]);
    const sorted = (opened: Opened, table: string, column: string) =>
      opened.database.access.read(`select ${column} as value from ${table} order by ${column}`);
    for (const [table, column] of [
      ['deployments', 'id'],
      ['deployments', 'app_name'],
      ['users', 'email'],
    ] as const)
      expect(await sorted(to, table, column), `${table}.${column}`).to.deep.equal(await sorted(from, table, column));
  });

  it('is refused by a target with rows in it, and leaves that as it was', async () => {
    await storedFullTeam(from.stores);
    const { team } = await storedActiveRelease(to.stores);
    const before = await to.database.access.atomically(sumsOf);
    expect(await copy().catch((error: unknown) => String(error))).to.match(/not empty: there are rows in users/);
    expect(await to.database.access.atomically(sumsOf)).to.deep.equal(before);
    expect(await to.stores.teams.byId(team.id)).to.deep.equal(team);
  });

  it('is there as a whole or not at all', async () => {
    const { project } = await storedActiveRelease(from.stores);
    // What PostgreSQL cannot hold, and what this service never writes.
    await from.database.access.write('update projects set name = ? where id = ?', ['x', project.id]);
    await from.database.access.write(`update projects set name = name || char(0) where id = ?`, [project.id]);
    expect(
      await copy().then(
        () => 'copied',
        () => 'refused',
      ),
    ).to.equal('refused');
    const empty = await to.database.access.atomically(sumsOf);
    expect(empty.reduce((rows, sum) => rows + sum.rows, 0)).to.equal(0);
  });

  it('takes some seconds of work for 20,000 rows', async () => {
    const { project } = await storedActiveRelease(from.stores);
    const day = (n: number) => NOON + (n % 300) * DAY;
    for (let wave = 0; wave < 10; wave += 1)
      await from.stores.reports.record(
        Array.from({ length: 2_000 }, (_, n) => ({
          kind: 'deployment',
          deployment: sampleDeployment(project.id, { startedAt: day(n) + wave }),
          remember: null,
        })),
      );
    const before = process.cpuUsage();
    const sums = await copy();
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000_000).to.be.below(10);
    expect(sums.find(({ table }) => table === 'deployments')?.rows).to.equal(20_000);
  });
});

const sumOf = (rows: readonly (readonly (string | number | null)[])[]) => {
  const adder = tableAdder('t');
  for (const row of rows) adder.add([row]);
  return adder.sum();
};

describe('a checksum of rows', () => {
  const rows = [
    ['a', 1, null],
    ['b', 2.5, 'x'],
    ['a', 1, null],
  ];

  it('does not depend on the order or on how many come at a time', () => {
    const adder = tableAdder('t');
    adder.add(rows);
    expect(adder.sum()).to.deep.equal(sumOf(rows.toReversed()));
    expect(adder.sum()).to.include({ table: 't', rows: 3 });
    expect(adder.sum().checksum).to.match(/^[0-9a-f]{32}$/);
  });

  it('tells what changed, was lost or came twice', () => {
    const { checksum } = sumOf(rows);
    const others = [
      rows.slice(1),
      [...rows, ['a', 1, null]],
      [['a', 1, ''], ...rows.slice(1)],
      [['a', '1', null], ...rows.slice(1)],
    ];
    for (const other of others) expect(sumOf(other).checksum).to.not.equal(checksum);
    expect(sumOf([]).checksum).to.equal('0'.repeat(32));
  });
});
