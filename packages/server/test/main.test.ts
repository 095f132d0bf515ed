import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type TestDatabase, testDatabase } from '@shipworthy/adapters/test-database';
import { createClient } from '@shipworthy/client';
import { expect } from 'chai';
import { isEvent, listen } from './harness/listen.js';

const MAIN = fileURLToPath(new URL('../src/main.js', import.meta.url));
const SETUP_TOKEN = 'a-token-for-two-instances';

interface Instance {
  readonly url: string;
  readonly child: ChildProcess;
}

const startInstance = async (databaseUrl: string): Promise<Instance> => {
  const child = spawn(process.execPath, [MAIN, 'start'], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATABASE_URL: databaseUrl,
      SHIPWORTHY_SECRET_KEY: 'q3dGm0Yx7TzVb1RkPs9LcWnE4uJhAf2oX8iZy6KtMvB',
      SHIPWORTHY_SETUP_TOKEN: SETUP_TOKEN,
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /listens on (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return { url, child };
  }
  throw new Error(`The instance ended with ${child.exitCode} before it listened.`);
};

const end = async ({ child }: Instance): Promise<number | null> => {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  return child.exitCode;
};

const browser = (url: string) => {
  let cookie = '';
  return async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', origin: url, cookie };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    cookie ||= answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(answer.ok, path).to.equal(true);
    return ((await answer.json()) as { data: { id: string; key: string } }).data;
  };
};

describe('main: two processes started at once on one empty PostgreSQL', () => {
  let database: TestDatabase;
  let first: Instance;
  let second: Instance;

  before(async () => {
    database = await testDatabase({ empty: true });
    [first, second] = await Promise.all([startInstance(database.url), startInstance(database.url)]);
  });

  it('bring the schema up to date, share what they are told, tell each other of events, count a repeated report once, and end on SIGTERM', async () => {
    const ask = browser(first.url);
    await ask('/api/setup', { setup_token: SETUP_TOKEN, email: 'a@b.dev', name: 'Ada', password: 'a long enough one' });
    const { id: team_id } = await ask('/api/teams', { name: 'Core' });
    const { id: project_id } = await ask(`/api/teams/${team_id}/projects`, { name: 'checkout' });
    const { id: release_id } = await ask(`/api/teams/${team_id}/projects/${project_id}/releases`, { name: '1.0' });
    const path = { team_id, project_id, release_id };
    await ask(`/api/teams/${team_id}/projects/${project_id}/releases/${release_id}/activate`, {});
    const { key: apiKey } = await ask('/api/settings/api-keys', { name: 'ci', scopes: ['read', 'deployments:write'] });

    const clients = [first, second].map(({ url }) => createClient({ baseUrl: url, apiKey }));
    const body = { app_name: 'checkout', environment: 'live', commit_sha: '0123abc', status: 'success' } as const;
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => clients[n % 2]?.recordDeployment({ body, idempotencyKey: 'one-effect' })),
    );
    expect(new Set(answers.map((answer) => answer?.body.data.id)).size).to.equal(1);
    expect(answers.filter((answer) => answer?.replayed === false)).to.have.length(1);

    for (const client of clients) {
      const { body: report } = await client.readReadiness({ path });
      expect(report.data.axes[4]).to.deep.include({ axis: 'stability', state: 'measured', score: 100 });
      const { body: rows } = await client.listAxisRows({ path: { ...path, axis: 'stability' } });
      expect(rows.data).to.have.length(1);
    }
    const headers = { authorization: `Bearer ${apiKey}` };
    const streams = await Promise.all([first, second].map(({ url }) => listen(`${url}/api/events`, headers)));
    for (const stream of streams) await stream.frame(isEvent('resync'));
    await ask(`/api/teams/${team_id}/projects/${project_id}/releases/${release_id}/ship`, {});
    const shipped = await Promise.all(streams.map((stream) => stream.frame(isEvent('release.shipped'))));
    expect(shipped[0]).to.deep.equal(shipped[1]);

    expect(await Promise.all([end(first), end(second)])).to.deep.equal([0, 0]);
    await Promise.all(streams.map(({ ended }) => ended));
    expect(
      streams.map(({ message }) => message.complete),
      'open streams are ended, not cut off after the longest wait',
    ).to.deep.equal([true, true]);
  });

  after(async () => {
    for (const { child } of [first, second]) if (child.exitCode === null) child.kill('SIGKILL');
    await database.drop();
  });
});
