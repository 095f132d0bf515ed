import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, openDatabase } from '@shipworthy/adapters/knex';
import { type TestDatabase, testDatabase } from '@shipworthy/adapters/test-database';
import { expect } from 'chai';
import { runProcess, startProcess } from '../harness/process.js';

const LATER = `insert into knex_migrations (name, batch, migration_time)
  select 'of a later version', max(batch) + 1, max(migration_time) from knex_migrations`;

/** What a later version leaves behind. */
const changedByLater = async (url: string): Promise<void> => {
  const database = await openDatabase({ url });
  await migrate(database);
  await database.access.write(LATER).finally(() => database.close());
};

const stepsIn = async (url: string): Promise<number> => {
  const database = await openDatabase({ url });
  const [taken] = await database.access.read<{ steps: number }>('select count(*) as steps from schema_steps');
  return database.close().then(() => Number(taken?.steps));
};

describe('a database that a later version has changed', () => {
  let folder: string;
  let postgres: TestDatabase;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-'));
    postgres = await testDatabase({ empty: true });
  });
  after(async () => {
    await postgres.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const refused = async (words: readonly string[], environment: Readonly<Record<string, string>>) => {
    const { code, complained } = await runProcess(words, { PORT: '0', ...environment });
    expect(code, `${words.join(' ')}: ${complained}`).to.equal(1);
    expect(complained, `${words.join(' ')}: ${complained}`).to.match(
      / step \d+ "of a later version"\. Start the later version/,
    );
  };

  it('is refused on SQLite by every command that would use it, and stays as it is', async () => {
    const file = join(folder, 'shipworthy.sqlite');
    await changedByLater(`sqlite:${file}`);
    const steps = await stepsIn(`sqlite:${file}`);
    const environment = { SHIPWORTHY_DATA_DIR: folder };
    const copy = join(folder, 'copy');
    for (const words of [['start'], ['migrate'], ['backup', copy], ['copy-to', postgres.url]])
      await refused(words, environment);
    expect([existsSync(copy), existsSync(`${file}.key`)]).to.deep.equal([false, false]);
    expect(await stepsIn(`sqlite:${file}`)).to.equal(steps);
  });

  it('is refused on PostgreSQL, where an instance that runs goes on', async () => {
    const environment = {
      DATABASE_URL: postgres.url,
      SHIPWORTHY_SECRET_KEY: 'q3dGm0Yx7TzVb1RkPs9LcWnE4uJhAf2oX8iZy6KtMvB',
    };
    const running = await startProcess(environment);
    try {
      await changedByLater(postgres.url);
      for (const words of [['start'], ['migrate'], ['partition'], ['distribute']]) await refused(words, environment);
      expect((await fetch(`${running.url}/readyz`)).status).to.equal(200);
    } finally {
      expect(await running.end()).to.equal(0);
    }
  });
});
