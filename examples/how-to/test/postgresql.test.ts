import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestDatabase, testDatabase } from '@shipworthy/adapters/test-database';
import { createClient } from '@shipworthy/client';
import { setUp } from '@shipworthy/example-own-pipeline/person';
import { type ServerProcess, startServer } from '@shipworthy/example-own-pipeline/server-process';
import { expect } from 'chai';
import { root, runnable } from './documents.js';
import { runBlock } from './shell.js';

describe('the how-to of PostgreSQL', () => {
  const instances: ServerProcess[] = [];
  let database: TestDatabase;
  let folder = '';
  let settings: Readonly<Record<string, string>> = {};

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'how-to-'));
    database = await testDatabase({ empty: true });
    settings = { DATABASE_URL: database.url, SHIPWORTHY_SECRET_KEY: 'q3dGm0Yx7TzVb1RkPs9LcWnE4uJhAf2oX8iZy6KtMvB' };
  });
  after(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('starts several instances at once on an empty database, and they share nothing but that', async () => {
    const start = () => startServer(folder, 'a token of this test', settings);
    const [one, other] = await Promise.all([start(), start()]);
    instances.push(one, other);
    for (const { url } of instances) expect((await fetch(`${url}/readyz`)).status).to.equal(200);
    const person = await setUp(one.url, one.setupToken);
    await person.createTeam({ body: { name: 'Payments' } });
    const { body: key } = await person.createApiKey({ body: { name: 'both', scopes: ['read'] } });
    const seen = await createClient({ baseUrl: other.url, apiKey: key.data.key }).listTeams();
    expect(seen.body.data.map(({ name }) => name)).to.deep.equal(['Payments']);
  });

  it('brings the schema up to date by hand, as often as one likes, while instances run', async () => {
    const [migrate = ''] = runnable('docs/how-to/run-on-postgresql.md');
    const empty = await testDatabase({ empty: true });
    try {
      for (const url of [database.url, empty.url, empty.url])
        expect(await runBlock(migrate, root, { ...settings, DATABASE_URL: url })).to.equal(
          'The schema is up to date.\n',
        );
    } finally {
      await empty.drop();
    }
  });

  it('refuses to make up a secret key', async () => {
    const failure = await startServer(folder, 'a token of this test', { DATABASE_URL: database.url }).catch(String);
    expect(failure).to.match(/SHIPWORTHY_SECRET_KEY is required with PostgreSQL/);
  });
});
