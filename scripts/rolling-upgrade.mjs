// Proves that the previous version still works beside this one on this version's schema: both read, write and judge
// the same release at once, before, during and after the upgrade. Prints what differs; exit 1 when a verdict or a count
// does. Usage: node scripts/rolling-upgrade.mjs FOLDER, the built checkout of the previous version. This one must be
// built, too.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { stopPostgres, testDatabase } from '@shipworthy/adapters/test-database';
import pg from 'pg';

const HERE = dirname(dirname(fileURLToPath(import.meta.url)));
const BEFORE = process.argv[2];
if (BEFORE === undefined) throw new Error('Name the built checkout of the version before.');

const HOUR = 3_600_000;
const MAIN = 'packages/server/dist/src/main.js';
const TOKEN = 'a token of this run';
const database = await testDatabase({ empty: true });
const environment = {
  PATH: process.env.PATH,
  LOG_LEVEL: 'silent',
  PORT: '0',
  DATABASE_URL: database.url,
  SHIPWORTHY_SECRET_KEY: 'q3dGm0Yx7TzVb1RkPs9LcWnE4uJhAf2oX8iZy6KtMvB',
  SHIPWORTHY_SETUP_TOKEN: TOKEN,
};
const running = new Set();
const faults = [];
let cookie = '';
let key = '';
let requests = 0;

const launch = (folder, word) =>
  spawn(process.execPath, [MAIN, word], { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'inherit'] });

const migrate = async (folder) => {
  const child = launch(folder, 'migrate');
  child.stdout.resume();
  const [code] = await once(child, 'exit');
  if (code !== 0) faults.push(`migrate of ${folder} ended with ${code}`);
};

