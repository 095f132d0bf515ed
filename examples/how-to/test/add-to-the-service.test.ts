import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Database, knexStores, migrate, openDatabase } from '@shipworthy/adapters/knex';
import { memoryStores } from '@shipworthy/adapters/memory';
import { type Client, createClient, type PolicyRequest } from '@shipworthy/client';
import type { ConfiguredHost } from '@shipworthy/domain/ports';
import { setUp } from '@shipworthy/example-own-pipeline/person';
import { type Stage, setStage } from '@shipworthy/example-own-pipeline/stage';
import { createShipworthy, type Shipworthy } from '@shipworthy/server';
import { expect } from 'chai';
import { ADA } from './ada.js';
import { readDocument, root } from './documents.js';
import { applyEdit, editsIn } from './edits.js';

const FIELD = editsIn(readDocument('docs/how-to/add-a-field.md').blocks);
const ROUTE = editsIn(readDocument('docs/how-to/add-a-route.md').blocks);
const HOST = editsIn(readDocument('docs/how-to/add-a-host.md').blocks);
/** The axis' name in engine and contract, and all else of it. */
const [NAME, NAME_SENT, ...AXIS] = editsIn(readDocument('docs/how-to/add-an-axis.md').blocks);
const NAMING = [NAME, NAME_SENT].filter((edit) => edit !== undefined);
const COPIED = ['domain', 'client', 'test-reports', 'adapters', 'server', 'web'];
/** No more files than these may be needed for a field on deployments, and for an axis. */
const MOST_FILES = 8;

const filesOf = (edits: typeof FIELD): readonly string[] => [...new Set(edits.map(({ about }) => about))];

const SETUP_TOKEN = 'the token of this test';
const REPORT = { app_name: 'checkout', environment: 'production', commit_sha: '0123abc', status: 'success' } as const;

/** Sources of the packages in a folder of their own; what they import from one another is found there, all else in the checkout. */
const copyPackages = async (folder: string): Promise<void> => {
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@shipworthy'), { recursive: true });
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '@shipworthy' && !name.startsWith('.'))
      await symlink(join(root, 'node_modules', name), join(modules, name));
  const settings = JSON.parse(await readFile(join(root, 'tsconfig.base.json'), 'utf8'));
  // The types of other packages are checked where the checkout is compiled; leaving them out here saves half of the time.
  Object.assign(settings.compilerOptions, { skipLibCheck: true, sourceMap: false, declarationMap: false });
  await writeFile(join(folder, 'tsconfig.base.json'), JSON.stringify(settings));
  for (const name of COPIED) {
    const copy = join(folder, 'packages', name);
    for (const part of ['src', 'package.json', 'tsconfig.json'])
      await cp(join(root, 'packages', name, part), join(copy, part), { recursive: true });
    await symlink(copy, join(modules, '@shipworthy', name));
  }
};

/** A module of the copy, which has the face of the one in the checkout. */
const copied = <Face>(folder: string, path: string): Promise<Face> =>
  import(pathToFileURL(join(folder, 'packages', path)).href) as Promise<Face>;

type Knex = { openDatabase: typeof openDatabase; migrate: typeof migrate; knexStores: typeof knexStores };
type Server = { createShipworthy: typeof createShipworthy };
type Settings = Readonly<Record<string, string>>;
type Reading<Config> = { config: Config | null; faults: readonly string[] };
type Reader = { readConfig<Config>(environment: Settings, surroundings: object): Reading<Config> };
type Start = { repositoryHostOf(config: object, secretKey: Uint8Array): Promise<ConfiguredHost | null> };

