import { once } from 'node:events';
import { expect } from 'chai';
import { grantContext, sealerOf, webhookContext } from '../../src/crypto/secret-key.js';
import { type Database, knexStores, migrate, openDatabase, stretchStoredKey } from '../../src/knex/index.js';
import { startChild } from './child.js';
import { type Place, places } from './opened.js';

const TEXT = 'the same 32 characters everywhere';
const FORMER = Buffer.alloc(32, 7);
const OTHER = Buffer.alloc(32, 8);
const AT = Date.parse('2026-01-01T00:00:00Z');
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [ADA, BOB, HOOK] = [id(1), id(2), id(3)];

const grants = (key: Uint8Array) => sealerOf(key, 'host grants');
const secrets = (key: Uint8Array) => sealerOf(key, 'webhook secrets');
const sealed = (key: Uint8Array, owner: string) =>
  grants(key).seal(`token of ${owner}`, grantContext('grant', owner, 'github'));
const signing = (text: string) => secrets(FORMER).seal(text, webhookContext(HOOK));

/** Fills a database of before: what is sealed there is sealed under the key as it was given. */
const fill = async ({ access }: Database): Promise<void> => {
  const { moment } = access.dialect;
  const add = (table: string, columns: Readonly<Record<string, string | number | null>>) =>
    access.write(
      `insert into ${table} (${Object.keys(columns).join(', ')}) values (${Object.keys(columns)
        .map(() => '?')
        .join(', ')})`,
      Object.values(columns),
    );
  const at = moment(AT);
  for (const [user, key] of [
    [ADA, FORMER],
    [BOB, OTHER],
  ] as const) {
    await add('users', {
      ...{ id: user, email: user, email_key: user, name: 'Ada', administrator: 1, password_hash: 'x', created_at: at },
    });
    await add('host_connections', {
      ...{ user_id: user, host: 'github', account_id: '1', account_name: 'ada', sealed: sealed(key, user) },
      ...{ state: 'ok', connected_at: at, version: 1 },
    });
  }
  await add('host_endings', { user_id: ADA, host: 'github', sealed: sealed(FORMER, ADA), due_at: at });
  await add('host_approvals', {
    ...{
      id: 'state',
      session_id: id(9),
      user_id: ADA,
      host: 'github',
      redirect_url: 'https://ship.acme.dev',
      expires_at: at,
    },
    sealed_verifier: grants(FORMER).seal('verifier', grantContext('verifier', ADA, 'github')),
  });
  await add('teams', { id: id(4), name: 'Core', slug: 'core', version: 1, created_at: at });
  await add('projects', {
    ...{ id: id(5), team_id: id(4), name: 'checkout', slug: 'checkout', version: 1, created_at: at, policy_version: 1 },
  });
  await add('webhooks', {
    ...{ id: HOOK, project_id: id(5), url: 'https://hooks.acme.dev', types: '[]', state: 'enabled', version: 3 },
    ...{ secret: signing('present'), former_secret: signing('former'), former_until: at, served_at: at },
    ...{
      earlier_secrets: JSON.stringify([{ sealed: signing('earlier'), until: AT }]),
      created_at: at,
      created_by: ADA,
    },
  });
};

/** What is sealed in the data, in a fixed order. */
const sealedIn = async ({ access }: Database): Promise<readonly string[]> => {
  const of = (sql: string) => access.read<{ text: string }>(sql);
  const rows = [
    ...(await of('select sealed as text from host_connections order by user_id')),
    ...(await of('select sealed as text from host_endings')),
    ...(await of('select sealed_verifier as text from host_approvals')),
    ...(await of('select secret as text from webhooks')),
    ...(await of('select former_secret as text from webhooks')),
  ].map(({ text }) => text);
  const [{ text } = { text: '[]' }] = await of('select earlier_secrets as text from webhooks');
  return [...rows, ...(JSON.parse(text) as { sealed: string }[]).map((each) => each.sealed)];
};

