import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@shipworthy/adapters/knex';
import { testDatabase } from '@shipworthy/adapters/test-database';
import { startGitHubServer } from '@shipworthy/adapters/test-host';
import { expect } from 'chai';
import { type Spoken, speak, startReceiving } from '../canary/outside.js';
import { invite, signIn, useKeys } from '../canary/people.js';
import { askOddly, connectHost, reportAndRead, sendEvents } from '../canary/project.js';
import { createTeller, type Teller } from '../canary/teller.js';
import { type Place, tracesOf } from '../canary/trace.js';

const canary = (name: string): string => `c4nary-${name}-${'0123456789abcdef'.repeat(2)}`;

const SETTINGS = {
  SHIPWORTHY_SECRET_KEY: 'c4nary-secret-key-q3dGm0Yx7TzVb1RkPs9LcWnE4uJhAf2oX8iZy6KtMvB',
  SHIPWORTHY_SETUP_TOKEN: canary('setup-token'),
  SHIPWORTHY_METRICS_TOKEN: canary('metrics-token'),
  GITHUB_CLIENT_SECRET: canary('client-secret'),
};
const DATABASE_PASSWORD = canary('database-password');
const UNREACHABLE = `postgres://shipworthy:${DATABASE_PASSWORD}@127.0.0.1:1/shipworthy`;

const filesIn = async (folder: string): Promise<readonly Place[]> => {
  const names = await readdir(folder);
  return Promise.all(
    names.map(async (name) => ({ name: `the file ${name}`, bytes: await readFile(join(folder, name)) })),
  );
};

/** Every row of every table as text. */
const tablesOf = async (url: string): Promise<readonly Place[]> => {
  const { access, close } = await openDatabase({ url });
  try {
    const tables = await access.read<{ readonly name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    const places: Place[] = [];
    for (const { name } of tables) {
      const rows = await access.read<{ readonly text: string }>(`select row_to_json(t)::text as text from ${name} t`);
      places.push({ name: `the table ${name}`, bytes: Buffer.from(rows.map(({ text }) => text).join('\n')) });
    }
    return places;
  } finally {
    await close();
  }
};

/** What a server is told to keep its data in, and all that is kept there. */
interface Kept {
  readonly settings: Readonly<Record<string, string>>;
  /** The place that the data must be found in. */
  readonly place: string;
  places(): Promise<readonly Place[]>;
  remove(): Promise<void>;
}

const inFile = async (folder: string): Promise<Kept> => ({
  settings: {},
  place: 'the file shipworthy.sqlite',
  places: () => filesIn(folder),
  remove: async () => {},
});

const inTables = async (folder: string): Promise<Kept> => {
  const { url, drop } = await testDatabase();
  return {
    settings: { DATABASE_URL: url },
    place: 'the table users',
    places: async () => [...(await filesIn(folder)), ...(await tablesOf(url))],
    remove: drop,
  };
};

const planted = (title: string, open: (folder: string) => Promise<Kept>) =>
  describe(title, () => {
    let folder: string;
    let kept: Kept;
    let teller: Teller;
    let spoken: Spoken;

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'shipworthy-canary-'));
      kept = await open(folder);
      const receiving = await startReceiving();
      const redirectUrls: string[] = [];
      const app = { clientSecret: SETTINGS.GITHUB_CLIENT_SECRET, redirectUrls };
      const github = await startGitHubServer({ app });
      github.data.addRepository('acme/shop');
      github.approveAs('octo');
      try {
        spoken = await speak(['start'], {
          ...SETTINGS,
          ...kept.settings,
          SHIPWORTHY_DATA_DIR: folder,
          SHIPWORTHY_WEBHOOK_TARGETS: '127.0.0.1',
          GITHUB_CLIENT_ID: github.app.clientId,
          GITHUB_API_URL: github.apiUrl,
          GITHUB_WEB_URL: github.webUrl,
        });
        const { url } = spoken;
        redirectUrls.push(`${url}/api/settings/github/callback`);
        teller = createTeller(url);
        await signIn(teller, SETTINGS.SHIPWORTHY_SETUP_TOKEN);
        const { id } = await teller.data('a team', '/api/teams', { method: 'POST', body: { name: 'Payments' } });
        const team = `/api/teams/${id}`;
        await invite(teller, id);
        const key = await useKeys(teller);
        const other = await teller.data('another project', `${team}/projects`, {
          method: 'POST',
          body: { name: 'shop' },
        });
        const project = `${team}/projects/${other.id}`;
        await sendEvents(teller, receiving, project);
        await connectHost(teller, github, project);
        await reportAndRead(teller, url, key, team);
        await askOddly(teller, SETTINGS.SHIPWORTHY_METRICS_TOKEN);
        for (const [nth, bytes] of receiving.received.entries()) teller.places.push({ name: `event ${nth}`, bytes });
        teller.places.push(...(await kept.places()));
      } finally {
        await spoken?.end();
        await github.close();
        receiving.close();
      }
      teller.places.push({ name: 'the output', bytes: Buffer.from(spoken.said()) }, ...(await kept.places()));
      for (const [name, text] of Object.entries(SETTINGS)) teller.found(name, text, []);
    });
    after(async () => {
      await kept.remove();
      await rm(folder, { recursive: true, force: true });
    });

    it('were kept, sent and logged about at all', () => {
      const names = teller.places.map(({ name }) => name);
      expect(names).to.include.members([
        'the output',
        kept.place,
        'the stream',
        'event 0',
        'the answer of the metrics',
      ]);
      expect(teller.secrets.length).to.be.above(25);
      expect(spoken.said()).to.contain('"operation":"createApiKey"');
      const stored = teller.places
        .filter(({ name }) => name.startsWith('the file') || name.startsWith('the table'))
        .map(({ bytes }) => bytes.toString('latin1'));
      expect(stored.join('')).to.contain('ada@acme.dev');
      const answered = tracesOf(
        teller.secrets.map(({ handedOutBy, ...secret }) => secret),
        teller.places,
      );
      expect(answered.length, 'handed out, each in its own answer').to.be.at.least(7);
    });

    it('are only in the answer that hands them out', () => {
      expect(tracesOf(teller.secrets, teller.places)).to.deep.equal([]);
    });
  });

