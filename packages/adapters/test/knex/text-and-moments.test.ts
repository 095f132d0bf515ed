import { expect } from 'chai';
import { momentOfTimestamp } from '../../src/knex/postgres/connection.js';
import { expectRefused } from '../contract/expectations.js';
import { sampleUser } from '../contract/sample-access.js';
import { NOON, sampleDeployment } from '../contract/sample-records.js';
import { storedActiveRelease } from '../contract/sample-world.js';
import { outputOf, startChild } from './child.js';
import { openNew, withNew } from './opened.js';

const KINDS = ['SQLite', 'PostgreSQL'] as const;

// Summer time begins and ends, a year before it was invented, and the ends of what can be kept.
const MOMENTS = [
  '2026-03-08T06:59:59.999Z',
  '2026-03-29T01:00:00.000Z',
  '2026-11-01T05:30:00.001Z',
  '1850-06-01T12:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
];

const ROUND_TRIP = `
  import { openDatabase } from 'KNEX/index.js';
  const { access } = await openDatabase({ url: process.env.PLACE });
  const rows = access.dialect.rowset('v', { at: 'moment' });
  for (const text of process.env.MOMENTS.split(' ')) {
    const at = access.dialect.moment(Date.parse(text));
    await access.write('insert into teams (id, name, slug, version, created_at) values (?, ?, ?, 1, ?)',
      [crypto.randomUUID(), text, text, at]);
    await access.write(
      'insert into sign_in_attempts (id, account, address, at) select ?, ?, ?, v.at from ' + rows.table,
      [crypto.randomUUID(), text, text, ...rows.bindings([[at]])]);
  }
  const read = async (sql) => (await access.read(sql)).map(({ at }) => new Date(at).toISOString());
  console.log(JSON.stringify([
    await read('select created_at as at from teams order by created_at'),
    await read('select at from sign_in_attempts order by at'),
    await read('select ' + access.dialect.milliseconds('at') + ' as at from sign_in_attempts order by at'),
  ]));
  process.exit(0);`;

describe('moments', () => {
  for (const kind of KINDS) {
    it(`come back from ${kind} in any time zone of the process`, async () => {
      for (const zone of ['America/St_Johns', 'Pacific/Apia', 'Europe/Amsterdam']) {
        await withNew(kind, async ({ url, database }) => {
          // The file is one process's alone.
          if (kind === 'SQLite') await database.close();
          const child = startChild(ROUND_TRIP, { PLACE: url, TZ: zone, PGTZ: zone, MOMENTS: MOMENTS.join(' ') });
          const sorted = MOMENTS.toSorted();
          expect(JSON.parse(await outputOf(child))).to.deep.equal([sorted, sorted, sorted]);
        });
      }
    });

    it(`outside the years 1 to 9999 are refused on ${kind}`, () =>
      withNew(kind, async ({ stores }) => {
        for (const createdAt of [Date.parse('0000-12-31T23:59:59.999Z'), 253_402_300_800_000, 0.5, Number.NaN]) {
          await expectRefused(stores.users.create({ ...sampleUser(), createdAt }, 'hash'), 'invalid');
        }
      }));
  }

  it('are read with any offset that PostgreSQL writes', () => {
    const read = (text: string): string => new Date(momentOfTimestamp(text)).toISOString();
    expect(read('2026-11-21 03:31:00.12+00')).to.equal('2026-11-21T03:31:00.120Z');
    expect(read('2026-11-21 03:31:00-03:30')).to.equal('2026-11-21T07:01:00.000Z');
    expect(read('1850-06-01 12:19:32.123456+00:19:32')).to.equal('1850-06-01T12:00:00.123Z');
    expect(() => momentOfTimestamp('infinity')).to.throw(RangeError);
    expect(() => momentOfTimestamp('0044-03-15 00:00:00+00 BC')).to.throw(RangeError);
  });
});

describe('text that cannot be kept', () => {
  const BAD = ['nul\0', 'lone \ud800', '\udc00 other half'];

  for (const kind of KINDS) {
    it(`is refused on ${kind} before it gets there, in any place`, async () => {
      const { stores, close } = await openNew(kind);
      const { owner, team, project, release } = await storedActiveRelease(stores);
      for (const bad of BAD) {
        await expectRefused(stores.users.create(sampleUser({ name: bad }), 'hash'), 'invalid');
        await expectRefused(stores.projects.named([{ name: bad, at: NOON }]), 'invalid');
        const policy = await stores.policies.current(project.id);
        if (policy === undefined) throw new Error('no policy');
        const next = { ...policy, version: 2, policy: { ...policy.policy, environments: [bad] } };
        await expectRefused(stores.policies.add(project.id, next), 'invalid');
        const [good, failed] = await stores.reports.record(
          ['staging', bad].map((environment) => ({
            kind: 'deployment',
            deployment: sampleDeployment(project.id, { environment }),
            remember: null,
          })),
        );
        expect(good).to.deep.equal({ result: 'created' });
        expect(failed?.result).to.equal('failed');
        const used = stores.transaction(async (inside) => {
          await expectRefused(inside.teams.replace({ ...team, name: bad, version: 2 }), 'invalid');
          return inside.users.byId(owner.id);
        });
        expect(await used).to.deep.equal(owner);
      }
      expect((await stores.facts.revisions([release.id]))[0]?.revision).to.be.above(1);
      await close();
    });
  }
});