describe('the how-tos of a field, of a route, of a host and of an axis', function () {
  this.timeout(300_000);
  let folder: string;
  let database: Database;
  let service: Shipworthy;
  let address: URL;
  let stage: Stage;
  const secretKey = randomBytes(32);

  const serve = async (knex: Knex, server: Server): Promise<void> => {
    database = await knex.openDatabase({ url: `sqlite:${join(folder, 'data.sqlite')}` });
    await knex.migrate(database);
    const stores = knex.knexStores(database);
    service = server.createShipworthy({ stores, secretKey, setupToken: SETUP_TOKEN });
    address = await service.listen({ host: '127.0.0.1', port: 0 });
  };
  const stop = async (): Promise<void> => {
    await service?.close();
    await database?.close();
  };
  const send = (path: string, body?: unknown) =>
    fetch(new URL(path, address), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${stage.apiKey}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
  const inProject = () => `/api/teams/${stage.path.team_id}/projects/${stage.path.project_id}`;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'add-a-field-'));
    await copyPackages(folder);
  });
  after(async () => {
    await stop();
    await rm(folder, { recursive: true });
  });

  /** Compiles the copy, server and application; what the compiler says about it. */
  const compile = async (): Promise<string> => {
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const args = [compiler, '-b', 'packages/server', 'packages/web', '--pretty', 'false'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch(
      (error: { stdout: string }) => error,
    );
    return stdout;
  };

  it(`name ${MOST_FILES} files at most for the field, and for the axis`, () => {
    expect(filesOf(FIELD)).to.have.length.within(1, MOST_FILES);
    expect(filesOf([...NAMING, ...AXIS])).to.have.length.within(1, MOST_FILES);
  });

  it('say where the compiler stops once an axis has a name', async () => {
    for (const block of NAMING) await applyEdit(folder, block);
    const stops = new Set([...(await compile()).matchAll(/^(\S+?)\(\d+,/gm)].map(([, file]) => file));
    expect(stops.size).to.be.at.least(2);
    expect(filesOf(AXIS)).to.include.members([...stops]);
  });

  it('compile once all is done', async () => {
    for (const block of [...FIELD, ...ROUTE, ...HOST, ...AXIS]) await applyEdit(folder, block);
    expect(await compile()).to.equal('');
  });

  it('take the field on a database that was there before, answer it, and null where it is missing', async () => {
    await serve({ openDatabase, migrate, knexStores }, { createShipworthy });
    const person: Client = await setUp(address.origin, SETUP_TOKEN);
    stage = await setStage(person, 'checkout', new Date('2026-01-01T00:00:00Z'));
    const pipeline = createClient({ baseUrl: address.origin, apiKey: stage.apiKey });
    const { body: old } = await pipeline.recordDeployment({ body: REPORT });
    await stop();

    const knex = await copied<Knex>(folder, 'adapters/dist/src/knex/index.js');
    await serve(knex, await copied<Server>(folder, 'server/dist/src/index.js'));
    const sent = await send('/api/deployments', { ...REPORT, region: 'eu-west-1' });
    const { data } = (await sent.json()) as { data: { id: string; region: string } };
    expect([sent.status, data.region]).to.deep.equal([201, 'eu-west-1']);
    const rows = (await (await send(`${inProject()}/deployments`)).json()) as {
      data: { id: string; region: string | null }[];
    };
    expect(rows.data.map(({ id, region }) => [id, region])).to.deep.equal([
      [data.id, 'eu-west-1'],
      [old.data.id, null],
    ]);
    const refused = await send('/api/deployments', { ...REPORT, region: '' });
    expect(refused.status).to.equal(422);
    expect(
      ((await refused.json()) as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer),
    ).to.include('/region');
  });

  it('name every column in the list that a copy to PostgreSQL goes by', async () => {
    const { TABLES } = await copied<{
      TABLES: readonly { name: string; columns: readonly { name: string }[] }[];
    }>(folder, 'adapters/dist/src/knex/copy/table-list.js');
    const there = await database.access.read<{ name: string }>("select name from pragma_table_info('deployments')");
    const listed = TABLES.find(({ name }) => name === 'deployments')?.columns.map(({ name }) => name);
    expect(listed)
      .to.include('region')
      .and.have.members(there.map(({ name }) => name));
  });

  it('answer the route to a caller who may read, by the rules of its operation', async () => {
    const latest = `${inProject()}/deployments/latest`;
    const answer = await send(latest);
    const { data } = (await answer.json()) as { data: { region: string; environment: string } };
    expect([answer.status, data.region, data.environment]).to.deep.equal([200, 'eu-west-1', 'production']);
    expect((await send(`${latest}?environment=staging`)).status).to.equal(404);
    expect((await send(`${latest}?colour=red`)).status).to.equal(422);
    expect((await send(latest, {})).status).to.equal(405);
    expect((await fetch(new URL(latest, address))).status).to.equal(401);
    const elsewhere = latest.replace(stage.path.team_id, stage.path.project_id);
    expect((await send(elsewhere)).status).to.equal(404);
  });

  it('have the route in the OpenAPI document and in the client', async () => {
    const document = (await (await send('/api/openapi.json')).json()) as {
      paths: Record<string, { get?: { operationId: string } }>;
    };
    const path = '/api/teams/{team_id}/projects/{project_id}/deployments/latest';
    expect(document.paths[path]?.get?.operationId).to.equal('readLatestDeployment');
    const { createClient: createNew } = await copied<{ createClient: typeof createClient }>(
      folder,
      'client/dist/src/index.js',
    );
    const client = createNew({ baseUrl: address.origin, apiKey: stage.apiKey }) as Client & {
      readLatestDeployment(input: { path: object }): Promise<{ body: { data: { region: string } } }>;
    };
    const { body } = await client.readLatestDeployment({ path: stage.path });
    expect(body.data.region).to.equal('eu-west-1');
  });

  describe('offer the host in the ready server', () => {
    const FORGE = { FORGE_CLIENT_ID: 'id', FORGE_CLIENT_SECRET: 'secret', FORGE_URL: 'https://forge.acme.dev' };
    let read: (environment: Settings) => Reading<object>;
    before(async () => {
      const { readConfig } = await copied<Reader>(folder, 'server/dist/src/config.js');
      const surroundings = { workingDirectory: folder, homeDirectory: folder, checkout: true };
      read = (environment) => readConfig(environment, surroundings);
    });

    it('where its settings name it, under its own name in the paths', async () => {
      const { config, faults } = read(FORGE);
      expect(faults).to.deep.equal([]);
      const { repositoryHostOf } = await copied<Start>(folder, 'server/dist/src/commands/start.js');
      const repositoryHost = await repositoryHostOf(config ?? {}, secretKey);
      if (repositoryHost === null) return expect.fail('the settings name no host');
      const asked = { ownerId: 'u', redirectUrl: 'https://ship.acme.dev/back' };
      const { url } = await repositoryHost.authorization.begin(asked);
      expect(new URL(url).host).to.equal('forge.acme.dev');

      const { createShipworthy: createNew } = await copied<Server>(folder, 'server/dist/src/index.js');
      const offering = createNew({ stores: memoryStores(), secretKey, repositoryHost, authenticate: async () => ADA });
      const at = await offering.listen({ host: '127.0.0.1', port: 0 });
      try {
        const answer = await fetch(new URL('/api/settings/forge', at));
        expect([answer.status, await answer.json()]).to.deep.equal([200, { configured: true, connected: false }]);
        expect((await fetch(new URL('/api/settings/gitlab', at))).status).to.equal(404);
      } finally {
        await offering.close();
      }
    });

    it('and refuse to set up two hosts, or half of one', () => {
      const github = { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' };
      expect(read({ ...FORGE, ...github }).faults).to.deep.equal([
        'FORGE_CLIENT_ID excludes the other hosts: one repository host can be set up.',
      ]);
      expect(read({ FORGE_CLIENT_ID: 'id' }).faults).to.deep.equal([
        'FORGE_CLIENT_SECRET is needed beside FORGE_CLIENT_ID.',
      ]);
    });
  });

  describe('judge a release by the axis', () => {
    const OWN = { name: 'triage', weight: 1, minimum: 90, required: true, counted_from: 'triaged_bugs' };

    /** What is answered of the release of a service on these stores, one of whose two bugs is not triaged. */
    const triaged = async (stores: ReturnType<typeof memoryStores>) => {
      const { createShipworthy: createNew } = await copied<Server>(folder, 'server/dist/src/index.js');
      const serving = createNew({ stores, secretKey, setupToken: SETUP_TOKEN });
      const { origin } = await serving.listen({ host: '127.0.0.1', port: 0 });
      try {
        const person: Client = await setUp(origin, SETUP_TOKEN);
        const { path } = await setStage(person, 'checkout', new Date('2026-01-01T00:00:00Z'));
        const bug = { title: 'It blinks', type: 'bug', state: 'todo', release_id: path.release_id } as const;
        await person.createIssue({ path, body: bug });
        const { data: policy } = (await person.readPolicy({ path })).body;
        // The client of the checkout does not know what the copy counts, and sends it as it is.
        const body = { ...policy, own_axes: [OWN] } as unknown as PolicyRequest;
        await person.replacePolicy({ path, body, ifMatch: policy.version });
        const inAxis = { path: { ...path, axis: OWN.name } };
        const [report, rows] = [await person.readReadiness({ path }), await person.listAxisRows(inAxis)];
        return { report: report.body.data, rows: rows.body.data };
      } finally {
        await serving.close();
      }
    };

    const expectTriaged = ({ report, rows }: Awaited<ReturnType<typeof triaged>>): void => {
      const [reading] = report.own_axes ?? [];
      expect(reading).to.include({ axis: 'triage', counted_from: 'triaged_bugs', state: 'measured', score: 50 });
      expect(reading?.explanation).to.equal('1 of 2 bugs triaged');
      const reason = report.gate.reasons.find(({ axis }) => axis === 'triage');
      expect(reason).to.include({ code: 'axis_below_minimum', actual: 50, required: 90 });
      const step = report.gate.next_steps.find(({ axis }) => axis === 'triage');
      expect(step).to.include({ action: 'improve', count: 1, message: 'Triage: give a severity to 1 more bug of 2' });
      expect(rows.map((row) => 'type' in row && row.type)).to.deep.equal(['bug', 'bug']);
    };

    it('in memory', async () => {
      const { memoryStores: inMemory } = await copied<{ memoryStores: typeof memoryStores }>(
        folder,
        'adapters/dist/src/memory/index.js',
      );
      expectTriaged(await triaged(inMemory()));
    });

    it('and on a database', async () => {
      const knex = await copied<Knex>(folder, 'adapters/dist/src/knex/index.js');
      const triage = await knex.openDatabase({ url: `sqlite:${join(folder, 'triage.sqlite')}` });
      try {
        await knex.migrate(triage);
        expectTriaged(await triaged(knex.knexStores(triage)));
      } finally {
        await triage.close();
      }
    });

    it("and pass the engine's suite", async () => {
      const tests = join(folder, 'packages/domain/test');
      await cp(join(root, 'packages/domain/test'), tests, { recursive: true });
      const [compiler, mocha] = ['typescript/bin/tsc', 'mocha/bin/mocha.js'].map((file) =>
        join(root, 'node_modules', file),
      );
      const run = async (...args: readonly string[]): Promise<string> => {
        const ran = promisify(execFile)(process.execPath, args, { cwd: folder });
        return (await ran.catch((error: { stdout: string }) => error)).stdout;
      };
      expect(await run(compiler ?? '', '-b', 'packages/domain/test')).to.equal('');
      // Properties are tried on thousands of releases each; the others say what the engine does.
      const files = [
        '--timeout',
        '300000',
        '--ignore',
        '**/*.property.test.js',
        'packages/domain/dist/test/readiness/**/*.test.js',
      ];
      const told = await run(mocha ?? '', '--exit', '--reporter', 'dot', ...files);
      expect(told)
        .to.match(/\d{3} passing/)
        .and.not.include('failing');
    });
  });
});