planted('secrets planted wherever one can be given', inFile);
planted('secrets planted wherever one can be given, on PostgreSQL', inTables);

describe('secrets among settings', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-canary-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('are in no message about settings, right or wrong', async () => {
    const said: Place[] = [];
    const secrets = [...Object.entries(SETTINGS), ['the password of the database', DATABASE_PASSWORD]].map(
      ([name = '', text = '']) => ({ name, text }),
    );
    const wrong = { ...SETTINGS, SHIPWORTHY_DATA_DIR: folder, DATABASE_URL: UNREACHABLE };
    const shapes: readonly Readonly<Record<string, string>>[] = [
      { ...wrong, GITHUB_CLIENT_ID: 'app' },
      { ...wrong, DATABASE_URL: UNREACHABLE.replace('postgres:', 'mysql:') },
      { ...wrong, DATABASE_URL: `${UNREACHABLE}?sslmode=${DATABASE_PASSWORD}`, PORT: 'no-port' },
    ];
    const runs = [
      ...shapes.map((shape) => ({ command: ['config'], shape })),
      ...shapes
        .slice(2)
        .flatMap((shape) => [['migrate'], ['copy-to', UNREACHABLE]].map((command) => ({ command, shape }))),
    ];
    for (const { command, shape } of runs) {
      const run = await speak(command, shape);
      await run.end();
      said.push({ name: command.join(' ').replace(UNREACHABLE, 'a database'), bytes: Buffer.from(run.said()) });
    }
    for (const { name, bytes } of said) expect(bytes.length, name).to.be.above(0);
    expect(tracesOf(secrets, said)).to.deep.equal([]);
  });
});
