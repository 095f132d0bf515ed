import { existsSync } from 'node:fs';
import { copyFile, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { expect } from 'chai';
import { sumsOf } from '../../src/knex/copy/copy-database-sql.js';
import { knexStores, migrate, openDatabase } from '../../src/knex/index.js';
import { takeSteps } from '../../src/knex/migrations/migrate.js';
import { SCHEMA_STEPS } from '../../src/knex/migrations/steps.js';
import { backUpSqlite, restoreSqlite } from '../../src/knex/sqlite/backup.js';
import { closeSqliteFile, exec, openSqliteFile } from '../../src/knex/sqlite/connection.js';
import { storedFullTeam } from '../contract/full-team.js';
import { sampleUser } from '../contract/sample-access.js';
import { killed, startChild, written } from './child.js';
import { type Place, places } from './opened.js';

const fileOf = (url: string): string => url.replace('sqlite:', '');
const refusal = (work: Promise<unknown>): Promise<string> => work.then(() => 'nothing was refused', String);

/** Leaves a file, and its journal beside it, as a process does that is killed amid a change without a write-ahead log. */
const cutAmidChange = async (file: string): Promise<void> => {
  const connection = await openSqliteFile(file);
  try {
    const change = `begin immediate; update users set name = hex(zeroblob(100000)); update users set email = name`;
    await exec(connection, `pragma journal_mode = delete; pragma cache_size = 1; ${change}`);
    for (const path of [file, `${file}-journal`]) await copyFile(path, `${path}.cut`);
    await exec(connection, 'rollback');
  } finally {
    await closeSqliteFile(connection);
  }
  await rename(`${file}.cut`, file);
  await rename(`${file}-journal.cut`, `${file}-journal`);
};

describe('a backup of a SQLite file', () => {
  let place: Place;
  let file: string;
  let backup: string;
  beforeEach(async () => {
    place = await places.SQLite();
    file = fileOf(place.url);
    backup = `${file}.backup`;
  });
  afterEach(() => place.remove());

  const opened = async <Result>(work: (opened: Awaited<ReturnType<typeof openDatabase>>) => Promise<Result>) => {
    const database = await openDatabase({ url: place.url });
    await migrate(database);
    return work(database).finally(() => database.close());
  };
  const sums = () => opened(({ access }) => sumsOf(access));

  it('holds what was there, also while the file is open, for its owner only; restored it is the same again', async () => {
    await opened(async (database) => {
      await storedFullTeam(knexStores(database));
      await backUpSqlite(file, backup);
      await knexStores(database).users.create(sampleUser(), 'later');
    });
    expect((await stat(backup)).mode & 0o777).to.equal(0o600);
    const later = await sums();
    const { kept } = await restoreSqlite(backup, file, true);
    const then = await sums();
    expect(then).to.not.deep.equal(later);
    const users = (of: typeof then) => of.find(({ table }) => table === 'users')?.rows ?? 0;
    expect(users(then)).to.equal(users(later) - 1);
    await restoreSqlite(kept ?? '', file, true);
    expect(await sums()).to.deep.equal(later);
  });

  it('overwrites nothing, and leaves no half copy behind when it fails', async () => {
    await opened(async () => {});
    await writeFile(backup, 'precious');
    expect(await refusal(backUpSqlite(file, backup))).to.match(/EEXIST/);
    expect(await readFile(backup, 'utf8')).to.equal('precious');
    const absent = `${file}.absent`;
    expect(await refusal(backUpSqlite(absent, `${file}.copy`))).to.match(/SQLITE_CANTOPEN/);
    const names = await readdir(dirname(file));
    expect(names.filter((name) => /\.(copy|part|absent)/.test(name))).to.deep.equal([]);
  });

  it('holds what a process had committed before it was killed', async () => {
    const child = startChild(
      `import { knexStores, migrate, openDatabase } from 'KNEX/index.js';
      const database = await openDatabase({ url: process.env.PLACE });
      await migrate(database);
      const { users } = knexStores(database);
      const user = { id: crypto.randomUUID(), email: 'a@b.dev', name: 'Ada', emailVerified: true, administrator: true, disabledAt: null, createdAt: 0 };
      await users.createFirst(user, 'hash');
      console.log('written');
      setInterval(() => {}, 1000);`,
      { PLACE: place.url },
    );
    await written(child, 'written');
    await killed(child);
    await backUpSqlite(file, backup);
    await restoreSqlite(backup, file, true);
    expect(await opened((database) => knexStores(database).users.any())).to.equal(true);
  });

  it('is written once by two at once', async () => {
    await opened(async () => {});
    const both = await Promise.allSettled([backUpSqlite(file, backup), backUpSqlite(file, backup)]);
    expect(both.map(({ status }) => status)).to.have.members(['fulfilled', 'rejected']);
    await restoreSqlite(backup, file, true);
  });

  it('is put in the place of an empty database, and of one in use only when that is wanted', async () => {
    await opened((database) => knexStores(database).users.create(sampleUser(), 'hash'));
    await backUpSqlite(file, backup);
    const before = await sums();
    expect(await refusal(restoreSqlite(backup, file, false))).to.match(/--replace/);
    expect(await sums()).to.deep.equal(before);
    const elsewhere = `${file}.elsewhere`;
    expect(await restoreSqlite(backup, elsewhere, false)).to.deep.equal({ kept: null });
    const empty = `${file}.empty`;
    await (await openDatabase({ url: `sqlite:${empty}` })).close();
    expect((await restoreSqlite(backup, empty, false)).kept).to.match(/\.before-\d{8}T\d{6}$/);
  });

  it('keeps every database that it replaces, of several within a second, too', async () => {
    await opened((database) => knexStores(database).users.create(sampleUser(), 'hash'));
    await backUpSqlite(file, backup);
    const kept: (string | null)[] = [];
    for (let time = 0; time < 3; time += 1) kept.push((await restoreSqlite(backup, file, true)).kept);
    expect(new Set(kept).size).to.equal(3);
    for (const path of kept) expect(existsSync(path ?? '')).to.equal(true);
  });

  it('is refused while the database is open', async () => {
    await opened(async () => {
      await backUpSqlite(file, backup);
      expect(await refusal(restoreSqlite(backup, file, true))).to.match(/Another process has/);
    });
  });

  it('is refused when it is damaged, foreign, or of a later version, and then nothing changes', async () => {
    await opened((database) => knexStores(database).users.create(sampleUser(), 'hash'));
    const before = await sums();
    const bad = async (name: string, spoil: (path: string) => Promise<unknown>) => {
      const path = `${file}.${name}`;
      await backUpSqlite(file, path);
      await spoil(path);
      return refusal(restoreSqlite(path, file, true));
    };
    const changed = (sql: string) => async (path: string) => {
      const database = await openDatabase({ url: `sqlite:${path}` });
      await database.access.write(sql).finally(() => database.close());
    };
    const cut = async (path: string) => {
      const content = await readFile(path);
      content.fill(0xff, Math.floor(content.length / 4), Math.floor(content.length / 2));
      await writeFile(path, content);
    };
    expect(await bad('damaged', cut)).to.match(/damaged|malformed|SQLITE_CORRUPT/);
    expect(
      await bad('text', (path) => writeFile(path, 'no database at all, but long enough to be read as one')),
    ).to.match(/no SQLite database|no database of Shipworthy/);
    expect(await bad('foreign', changed('drop view schema_steps'))).to.match(/no database of Shipworthy/);
    const later = `insert into knex_migrations (name, batch, migration_time) values ('later', 1, 0)`;
    expect(await bad('later', changed(later))).to.match(/later version/);
    expect(await bad('other', changed(`update knex_migrations set name = 'x' where id = 2`))).to.match(/other steps/);
    const trigger = 'create trigger stays after insert on sessions begin update users set administrator = 1; end';
    expect(await bad('trigger', changed(trigger))).to.match(/holds the trigger "stays", which no version/);
    expect(await bad('view', changed('create view knex_steps as select 1'))).to.match(/holds the view "knex_steps"/);
    const virtual = async (path: string) => {
      await changed('create virtual table notes using fts5(text)')(path);
      const hidden = `update sqlite_master set sql = replace(sql, 'CREATE VIRTUAL', 'CREATE/**/VIRTUAL') where name = 'notes'`;
      const connection = await openSqliteFile(path);
      await exec(connection, `pragma writable_schema = on; ${hidden}`).finally(() => closeSqliteFile(connection));
    };
    expect(await bad('virtual', virtual)).to.match(/holds the table "notes"/);
    const lies = async (path: string) => {
      await changed('drop view schema_steps')(path);
      await changed(`create view schema_steps as select 1 as version, 'people' as name, 0 as taken_at`)(path);
    };
    expect(await bad('lies', lies)).to.match(/holds the view "schema_steps"/);
    expect(await refusal(restoreSqlite(`${file}.absent`, file, true))).to.match(
      /\.absent is not there, or may not be read\./,
    );
    expect(await sums()).to.deep.equal(before);
    const names = await readdir(dirname(file));
    expect(names.filter((name) => name.includes('restoring'))).to.deep.equal([]);
  });

  it('is refused while a part of its content is beside it, which it then leaves as it is', async () => {
    await opened((database) => knexStores(database).users.create(sampleUser(), 'hash'));
    await backUpSqlite(file, backup);
    await writeFile(`${backup}-wal`, '');
    await restoreSqlite(backup, file, true);
    const before = await sums();
    for (const ending of ['-wal', '-journal']) {
      const path = `${file}.copy${ending}`;
      await copyFile(backup, path);
      await writeFile(path + ending, 'what is not in the file');
      expect(await refusal(restoreSqlite(path, file, true))).to.include(
        `not whole: a part of its content is in ${path}${ending}`,
      );
      await symlink(path, `${path}.link`);
      expect(await refusal(restoreSqlite(`${path}.link`, file, true))).to.include('not whole');
      expect(await readFile(path + ending, 'utf8')).to.equal('what is not in the file');
    }
    expect(await sums()).to.deep.equal(before);
  });

  it('is not mixed with what a killed change of another database left there', async () => {
    await opened((database) => knexStores(database).users.create(sampleUser(), 'hash'));
    await backUpSqlite(file, backup);
    const before = await sums();
    await opened((database) => knexStores(database).users.create({ ...sampleUser(), name: 'n'.repeat(9000) }, 'hash'));
    await cutAmidChange(file);
    await copyFile(`${file}-journal`, `${file}.restoring-journal`);
    const { kept } = await restoreSqlite(backup, file, true);
    expect(await sums()).to.deep.equal(before);
    const names = await readdir(dirname(file));
    expect(names).to.include(`${basename(kept ?? '')}-journal`);
    expect(names.filter((name) => name.includes('restoring'))).to.deep.equal([]);
  });

  it('takes the log of a killed process into the former database before that is kept aside', async () => {
    await opened((database) => knexStores(database).users.create(sampleUser(), 'hash'));
    await backUpSqlite(file, backup);
    await opened(async (database) => {
      await knexStores(database).users.create(sampleUser(), 'hash');
      for (const path of [file, `${file}-wal`]) await copyFile(path, path.replace(file, `${file}.cut`));
    });
    const whole = await sums();
    for (const ending of ['', '-wal']) await rename(`${file}.cut${ending}`, file + ending);
    expect((await stat(`${file}-wal`)).size).to.be.above(0);
    const { kept } = await restoreSqlite(backup, file, true);
    expect((await readdir(dirname(file))).filter((name) => name.endsWith('-wal'))).to.deep.equal([]);
    await rename(kept ?? '', file);
    expect(await sums()).to.deep.equal(whole);
  });

  it('of an earlier version is brought up to date when it is opened', async () => {
    const earlier = await openDatabase({ url: `sqlite:${file}.earlier` });
    await takeSteps(earlier.access, SCHEMA_STEPS.slice(0, -1));
    await knexStores(earlier).users.create(sampleUser(), 'hash');
    await earlier.close();
    await backUpSqlite(`${file}.earlier`, backup);
    await restoreSqlite(backup, file, true);
    await opened(async (again) => {
      await again.ready();
      expect(await knexStores(again).users.any()).to.equal(true);
    });
  });

  it('takes the place of a database of which only a log is left, and does not take that for its own', async () => {
    await opened((database) => knexStores(database).users.create(sampleUser(), 'hash'));
    await backUpSqlite(file, backup);
    const before = await sums();
    const open = await openDatabase({ url: place.url });
    for (let count = 0; count < 20; count += 1) await knexStores(open).users.create(sampleUser(), 'hash');
    // What a killed server leaves when its database is moved away without the log.
    await copyFile(`${file}-wal`, `${file}.left`);
    await open.close();
    await rm(file);
    await rename(`${file}.left`, `${file}-wal`);
    const { kept } = await restoreSqlite(backup, file, false);
    expect(await sums()).to.deep.equal(before);
    expect(existsSync(`${kept}-wal`), 'the log that was left').to.equal(true);
  });

  it('takes the place of a database that cannot be read any more', async () => {
    await opened((database) => knexStores(database).users.create(sampleUser(), 'hash'));
    await backUpSqlite(file, backup);
    const before = await sums();
    await writeFile(file, 'damaged beyond repair'.repeat(1000));
    await copyFile(backup, `${file}-wal`);
    expect(await refusal(restoreSqlite(backup, file, false))).to.match(/--replace/);
    const { kept } = await restoreSqlite(backup, file, true);
    expect(await sums()).to.deep.equal(before);
    expect(await readdir(dirname(file))).to.include.members([basename(kept ?? ''), `${basename(kept ?? '')}-wal`]);
  });
});