const opened = (key: Uint8Array, texts: readonly string[]) => [
  grants(key).unseal(texts[0] ?? '', grantContext('grant', ADA, 'github')),
  grants(key).unseal(texts[1] ?? '', grantContext('grant', BOB, 'github')),
  grants(key).unseal(texts[2] ?? '', grantContext('grant', ADA, 'github')),
  grants(key).unseal(texts[3] ?? '', grantContext('verifier', ADA, 'github')),
  ...texts.slice(4).map((text) => secrets(key).unseal(text, webhookContext(HOOK))),
];
const ALL = [`token of ${ADA}`, undefined, `token of ${ADA}`, 'verifier', 'present', 'former', 'earlier'];
const NONE = ALL.map(() => undefined);

for (const kind of ['SQLite', 'PostgreSQL'] as const) {
  describe(`a secret key that can be guessed, on ${kind}`, () => {
    let place: Place;
    let database: Database;
    beforeEach(async () => {
      place = await places[kind]();
      database = await openDatabase({ url: place.url });
      await migrate(database);
      await fill(database);
    });
    afterEach(async () => {
      await database.close();
      await place.remove();
    });

    it('is stretched with a salt of the data, under which all is sealed again that opened under it', async () => {
      const before = await sealedIn(database);
      expect(opened(FORMER, before)).to.deep.equal(ALL);
      const key = await stretchStoredKey(database.access, TEXT, FORMER);
      const after = await sealedIn(database);
      expect(opened(key, after)).to.deep.equal(ALL);
      expect(opened(FORMER, after), 'the former key opens nothing').to.deep.equal(NONE);
      expect(after[1], 'what did not open stays as it is').to.equal(before[1]);
      expect((await knexStores(database).webhooks.byId(HOOK))?.version).to.equal(3);
      expect(await stretchStoredKey(database.access, TEXT, FORMER)).to.deep.equal(key);
      expect(await sealedIn(database), 'nothing is sealed twice').to.deep.equal(after);
    });

    it('becomes the same key for all that start at once', async () => {
      const others =
        kind === 'SQLite' ? [database] : await Promise.all([1, 2].map(() => openDatabase({ url: place.url })));
      const keys = await Promise.all(
        [database, ...others].map(({ access }) => stretchStoredKey(access, TEXT, FORMER)),
      ).finally(() => Promise.all(others.filter((other) => other !== database).map((other) => other.close())));
      expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).to.equal(1);
      expect(opened(keys[0] ?? FORMER, await sealedIn(database))).to.deep.equal(ALL);
    });

    it('leaves all of it or nothing where the process is killed', async () => {
      await database.close();
      const script = `
        import { openDatabase, stretchStoredKey } from 'KNEX/index.js';
        const { access } = await openDatabase({ url: process.env.PLACE });
        let writes = 0;
        const dying = (inside) => ({ ...inside, write: async (...statement) => {
          const rows = await inside.write(...statement);
          writes += 1;
          if (writes === Number(process.env.LAST)) process.kill(process.pid, 'SIGKILL');
          return rows;
        } });
        const watched = { ...access, atomically: (work) => access.atomically((inside) => work(dying(inside))) };
        await stretchStoredKey(watched, ${JSON.stringify(TEXT)}, Buffer.alloc(32, 7));
        process.exit(0);`;
      let last = 1;
      for (; ; last += 1) {
        const child = startChild(script, { PLACE: place.url, LAST: String(last) });
        const [code] = await once(child, 'close');
        database = await openDatabase({ url: place.url });
        if (code === 0) break;
        expect(opened(FORMER, await sealedIn(database)), `killed at write ${last}`).to.deep.equal(ALL);
        expect(await database.access.read('select salt from key_salt')).to.deep.equal([]);
        await database.close();
      }
      expect(last, 'writes that it was killed at').to.be.above(4);
      const key = await stretchStoredKey(database.access, TEXT, FORMER);
      expect(opened(key, await sealedIn(database))).to.deep.equal(ALL);
    });
  });
}
