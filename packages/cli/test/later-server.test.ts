import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { converse } from './mcp/conversation.js';
import { startFront } from './service/front.js';
import { makeReady, newProject, openCriticalBug, type ReleasePath, tickChecklist } from './service/releases.js';
import { type Service, startService } from './service/service.js';
import { widenedFetch, widenedText } from './service/widened.js';
import { runIn, type StandIn, standIn } from './stand-in.js';

const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';
const REPORT = '<testsuite><testcase classname="cart" name="adds"/></testsuite>';

describe('the command and a later server, whose answers hold more', () => {
  let service: Service;
  let world: StandIn;
  let path: ReleasePath;
  let name: string;
  let isAway = false;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    ({ name, path } = await newProject(service));
    isAway = false;
    world = await standIn({
      env: { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key, SHIPWORTHY_APP: name },
      fetch: async (input, init) => (isAway ? Promise.reject(new TypeError('away')) : widenedFetch(input, init)),
    });
    await writeFile(join(world.folder, 'report.xml'), REPORT);
  });
  afterEach(() => world.remove());
  const run = async (...argv: readonly string[]) => {
    const ended = await runIn(world, ...argv);
    expect(ended.out + ended.err, argv.join(' ')).not.to.match(/undefined|\[object|NaN|unexpected error/);
    return ended;
  };

  it('obeys its gate: go, hold, unknown', async () => {
    await tickChecklist(service, path);
    expect((await run('gate')).exit).to.equal(5);
    await makeReady(service, name, path);
    const go = await run('gate');
    expect([go.exit, go.out.split('\n')[0]]).to.deep.equal([0, 'go']);
    expect(go.out).to.contain('1 test is gone').and.contain('Fix 2 findings');
    expect((await run('gate', '--json')).json().data).to.have.nested.property('added_later.decision', 'soft_hold');
    await openCriticalBug(service, path);
    expect((await run('gate')).exit).to.equal(3);
    expect((await run('gate', '--wait', '50ms')).exit).to.equal(8);
  });

  it('accepts its signed verdict, which agrees with the gate', async () => {
    await makeReady(service, name, path);
    const { exit, err } = await run('gate', '--signed', 'verdict.json', '--commit', COMMIT);
    expect(exit, err).to.equal(0);
    const { exit: scored, out } = await run('score', '--from', 'verdict.json');
    expect([scored, out.split('\n')[1]]).to.deep.equal([0, 'ship gate: go']);
  });

  it('recomputes its verdict from the known members, and refuses one with another result', async () => {
    await makeReady(service, name, path);
    await run('gate', '--signed', 'verdict.json');
    const { payload } = JSON.parse(await readFile(join(world.folder, 'verdict.json'), 'utf8'));
    const { predicate } = JSON.parse(Buffer.from(payload, 'base64').toString());
    const judge = async (later: object) => {
      await writeFile(join(world.folder, 'later.json'), JSON.stringify({ ...predicate, ...later }));
      return run('score', '--from', 'later.json');
    };
    const policy = { ...predicate.policy, max_failed_tests: 3 };
    const facts = { ...predicate.facts, scope: { ...predicate.facts.scope, moved: 0 } };
    const same = await judge({ policy, facts, waivers: [], later: {} });
    expect([same.exit, same.out.split('\n')[0]], same.err).to.deep.equal([0, '100.0, 5 of 5 measured']);
    for (const [other, said] of [
      [{ policy, result: { ...predicate.result, decision: 'hold' } }, '/policy/max_failed_tests'],
      [{ formula: '2' }, '/formula'],
    ] as const) {
      const { exit, err, out } = await judge(other);
      expect([exit, out]).to.deep.equal([5, '']);
      expect(err).to.contain('cannot be recomputed by this version').and.contain(said);
    }
    // What people write is still held to what is known.
    await writeFile(join(world.folder, 'facts.json'), JSON.stringify({ facts }));
    const mine = await run('score', '--from', 'facts.json');
    expect([mine.exit, mine.err]).to.satisfy(([code, err]: [number, string]) => code === 2 && err.includes('/moved'));
  });

  it('explains its score, with an axis that is not known', async () => {
    await makeReady(service, name, path);
    const { exit, out } = await run('score', '--explain');
    expect(exit).to.equal(0);
    expect(out).to.match(/^security +50\.0 +0 +50\/100 +2 findings$/m);
    expect(out).to.contain('silent: no scans since').and.contain('(by calendar)');
  });

  it('asks it what if', async () => {
    await makeReady(service, name, path);
    await openCriticalBug(service, path);
    for (const what of [
      ['--set', 'scope.done=1'],
      ['--set', 'quality.open.critical=0', '--set', 'quality.resolved=1'],
      ['--set', 'policy.threshold=60'],
    ]) {
      const { exit, out, err } = await run('what-if', ...what);
      expect(exit, err).to.equal(0);
      expect(out).to.match(/^before: hold, .*\nafter: {2}(go|hold), /);
    }
  });

  it('lists teams, releases and whose key it is', async () => {
    expect((await run('teams')).out).to.contain(name);
    expect((await run('releases')).out).to.match(/1\.0 +active/);
    const { exit, out } = await run('whoami');
    expect([exit, out]).to.satisfy(([code, said]: [number, string]) => code === 0 && said.includes('issues:write'));
    expect((await run('open', '--release', '1.0')).out).to.contain(path.release_id);
  });

  it('reports deployments and tests to it, and sends kept reports', async () => {
    const deployment = ['--env', 'production', '--commit', COMMIT];
    expect((await run('deploy', 'run', ...deployment, '--strict-report', '--', 'true')).exit).to.equal(0);
    const { exit, out, err } = await run('deploy', 'start', ...deployment);
    expect([exit, out], err).to.satisfy(([code, id]: [number, string]) => code === 0 && /^[0-9a-f-]{36}\n$/.test(id));
    expect((await run('deploy', 'finish', out.trim(), '--status', 'success')).exit).to.equal(0);
    const recorded = await run('tests', 'record', 'report.xml', '--strict-report');
    expect(recorded.exit, recorded.err).to.equal(0);
    expect(recorded.err).to.contain('It counts for 1.0');
    isAway = true;
    expect((await run('deploy', 'run', '--timeout', '0.2', ...deployment, '--', 'true')).exit).to.equal(0);
    isAway = false;
    const flushed = await run('--json', 'flush');
    expect([flushed.exit, (flushed.json().data as { sent: unknown[] }).sent.length]).to.deep.equal([0, 1]);
  });

  it('imports the past into it, and says of each row what became of it', async () => {
    const done = { environment: 'e', commit_sha: COMMIT, status: 'success', started_at: '2026-01-05T09:30:00Z' };
    const row = (external_id: string) => ({ ...done, external_id });
    const rows = [row('1'), row('2'), { ...row('3'), status: 'perhaps' }, { ...row('4'), app_name: 'nope' }];
    await writeFile(join(world.folder, 'past.ndjson'), rows.map((one) => JSON.stringify(one)).join('\n'));
    const { exit, json, err } = await run('--json', 'import', 'deployments', 'past.ndjson');
    expect(exit, err).to.equal(2);
    expect(json().data).to.include({ rows: 4, created: 2, duplicates: 0, refused: 2 });
  });

  it('reads what an earlier version kept, with members that are not known', async () => {
    const kept = join(world.home, '.local', 'state', 'shipworthy', 'spool');
    await mkdir(kept, { recursive: true });
    const entry = {
      ...{ version: 1, operation: 'recordTestRun', address: service.url, made_at: new Date().toISOString() },
      ...{ idempotency_key: 'k', path: { team_id: path.team_id, project_id: path.project_id, later: 1 }, later: {} },
      body: { total: 1, passed: 1, failed: 0 },
    };
    await writeFile(join(kept, '000000000000001-00000000-0000-4000-8000-000000000000.json'), JSON.stringify(entry));
    expect((await run('flush', '--unsealed')).exit).to.equal(0);
  });

  it('tells coding agents what it knows, and names what it lacks', async () => {
    await makeReady(service, name, path);
    const front = await startFront(service.url);
    const widen: Parameters<typeof front.change>[0] = (_, { body, ...answer }) => ({
      ...answer,
      body: widenedText(answer.contentType, body),
    });
    front.change(widen);
    const settings = { SHIPWORTHY_API_URL: front.url, SHIPWORTHY_API_KEY: service.key, SHIPWORTHY_APP: name };
    const talk = await converse(world.folder, settings, '--allow-writes');
    const asked = [
      ...(['get_gate', 'get_scorecard', 'get_history', 'list_projects', 'list_releases'] as const).map((tool) => [
        tool,
        {},
      ]),
      ...['scope', 'quality', 'ops', 'verification', 'stability'].map((axis) => ['get_axis_rows', { axis }]),
      ...['deployment', 'test_run'].map((kind) => ['list_not_counted', { kind }]),
      ['what_if', { facts: { ops: { done: 0, total: 3 } } }],
      ['record_test_run', { total: 1, passed: 1, failed: 0 }],
      ['record_deployment', { environment: 'e', commit_sha: COMMIT, status: 'success' }],
    ] as readonly [string, Record<string, unknown>][];
    for (const [tool, args] of asked) {
      const said = await talk.ask(tool, args);
      expect(said.isError, `${tool}: ${said.text}`).to.equal(false);
      expect(said.text, tool).not.to.match(/undefined|NaN|\[object/);
    }
    // A member that is said something of is gone: `as_of`, `explanation`, `name`, and so on.
    front.change((at, { body, ...answer }) => {
      const isList = at.endsWith('/api/teams');
      return {
        ...answer,
        body: isList ? body : body.replaceAll(/"(?:name|as_of|explanation|state|at|id)":/g, '"gone":'),
      };
    });
    for (const [tool, args] of asked.filter(([tool]) => /gate|scorecard|releases|what_if/.test(tool))) {
      const said = await talk.ask(tool, args);
      expect(said.isError, `${tool}: ${said.text}`).to.equal(true);
      expect(said.text, tool).to.contain('cannot be read');
    }
    expect(await talk.end()).to.equal('');
    await front.stop();
  });

  it('passes the checks of the doctor', async () => {
    const { exit, out } = await run('doctor', 'server');
    expect(exit, out).to.equal(0);
  });
});
