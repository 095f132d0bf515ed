import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type FollowedServer, startFollowed } from '@shipworthy/adapters/test-replica';
import { expect } from 'chai';
import { isEvent, listen } from './harness/listen.js';
import { type PersonThere, setUpAt } from './harness/people-of-process.js';
import { type ServerProcess, startProcess } from './harness/process.js';

const SETUP_TOKEN = 'a-token-for-four-instances';
const METRICS_TOKEN = 'metrics-of-four-instances';
const COUNT = 4;
const ISSUE = { title: 'Once', type: 'task', state: 'todo' };

/** What a request was answered. */
interface Answer {
  readonly status: number;
  readonly data: { readonly id: string; readonly key: string };
  readonly text: string;
}

describe(`${COUNT} processes on one PostgreSQL and its replica`, () => {
  let server: FollowedServer;
  let instances: readonly ServerProcess[] = [];
  let ada: PersonThere;
  let projectPath: string;
  let releasePath: string;

  const urlOf = (n: number): string => instances[n % COUNT]?.url ?? '';
  const ask = async (n: number, method: string, path: string, body?: object, headers = {}): Promise<Answer> => {
    const url = urlOf(n);
    const given = { origin: url, cookie: ada.cookie, 'content-type': 'application/json', ...headers };
    const answer = await fetch(url + path, {
      method,
      headers: given,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const { data = { id: '', key: '' } } = text.startsWith('{"') ? JSON.parse(text) : {};
    return { status: answer.status, data, text };
  };
  /** Asks all of them the same. */
  const askAll = (method: string, path: string, body?: object, headers = {}): Promise<readonly Answer[]> =>
    Promise.all(instances.map((_, n) => ask(n, method, path, body, headers)));
  const statuses = (answers: readonly Answer[]): readonly number[] => answers.map(({ status }) => status);
  const allOf = (status: number): readonly number[] => Array.from({ length: COUNT }, () => status);
  const withKey = (key: string) => ({ cookie: '', authorization: `Bearer ${key}` });

  before(async () => {
    server = await startFollowed();
    const { url, readUrl } = await server.database('many');
    const environment = {
      DATABASE_URL: url,
      DATABASE_READ_URL: readUrl,
      SHIPWORTHY_SECRET_KEY: 'q3dGm0Yx7TzVb1RkPs9LcWnE4uJhAf2oX8iZy6KtMvB',
      SHIPWORTHY_SETUP_TOKEN: SETUP_TOKEN,
      SHIPWORTHY_METRICS_TOKEN: METRICS_TOKEN,
      SHIPWORTHY_WEBHOOK_TARGETS: '127.0.0.1',
    };
    instances = await Promise.all(Array.from({ length: COUNT }, () => startProcess(environment)));
    ada = await setUpAt(urlOf(0), SETUP_TOKEN);
    const team = `/api/teams/${(await ask(0, 'POST', '/api/teams', { name: 'Core' })).data.id}`;
    projectPath = `${team}/projects/${(await ask(1, 'POST', `${team}/projects`, { name: 'checkout' })).data.id}`;
    const release = await ask(2, 'POST', `${projectPath}/releases`, { name: '1.0' });
    releasePath = `${projectPath}/releases/${release.data.id}`;
    await ask(3, 'POST', `${releasePath}/activate`, {});
  });

  after(async () => {
    await Promise.all(instances.map(({ end }) => end()));
    await server?.stop();
  });

  it('know a session, and two seconds after it was given up a session and a key no more', async () => {
    expect(statuses(await askAll('GET', '/api/session'))).to.deep.equal(allOf(200));
    const made = await ask(0, 'POST', '/api/settings/api-keys', { name: 'ci', scopes: ['read'] });
    const { email, password } = { email: 'ada@acme.dev', password: 'a long enough phrase' };
    const signedIn = await fetch(`${urlOf(1)}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: urlOf(1) },
      body: JSON.stringify({ email, password }),
    });
    const other = { cookie: signedIn.headers.get('set-cookie')?.split(';')[0] ?? '' };
    expect(statuses(await askAll('GET', '/api/teams', undefined, withKey(made.data.key)))).to.deep.equal(allOf(200));
    expect(statuses(await askAll('GET', '/api/session', undefined, other))).to.deep.equal(allOf(200));
    await Promise.all([
      ask(2, 'DELETE', `/api/settings/api-keys/${made.data.id}`),
      ask(3, 'DELETE', '/api/session', undefined, other),
    ]);
    await pause(2000);
    expect(statuses(await askAll('GET', '/api/teams', undefined, withKey(made.data.key)))).to.deep.equal(allOf(401));
    expect(statuses(await askAll('GET', '/api/session', undefined, other))).to.deep.equal(allOf(401));
  });

  it('count the same tries to sign in', async () => {
    const wrong = { email: 'nobody@acme.dev', password: 'not the one' };
    const tries = Array.from({ length: 8 }, (_, n) => ask(n, 'POST', '/api/session', wrong, { cookie: '' }));
    const answered = statuses(await Promise.all(tries));
    expect(answered.filter((status) => status === 401)).to.have.length.of.at.most(5);
    expect(answered.every((status) => status === 401 || status === 429)).to.equal(true);
    const later = await askAll('POST', '/api/session', wrong, { cookie: '' });
    expect(statuses(later)).to.deep.equal(allOf(429));
  });

  it('do once what is asked of all of them at once under one key', async () => {
    const asked = Array.from({ length: 40 }, (_, n) =>
      ask(n, 'POST', `${projectPath}/issues`, ISSUE, { 'idempotency-key': 'once-everywhere' }),
    );
    const answers = await Promise.all(asked);
    const made = answers.filter(({ status }) => status === 201);
    expect(made).not.to.have.length(0);
    expect(new Set(made.map(({ data }) => data.id)).size).to.equal(1);
    // Requests that come during the first one are told to try again.
    expect(answers.every(({ status }) => status === 201 || status === 409)).to.equal(true);
    const again = await askAll('POST', `${projectPath}/issues`, ISSUE, { 'idempotency-key': 'once-everywhere' });
    for (const answer of again) expect(answer).to.deep.equal(made[0]);
    const { text } = await ask(1, 'GET', `${projectPath}/issues`);
    expect(text.match(/"title":"Once"/g)).to.have.length(1);
  });

  it('show at once, on the replica, what was stored at another one, also while the replica takes nothing over', async () => {
    let stored = 0;
    const storeAndRead = async (): Promise<void> => {
      for (let times = 0; times < 12; times += 1) {
        stored += 1;
        const { status, data } = await ask(stored, 'POST', `${projectPath}/releases`, { name: `R${stored}` });
        expect(status).to.equal(201);
        const { text } = await ask(stored + 1, 'GET', `${projectPath}/releases`);
        expect(text).to.contain(data.id);
      }
    };
    const countOf = async (result: string): Promise<number> => {
      const texts = await askAll('GET', '/metrics', undefined, {
        cookie: '',
        authorization: `Bearer ${METRICS_TOKEN}`,
      });
      const counts = texts.map(({ text }) =>
        new RegExp(`replica_reads_total\\{result="${result}"\\} (\\d+)`).exec(text),
      );
      return counts.reduce((sum, found) => sum + Number(found?.[1] ?? 0), 0);
    };
    while ((await countOf('replica')) === 0) await storeAndRead();
    await server.standby.command('select pg_wal_replay_pause()');
    const resting = await countOf('resting');
    await storeAndRead();
    await storeAndRead();
    expect(await countOf('resting')).to.be.above(resting);
    expect(statuses(await askAll('GET', '/readyz'))).to.deep.equal(allOf(200));
    await server.standby.command('select pg_wal_replay_resume()');
    const answered = await countOf('replica');
    while ((await countOf('replica')) === answered) await storeAndRead();
  });

  it('report an event at all of them, send it to a webhook once, and do not need the replica', async () => {
    const got: string[] = [];
    const receiver = createServer((request, response) => {
      got.push(String(request.headers['webhook-id']));
      request.resume();
      response.writeHead(204).end();
    });
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
    const { port } = receiver.address() as AddressInfo;
    await ask(0, 'POST', `${projectPath}/webhooks`, { url: `http://127.0.0.1:${port}/in`, types: ['release.shipped'] });
    const streams = await Promise.all(instances.map(({ url }) => listen(`${url}/api/events`, { cookie: ada.cookie })));
    for (const stream of streams) await stream.frame(isEvent('resync'));
    await server.standby.kill();
    expect((await ask(2, 'POST', `${releasePath}/ship`, { note: 'Now.' })).status).to.equal(200);
    const shipped = await Promise.all(streams.map((stream) => stream.frame(isEvent('release.shipped'))));
    expect(new Set(shipped.map(({ id }) => id)).size).to.equal(1);
    while (got.length === 0) await pause(20);
    // Each of them looks for what is due every second.
    await pause(2000);
    expect(got).to.have.length(1);
    for (const stream of streams) stream.leave();
    receiver.close();
    expect(statuses(await askAll('GET', `${releasePath}/readiness/history`))).to.deep.equal(allOf(200));
    expect(statuses(await askAll('GET', '/readyz'))).to.deep.equal(allOf(200));
  });
});
