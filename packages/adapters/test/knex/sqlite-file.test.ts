import { execFileSync } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import { knexStores, migrate, openDatabase } from '../../src/knex/index.js';
import { expectRefused } from '../contract/expectations.js';
import { sampleUser } from '../contract/sample-access.js';
import { killed, startChild, written } from './child.js';
import { places, withNew } from './opened.js';

const HOLDER = `
  import { migrate, openDatabase } from 'KNEX/index.js';
  const database = await openDatabase({ url: process.env.PLACE });
  await migrate(database);
  console.log('open');
  setInterval(() => {}, 1000);`;

describe('a SQLite file', () => {
  it('belongs to one process, until that ends however it may', async () => {
    const { url, remove } = await places.SQLite();
    const holder = startChild(HOLDER, { PLACE: url });
    await written(holder, 'open');
    await expectRefused(openDatabase({ url, waitMs: 100 }), 'unavailable');
    await killed(holder);
    const database = await openDatabase({ url, waitMs: 100 });
    await database.ready();
    await database.close();
    await remove();
  });

  it('is no FIFO, which would be waited for without a word, and neither is its lock', async () => {
    for (const ending of ['', '.lock']) {
      const { url, remove } = await places.SQLite();
      const path = `${url.replace('sqlite:', '')}${ending}`;
      execFileSync('mkfifo', [path]);
      const opened = await openDatabase({ url }).then(() => 'it was opened', String);
      expect(opened).to.equal(`Error: ${path} is a FIFO, not a file.`);
      await remove();
    }
  });

  it('is readable by its owner only, with all that is beside it', async () => {
    const { url, remove } = await places.SQLite();
    const database = await openDatabase({ url });
    await migrate(database);
    await knexStores(database).users.create(sampleUser(), 'hash');
    const file = url.replace('sqlite:', '');
    const names = (await readdir(dirname(file))).filter((name) => name.startsWith(basename(file)));
    expect(names).to.include.members([basename(file), `${basename(file)}-wal`]);
    for (const name of names) expect((await stat(join(dirname(file), name))).mode & 0o077, name).to.equal(0);
    await database.close();
    await remove();
  });

  it('is waited for while the process that has it is ending', async () => {
    const { url, remove } = await places.SQLite();
    const holder = startChild(HOLDER, { PLACE: url });
    await written(holder, 'open');
    const opening = openDatabase({ url });
    await killed(holder);
    await (await opening).close();
    await remove();
  });

  it('may be opened more than once by one process, and is free after the last close', () =>
    withNew('SQLite', async ({ url, stores }) => {
      const second = await openDatabase({ url });
      const user = sampleUser();
      await stores.users.create(user, 'hash');
      expect(await knexStores(second).users.byId(user.id)).to.deep.equal(user);
      await second.close();
      const third = await openDatabase({ url });
      expect(await knexStores(third).users.any()).to.equal(true);
      await third.close();
    }));

  it('is written durably, with references enforced, beside readers that cannot write', () =>
    withNew('SQLite', async ({ database: { access } }) => {
      const pragma = async (name: string) => Object.values((await access.write<object>(`pragma ${name}`))[0] ?? {})[0];
      expect(await pragma('synchronous')).to.equal(2);
      expect(await pragma('journal_mode')).to.equal('wal');
      expect(await pragma('foreign_keys')).to.equal(1);
      const refused = await access.read('delete from users').catch((error: { readonly code?: string }) => error.code);
      expect(refused).to.equal('SQLITE_READONLY');
    }));

  it('that cannot be made is unavailable', async () => {
    const { url, remove } = await places.SQLite();
    await expectRefused(openDatabase({ url: `${url}/below/a/file` }), 'unavailable');
    await remove();
  });

  it('must be a file, and other kinds of url are refused', async () => {
    for (const url of ['sqlite::memory:', 'sqlite:', 'mysql://localhost/x']) {
      await expectRefused(openDatabase({ url }), 'invalid');
    }
  });
});
