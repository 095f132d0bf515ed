import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { storesContract } from '@shipworthy/adapters/contract';
import type { MemoryData } from '@shipworthy/adapters/memory';
import { createClient, isProblem } from '@shipworthy/client';
import { STORE_GROUPS, type StoreGroup } from '@shipworthy/domain';
import { expect } from 'chai';
import { fileStores, openFileData } from '../src/file-stores.js';

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'file-stores-'));

const rowsOf = (data: MemoryData) =>
  new Map(data.rows().map(({ table, key, row }) => [JSON.stringify([table, key]), row]));

storesContract(
  'a file with the core of the stores',
  async () => {
    const folder = await newFolder();
    const path = join(folder, 'stores.ndjson');
    const data = await openFileData(path);
    return {
      stores: fileStores(data),
      again: fileStores(data),
      close: async () => {
        try {
          // What is read from the file alone must equal what the suites left in the stores.
          expect(rowsOf(await openFileData(path))).to.deep.equal(rowsOf(data));
        } finally {
          await rm(folder, { recursive: true });
        }
      },
    };
  },
  { without: Object.keys(STORE_GROUPS) as readonly StoreGroup[] },
);

const program = fileURLToPath(new URL('../src/file-server.js', import.meta.url));
const KEY = 'a secret key of thirty-two bytes';
const TOKEN = 'the setup token of this test';
const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';
const ADA = { email: 'ada@example.org', name: 'Ada', password: 'a long enough phrase' };

interface FileServer {
  readonly url: string;
  /** Kills it: it can do nothing more. */
  kill(): Promise<void>;
}

const serve = async (path: string): Promise<FileServer> => {
  const env = { PATH: process.env.PATH, FILE_SERVER_KEY: KEY, FILE_SERVER_SETUP_TOKEN: TOKEN };
  const child: ChildProcess = spawn(process.execPath, [program, path], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  if (child.stdout === null) throw new Error('it has no output');
  const [url] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(([code]) => {
      throw new Error(`The server ended with ${code}.`);
    }),
  ]);
  return {
    url: String(url),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
};

/** A project with a release, and a key to report with. */
const setStage = async (url: string) => {
  const begun = await fetch(`${url}/api/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ setup_token: TOKEN, ...ADA }),
  });
  expect(begun.status).to.equal(201);
  const [cookie = ''] = begun.headers.get('set-cookie')?.split(';') ?? [];
  const ada = createClient({
    baseUrl: url,
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, cookie, origin: url } }),
  });
  const { id: team_id } = (await ada.createTeam({ body: { name: 'Payments' } })).body.data;
  const { id: project_id } = (await ada.createProject({ path: { team_id }, body: { name: 'checkout' } })).body.data;
  const whole = { team_id, project_id };
  const { id: release_id } = (await ada.createRelease({ path: whole, body: { name: 'next' } })).body.data;
  await ada.activateRelease({ path: { ...whole, release_id } });
  const scopes = ['read', 'deployments:write'] as const;
  const made = await ada.createApiKey({ body: { name: 'pipeline', scopes: [...scopes] } });
  return { apiKey: made.body.data.key, path: whole, release: { ...whole, release_id } };
};

describe('a service whose stores are a file', () => {
  let folder = '';
  let path = '';
  const servers: FileServer[] = [];
  const started = async (): Promise<string> => {
    const server = await serve(path);
    servers.push(server);
    return server.url;
  };
  beforeEach(async () => {
    folder = await newFolder();
    path = join(folder, 'stores.ndjson');
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.kill();
    await rm(folder, { recursive: true });
  });

  it('has everything that it answered, after it was killed in the middle of its work', async () => {
    const first = await started();
    const { apiKey, path: where } = await setStage(first);
    const answered: string[] = [];
    const reporter = createClient({ baseUrl: first, apiKey, retries: 0 });
    let reached = (): void => undefined;
    const enough = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const report = async (): Promise<void> => {
      for (;;) {
        const body = {
          app_name: 'checkout',
          environment: 'production',
          commit_sha: COMMIT,
          status: 'success',
        } as const;
        answered.push((await reporter.recordDeployment({ body })).body.data.id);
        if (answered.length === 100) reached();
      }
    };
    const reporters = Array.from({ length: 8 }, () => report().catch((error: unknown) => error));
    await enough;
    await servers[0]?.kill();
    expect(await Promise.all(reporters)).to.have.lengthOf(8);
    // And a line that the end of the process cut off.
    await appendFile(path, '[{"table":"deployments","key":"');
    const second = createClient({ baseUrl: await started(), apiKey });
    const stored = new Set<string>();
    for (let cursor: string | undefined; ; ) {
      const { body } = await second.listDeployments({
        path: where,
        query: { limit: 200, ...(cursor === undefined ? {} : { cursor }) },
      });
      for (const { id } of body.data) stored.add(id);
      if (body.next_cursor === null) break;
      cursor = body.next_cursor;
    }
    expect(answered.filter((id) => !stored.has(id))).to.deep.equal([]);
    expect((await second.readActiveReadiness({ path: where })).body.data.score).to.be.a('number');
  });

  it('says what it does not offer, and refuses it once it knows who asks', async () => {
    const url = await started();
    const { apiKey, path: where, release } = await setStage(url);
    const { body } = await createClient({ baseUrl: url }).readAbout();
    expect([...body.data.not_offered].sort()).to.deep.equal(Object.keys(STORE_GROUPS).sort());
    const hooks = `${url}/api/teams/${where.team_id}/projects/${where.project_id}/webhooks`;
    expect((await fetch(hooks)).status).to.equal(401);
    const pipeline = createClient({ baseUrl: url, apiKey });
    const refused = await pipeline.listHistory({ path: release }).catch((error: unknown) => error);
    expect(isProblem(refused, 'not-offered') && refused.status).to.equal(501);
  });
});