const start = async (folder) => {
  const child = launch(folder, 'start');
  running.add(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /listens on (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return { url, child };
  }
  throw new Error(`The server of ${folder} did not start.`);
};

const end = async ({ child }) => {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  running.delete(child);
};

const call = async ({ url }, method, path, body, headers = {}) => {
  const who = headers.key ? { authorization: `Bearer ${key}` } : { cookie, origin: url };
  const answer = await fetch(url + path, {
    method,
    headers: { ...who, ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  requests += 1;
  cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
  const text = await answer.text();
  if (!answer.ok) throw Object.assign(new Error(`${method} ${path}: ${text}`), { status: answer.status });
  return text === '' ? undefined : JSON.parse(text).data;
};
const byKey = { key: 'yes' };

const readyz = async ({ url }) => {
  for (let tries = 0; tries < 20; tries += 1) {
    if ((await fetch(`${url}/readyz`)).ok) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  faults.push(`${url} is not ready`);
};

const deployment = (status, more = {}) => ({
  app_name: 'shop',
  environment: 'production',
  commit_sha: 'abcdef01',
  status,
  ...more,
});

/** Does on one instance what pipelines and people do. */
const work = async (server, { project, release }, tag) => {
  const P = project;
  const R = release;
  const started = { ...byKey, 'idempotency-key': tag.replaceAll(' ', '-') };
  const { id } = await call(server, 'POST', '/api/deployments', deployment('started'), started);
  const again = await call(server, 'POST', '/api/deployments', deployment('started'), started);
  if (again.id !== id) faults.push(`${tag}: a repeated report was stored twice`);
  await call(server, 'PUT', `/api/deployments/${id}`, { status: 'success' }, byKey);
  await call(server, 'POST', '/api/deployments/batch', [deployment('failure', { external_id: tag })], byKey);
  await call(server, 'POST', `${P}/test-runs`, { total: 100, passed: 97, failed: 3 }, byKey);
  const issue = { title: tag, type: 'bug', state: 'todo', release_id: R.split('/').at(-1) };
  const { id: issueId } = await call(server, 'POST', `${P}/issues`, issue);
  await call(server, 'PATCH', `${P}/issues/${issueId}`, { state: 'done' });
  const items = await call(server, 'GET', `${R}/checklist`);
  const item = items.find(({ state }) => state === 'open') ?? items[0];
  await call(server, 'PATCH', `${R}/checklist/${item.id}`, { state: item.state === 'open' ? 'done' : 'open' });
  const { reasons } = await call(server, 'GET', `${R}/gate`);
  const [reason] = reasons.filter(({ waived }) => !waived);
  const expires_at = new Date(Date.now() + 24 * HOUR).toISOString();
  if (reason !== undefined) {
    const { code, axis } = reason;
    await call(server, 'POST', `${R}/waivers`, { code, ...(axis ? { axis } : {}), text: 'accepted', expires_at });
  }
};

/** Returns the first answer without the members that the other one lacks. */
const shared = (one, other) => {
  if (Array.isArray(one)) return one.map((each, index) => shared(each, other?.[index]));
  if (one === null || typeof one !== 'object' || other === null || typeof other !== 'object') return one;
  const known = Object.entries(one).filter(([name]) => Object.hasOwn(other, name));
  return Object.fromEntries(known.map(([name, value]) => [name, shared(value, other[name])]));
};

/** Makes the same reads on both instances; a verdict that differs is a fault, a field that only one has is not. */
const compare = async (what, before, now, { project: P, release: R }) => {
  const paths = [`${R}/readiness`, `${R}/gate`, `${P}/policy`, `${R}/checklist`, `${P}/deployments`, `${P}/test-runs`];
  paths.push(`${P}/issues`, `${P}/releases`, `${R}/readiness/stability`, `${R}/readiness/history`, '/api/teams');
  const differing = [];
  for (const path of paths) {
    const [one, other] = await Promise.all([before, now].map((server) => call(server, 'GET', path, undefined, byKey)));
    if (JSON.stringify(one) === JSON.stringify(other)) continue;
    differing.push(path.replace(R, 'R').replace(P, 'P'));
    if (JSON.stringify(shared(one, other)) === JSON.stringify(shared(other, one))) continue;
    if (path.startsWith(R)) faults.push(`${what}: ${path} differs`);
  }
  console.log(`${what}: ${paths.length - differing.length} of ${paths.length} reads are the same bytes`, differing);
};

try {
  const before = await start(BEFORE);
  await readyz(before);
  const person = { setup_token: TOKEN, email: 'ada@example.org', name: 'Ada', password: 'a long enough phrase' };
  await call(before, 'POST', '/api/setup', person);
  const team = `/api/teams/${(await call(before, 'POST', '/api/teams', { name: 'Payments' })).id}`;
  const project = `${team}/projects/${(await call(before, 'POST', `${team}/projects`, { name: 'shop' })).id}`;
  const first = { name: '1.0', starts_at: new Date(Date.now() - HOUR).toISOString() };
  const release = `${project}/releases/${(await call(before, 'POST', `${project}/releases`, first)).id}`;
  const place = { project, release };
  await call(before, 'POST', `${release}/activate`);
  const scopes = ['read', 'deployments:write', 'test-runs:write'];
  key = (await call(before, 'POST', '/api/settings/api-keys', { name: 'ci', scopes })).key;

  await work(before, place, 'before the upgrade');
  await migrate(HERE);
  await readyz(before);
  await work(before, place, 'on the new schema, still running');
  const now = await start(HERE);
  await readyz(now);
  await compare('side by side', before, now, place);
  for (let round = 0; round < 5; round += 1) {
    const both = [work(before, place, `before ${round}`), work(now, place, `now ${round}`)];
    // Both change the same item at once. One of the two may be refused, as within one version.
    for (const { reason } of await Promise.allSettled(both))
      if (reason !== undefined && ![409, 412].includes(reason.status)) faults.push(String(reason));
  }
  await new Promise((resolve) => setTimeout(resolve, 3000));
  await compare('after both wrote at once', before, now, place);
  await call(before, 'POST', `${release}/ship`, { note: 'by the version before' });
  await compare('shipped by the version before', before, now, place);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(
    `select (select count(*)::int from deployments) as stored, (select sum(started + success + failure)::int
      from deployment_counts where hours = 24) as counted`,
  );
  await client.end();
  console.log(`${requests} requests, ${rows[0].stored} deployments stored, ${rows[0].counted} counted`);
  if (rows[0].stored !== rows[0].counted) faults.push('counts differ from rows');
  await Promise.all([end(before), end(now)]);
} finally {
  for (const child of running) child.kill('SIGKILL');
  await database.drop();
  await stopPostgres();
}
for (const fault of faults) console.log(`fault: ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);
