// Measures what a read replica takes off the primary, and what it adds to an answer: two servers on one PostgreSQL, one of
// them with DATABASE_READ_URL, are asked the same by turns. Needs a built checkout.
// Usage: node scripts/measure-replica.mjs [seconds of a turn, 5] [deployments, 20000] [callers at once, 16]
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFollowed } from '@shipworthy/adapters/test-replica';
import { setUp } from '@shipworthy/example-own-pipeline/person';
import { startServer } from '@shipworthy/example-own-pipeline/server-process';
import pg from 'pg';

const ROUNDS = 3;
const BATCH = 1000;
const HOUR = 3_600_000;
const MS_PER_TICK = 10;
const [seconds = 5, deployments = 20_000, callers = 16] = process.argv.slice(2).map(Number);

/** Processor time of the primary's processes in milliseconds; NaN where the system has no /proc. */
const processorTime = async (postmaster) => {
  let ticks = 0;
  for (const pid of await readdir('/proc').catch(() => [])) {
    const text = /^\d+$/.test(pid) ? await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '') : '';
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // Field 1 is the parent, 11 and 12 are the own time, 13 and 14 that of children that ended.
    if (pid === postmaster || fields[1] === postmaster)
      ticks += [11, 12].reduce((sum, n) => sum + Number(fields[n]), 0);
    if (pid === postmaster) ticks += [13, 14].reduce((sum, n) => sum + Number(fields[n]), 0);
  }
  return ticks === 0 ? Number.NaN : ticks * MS_PER_TICK;
};

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const quantile = (values, part) => values.toSorted((a, b) => a - b)[Math.floor(values.length * part)];

const folders = [];
const servers = [];
const followed = await startFollowed();
try {
  const { url, readUrl } = await followed.database('measured');
  const start = async (settings) => {
    const folder = await mkdtemp(join(tmpdir(), 'replica-'));
    folders.push(folder);
    const server = await startServer(folder, 'a token of this run', {
      DATABASE_URL: url,
      SHIPWORTHY_SECRET_KEY: 'q3dGm0Yx7TzVb1RkPs9LcWnE4uJhAf2oX8iZy6KtMvB',
      SHIPWORTHY_RATE_LIMIT: 'off',
      SHIPWORTHY_METRICS_TOKEN: 'metrics-of-this-run',
      ...settings,
    });
    servers.push(server);
    return server;
  };
  const without = await start({});
  const person = await setUp(without.url, without.setupToken);
  const team = (await person.createTeam({ body: { name: 'Payments' } })).body.data;
  const inTeam = { team_id: team.id };
  const project = (await person.createProject({ path: inTeam, body: { name: 'checkout' } })).body.data;
  const inProject = { ...inTeam, project_id: project.id };
  const starts_at = new Date(Date.now() - 100 * 24 * HOUR).toISOString();
  const release = (await person.createRelease({ path: inProject, body: { name: '1.0', starts_at } })).body.data;
  await person.activateRelease({ path: { ...inProject, release_id: release.id } });
  const scopes = ['read', 'deployments:write'];
  const { key } = (await person.createApiKey({ body: { name: 'ci', scopes } })).body.data;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  for (let from = 0; from < deployments; from += BATCH) {
    const rows = Array.from({ length: BATCH }, (_, n) => ({
      app_name: 'checkout',
      environment: n % 3 === 0 ? 'production' : 'staging',
      commit_sha: randomBytes(20).toString('hex'),
      status: 'success',
      started_at: new Date(Date.now() - (((from + n) * 7919) % (100 * 24 * 60)) * 60_000 - HOUR).toISOString(),
    }));
    const body = JSON.stringify(rows);
    const answer = await fetch(`${without.url}/api/deployments/batch`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  }
  const withReplica = await start({ DATABASE_READ_URL: readUrl });

  const paths = [
    '/api/portfolio',
    `/api/teams/${team.id}/projects/${project.id}/deployments?limit=100`,
    `/api/teams/${team.id}/projects/${project.id}/releases/${release.id}/readiness/stability`,
    `/api/teams/${team.id}/projects/${project.id}/releases/${release.id}/analysis`,
  ];
  const client = new pg.Client({ connectionString: followed.primary.url });
  await client.connect();
  const statements = async () => {
    // PostgreSQL counts what a session did only once it was idle for a moment.
    await new Promise((done) => setTimeout(done, 1500));
    const { rows } = await client.query(
      `select xact_commit, tup_returned from pg_stat_database where datname = 'measured'`,
    );
    return { transactions: Number(rows[0].xact_commit), tuples: Number(rows[0].tup_returned) };
  };
  const [postmaster] = (await readFile(join(followed.primary.data, 'postmaster.pid'), 'utf8')).split('\n');

  const turn = async (server, forSeconds) => {
    const times = [];
    const before = { ...(await statements()), processor: await processorTime(postmaster) };
    const end = performance.now() + forSeconds * 1000;
    const call = async (_, caller) => {
      for (let n = caller; performance.now() < end; n += 1) {
        const from = performance.now();
        const answer = await fetch(server.url + paths[n % paths.length], { headers });
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`${answer.status} of ${paths[n % paths.length]}`);
        times.push(performance.now() - from);
      }
    };
    await Promise.all(Array.from({ length: callers }, call));
    const processor = await processorTime(postmaster);
    const after = await statements();
    const per = (name) => (after[name] - before[name]) / times.length;
    return {
      'requests per second': times.length / forSeconds,
      'median, ms': quantile(times, 0.5),
      'p99, ms': quantile(times, 0.99),
      'transactions of the primary per request': per('transactions'),
      'rows the primary read per request': per('tuples'),
      'processor time of the primary per request, ms': (processor - before.processor) / times.length,
    };
  };

  await turn(without, 1);
  await turn(withReplica, 1);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push([await turn(without, seconds), await turn(withReplica, seconds)]);
  const metrics = await fetch(`${withReplica.url}/metrics`, {
    headers: { authorization: 'Bearer metrics-of-this-run' },
  });
  console.log(`${deployments} deployments, ${callers} callers, medians of ${ROUNDS} turns of ${seconds} s`);
  console.log('| | without | with a replica | ratio |\n| --- | ---: | ---: | ---: |');
  for (const what of Object.keys(rounds[0][0])) {
    const [one, other] = [0, 1].map((place) => median(rounds.map((pair) => pair[place][what])));
    console.log(`| ${what} | ${one.toFixed(2)} | ${other.toFixed(2)} | ${(other / one).toFixed(2)} |`);
  }
  for (const line of (await metrics.text()).split('\n')) if (line.startsWith('shipworthy_replica')) console.log(line);
  await client.end();
} finally {
  for (const server of servers) await server.stop();
  await followed.stop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
}
