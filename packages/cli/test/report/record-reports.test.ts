import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOM } from '@shipworthy/test-reports/test-samples';
import { expect } from 'chai';
import { findReports } from '../../src/report/record-reports.js';
import { type Service, startService } from '../service/service.js';
import { type Outcome, runIn, type StandIn, type StandInOptions, standIn } from '../stand-in.js';

const XML =
  '<testsuite time="2.5"><testcase name="a"/><testcase name="b"><failure/></testcase><testcase name="c"><skipped/></testcase></testsuite>';
const AWAY = 'http://127.0.0.1:9';

describe('tests record', () => {
  let service: Service;
  let world: StandIn;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const make = async (options: StandInOptions = {}) => {
    const env = { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key, ...options.env };
    world = await standIn({ ...options, env });
    write('report.xml', XML);
  };
  beforeEach(() => make());
  const outcomes: Outcome[] = [];
  afterEach(async () => {
    // After any result the key is in no output.
    for (const { out, err } of outcomes.splice(0)) expect(out + err).not.to.contain(service.key);
    await world.remove();
  });
  const write = (name: string, text: string) => writeFileSync(join(world.folder, name), text);
  const record = async (...argv: readonly string[]): Promise<Outcome> => {
    const outcome = await runIn(world, 'tests', 'record', ...argv);
    outcomes.push(outcome);
    return outcome;
  };
  const path = () => ({ team_id: service.teamId, project_id: service.projectId });
  const runs = async () => (await service.person.listTestRuns({ path: path(), query: { limit: 200 } })).body.data;
  const recorded = async (work: () => Promise<Outcome>) => {
    const before = (await runs()).map(({ id }) => id);
    const outcome = await work();
    return { ...outcome, added: (await runs()).filter(({ id }) => !before.includes(id)) };
  };

  it('records what a report says, says what it counts for, and ends with 0 although a test failed', async () => {
    const { exit, out, err, added } = await recorded(() => record('report.xml', '--suite', 'unit'));
    expect(exit, err).to.equal(0);
    expect(added).to.have.length(1);
    expect(added[0]).to.include({ total: 2, passed: 1, failed: 1, skipped: 1, suite: 'unit', duration_seconds: 2.5 });
    expect(out).to.equal(`${added[0]?.id}\n`);
    expect(err).to.contain('2 tests ran: 1 passed, 1 failed; 1 skipped.').and.contain('It counts for 1.0 (score ');
    expect(err).to.contain(`${service.url}/teams/${service.teamId}/projects/${service.projectId}/test-runs\n`);
  });

  it('reads a report from standard input', async () => {
    await make({ stdin: 'TAP version 13\n1..2\nok 1\nok 2\n' });
    expect((await recorded(() => record('-'))).added[0]).to.include({ total: 2, passed: 2 });
  });

  it('adds reports of several formats up to one run', async () => {
    for (const name of ['mocha-12.0.3/report.json', 'pytest-9.0.3/report.xml', 'node-20.20.2/report.tap'])
      copyFileSync(join(ROOM, 'from-tools', name), join(world.folder, `one-${name.replace('/', '-')}`));
    const { exit, added, json } = await recorded(() => record('one-*', '--json'));
    expect(exit).to.equal(0);
    expect(added[0]).to.include({ total: 7 + 7 + 9, passed: 4 + 2 + 5, failed: 3 + 1 + 4, skipped: 2 + 2 + 3 });
    expect(json().data).to.include({ report: 'sent', errored: 4 }).and.nested.property('files[2].format', 'junit');
  });

  it('leaves the clock of a report file aside: a run is as new as its recording', async () => {
    const at = (stamp: string) => `<testsuite time="60" timestamp="${stamp}"><testcase name="a"/></testsuite>`;
    write('past.xml', at('2026-01-02T03:04:05Z'));
    write('ahead.xml', at('2099-01-02T03:04:05Z'));
    for (const name of ['past.xml', 'ahead.xml']) {
      const [run] = (await recorded(() => record(name))).added;
      expect(run?.ran_at).to.be.a('string').and.equal(run?.recorded_at);
      expect(run?.attribution.releases[0]?.counts).to.equal(true);
    }
  });

  it('records for a release by name and by id, with commit and page', async () => {
    const options = ['--commit', 'abcdef1', '--url', 'https://ci.example.org/7'];
    for (const release of ['1.0', service.releaseId])
      expect((await recorded(() => record('report.xml', '--release', release, ...options))).added[0]).to.include({
        release_id: service.releaseId,
        commit_sha: 'abcdef1',
        url: 'https://ci.example.org/7',
      });
  });

  it('takes commit and page from the pipeline', async () => {
    const CI = {
      CI: 'true',
      GITLAB_CI: 'true',
      CI_COMMIT_SHA: '1234567890abcdef1234567890abcdef12345678',
      CI_JOB_URL: 'https://gitlab.example.org/j/1',
    };
    await make({ env: CI });
    expect((await recorded(() => record('report.xml'))).added[0]).to.include({ commit_sha: CI.CI_COMMIT_SHA });
  });

  it('counts a step that runs again under its key once, and another suite by itself', async () => {
    const key = ['--idempotency-key', 'run-4711'];
    expect((await recorded(() => record('report.xml', ...key))).added).to.have.length(1);
    const again = await recorded(() => record('report.xml', ...key));
    expect([again.exit, again.added]).to.deep.equal([0, []]);
    write('report.xml', XML.replace('<failure/>', ''));
    const changed = await recorded(() => record('report.xml', ...key));
    expect([changed.exit, changed.added]).to.deep.equal([0, []]);
    expect(changed.err).to.contain('was recorded before');
    expect((await recorded(() => record('report.xml', '--suite', 'other', ...key))).added).to.have.length(1);
  });

  it('ends with 6 for a broken report, with file and line, and sends nothing of the others', async () => {
    write('broken.xml', '<testsuite>\n<testcase name="a"/>\n<oops');
    const { exit, err, added, json } = await recorded(() => record('*.xml', '--json'));
    expect([exit, added]).to.deep.equal([6, []]);
    expect(err).to.contain('broken.xml:3: is cut short').and.contain('Nothing was recorded of the 2 reports');
    expect(json().error).to.include({ exit: 6, code: 'report-broken' });
    write('broken.json', '{"testResults": [}');
    const both = await recorded(() => record('broken.*', 'report.xml'));
    expect([both.exit, both.added]).to.deep.equal([6, []]);
    expect(both.err).to.contain('broken.xml:3').and.contain('broken.json:1').and.contain('2 of 3 reports');
  });

  it('records a report that says failures and lists none with errors, and ends with 6', async () => {
    const suite = (head: string) => `<testsuite ${head}><testcase name="a"/><testcase name="b"/></testsuite>`;
    write('doubted.xml', suite('failures="1"'));
    const { exit, out, err, added, json } = await recorded(() => record('doubted.xml', '--json'));
    expect(exit).to.equal(6);
    expect(added).to.have.length(1);
    expect(added[0]).to.include({ total: 3, passed: 2, failed: 0 });
    expect(err).to.contain('doubted.xml: the report says 1 failure but lists none').and.contain('Recorded.');
    expect(out).to.contain(added[0]?.id);
    const doubts = ['doubted.xml: the report says 1 failure but lists none'];
    expect(json().data).to.deep.include({ report: 'sent', errored: 1, doubts });
    // Each report for itself: that another one lists its failures excuses none of this one's.
    const both = await recorded(() => record('doubted.xml', 'report.xml', '--json'));
    expect(both.exit).to.equal(6);
    expect(both.json().data).to.deep.include({ doubts });
    expect(both.added[0]).to.include({ total: 5, passed: 3, failed: 1, skipped: 1 });
    write('fine.xml', suite('failures="0"'));
    expect((await recorded(() => record('fine.xml', '--json'))).json().data).to.deep.include({ doubts: [] });
  });

  it('records a run whose report claims more failures, or a longer time, than there can be', async () => {
    const claiming = '<testsuite name="s" failures="4294967295" errors="4294967295" time="1e300"/>';
    write('claims.xml', `<testsuites>${claiming.repeat(3)}</testsuites>`);
    const claimed = await recorded(() => record('claims.xml'));
    expect(claimed.exit, claimed.err).to.equal(6);
    expect(claimed.added[0]).to.include({ total: 2_147_483_647, passed: 0, failed: 0, duration_seconds: null });
    write('long.xml', '<testsuite time="1e300"><testcase name="a"/></testsuite>');
    const long = await recorded(() => record('long.xml'));
    expect([long.exit, long.added[0]?.total]).to.deep.equal([0, 1]);
  });

  it('records a run whose report lists no test, but says that some failed', async () => {
    write('none.xml', '<testsuites tests="5" failures="2"/>');
    for (const more of [[], ['--allow-empty']]) {
      const { exit, added } = await recorded(() => record('none.xml', ...more));
      expect(exit).to.equal(6);
      expect(added[0]).to.include({ total: 2, passed: 0, failed: 0 });
    }
  });

  it('records a test whose status is not known as an error, names the word, and ends with 6', async () => {
    write('word.xml', '<testsuite><testcase name="a" status="run"/><testcase name="b" status="exploded"/></testsuite>');
    const { exit, err, added } = await recorded(() => record('word.xml'));
    expect(exit).to.equal(6);
    expect(err).to.contain('word.xml: 1 test has the status "exploded", which is not known');
    expect(added[0]).to.include({ total: 2, passed: 1, failed: 0 });
  });

  it('refuses a list of tests that holds something else', async () => {
    write('ctrf.json', '{"results": {"tests": [{"status": "passed"},\n"failed"], "summary": {}}}');
    const { exit, err, added } = await recorded(() => record('ctrf.json'));
    expect([exit, added]).to.deep.equal([6, []]);
    expect(err).to.contain('ctrf.json:2: is not as its format has it: results.tests[1] is no object');
  });

  it('ends with 6 for a doubted report while the server is away, too', async () => {
    await make({ env: { SHIPWORTHY_API_URL: AWAY } });
    write('doubted.xml', '<testsuite errors="1"><testcase name="a"/></testsuite>');
    const argv = ['doubted.xml', '--app', 'checkout', '--release', '1.0', '--timeout', '0.3', '--json'];
    const { exit, json } = await record(...argv);
    expect(exit).to.equal(6);
    expect(json().data).to.include({ report: 'kept', errored: 1 });
  });

  it('ends with 6 for a report that is missing, a folder, or nothing at all', async () => {
    mkdirSync(join(world.folder, 'reports'));
    write('nothing.xml', '');
    for (const [name, sentence] of [
      ['no.xml', 'No file is named no.xml'],
      ['reports', 'reports: is a folder'],
      ['nothing.xml', 'nothing.xml: is empty'],
    ] as const) {
      const { exit, err, added } = await recorded(() => record(name, '--allow-empty'));
      expect([exit, added]).to.deep.equal([6, []]);
      expect(err).to.contain(sentence);
    }
  });

  it('ends with 6 where no test ran, and with 0 and nothing sent where that is allowed', async () => {
    write('none.xml', '<testsuites tests="5"/>');
    write('skipped.xml', '<testsuite><testcase><skipped/></testcase></testsuite>');
    for (const name of ['none.xml', 'skipped.xml']) {
      const { exit, err, added } = await recorded(() => record(name));
      expect([exit, added]).to.deep.equal([6, []]);
      expect(err).to.contain('--allow-empty');
      const allowed = await recorded(() => record(name, '--allow-empty'));
      expect([allowed.exit, allowed.added, allowed.out]).to.deep.equal([0, [], '']);
      expect(allowed.err).to.contain('nothing was recorded');
    }
    expect((await recorded(() => record('none.xml', 'report.xml'))).exit).to.equal(6);
    const both = await recorded(() => record('none.xml', 'report.xml', '--allow-empty'));
    expect([both.exit, both.added.length]).to.deep.equal([0, 1]);
  });

  it('ends with 2 for what is not understood, and what the server does not have', async () => {
    for (const argv of [
      [],
      ['report.xml', '--format', 'trx'],
      ['report.xml', '--app', 'nobody'],
      ['report.xml', '--release', '9.9'],
      ['report.xml', '--suite', ''],
    ])
      expect((await record(...argv)).exit, argv.join(' ')).to.equal(2);
  });

  it('ends with 4 for a key that may not, and without one', async () => {
    await make({ env: { SHIPWORTHY_API_KEY: await service.keyFor('read') } });
    expect((await record('report.xml')).exit).to.equal(4);
    await make({ env: { SHIPWORTHY_API_KEY: '' } });
    expect((await record('report.xml')).exit).to.equal(4);
  });

  it('keeps a run whole while the server is away, and sends it later with the time it ran at', async () => {
    const now = Date.now() - 3_600_000;
    await make({ now: () => now, fetch: () => Promise.reject(new TypeError('fetch failed')) });
    const { exit, err, json } = await record(
      'report.xml',
      '--app',
      'checkout',
      '--release',
      '1.0',
      '--timeout',
      '0.3',
      '--json',
    );
    expect(exit).to.equal(0);
    expect(err).to.contain('flush sends it');
    expect(json().data)
      .to.include({ report: 'kept', test_run_id: null })
      .and.have.property('reference')
      .that.matches(/^kept:/);
    const spool = readdirSync(world.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(spool).to.have.length(1);
    for (const { parentPath, name } of spool)
      expect(readFileSync(join(parentPath, name), 'utf8')).not.to.contain(service.key);
    const back = { ...world, now: Date.now, fetch: globalThis.fetch };
    const { exit: flushed, added } = await recorded(() => runIn(back, 'flush'));
    expect(flushed).to.equal(0);
    expect(added[0]).to.include({ total: 2, ran_at: new Date(now).toISOString(), release_id: service.releaseId });
  });

  it('ends with 5 while the server is away where reports are strict', async () => {
    await make({ env: { SHIPWORTHY_API_URL: AWAY } });
    expect((await record('report.xml', '--strict-report', '--timeout', '0.3')).exit).to.equal(5);
  });

  it('shows the request and sends nothing with --dry-run', async () => {
    const { exit, out, added } = await recorded(() => record('report.xml', '--dry-run'));
    expect([exit, added]).to.deep.equal([0, []]);
    expect(out).to.contain('/test-runs').and.contain('"total": 2');
  });

  it('ends a dry run of a doubted report as the run itself would end', async () => {
    write('doubted.xml', '<testsuite failures="1"><testcase name="a"/></testsuite>');
    for (const more of [[], ['--json']]) {
      const { exit, out, err, added } = await recorded(() => record('doubted.xml', '--dry-run', ...more));
      expect([exit, added]).to.deep.equal([6, []]);
      expect(err).to.contain('doubted.xml: the report says 1 failure but lists none');
      expect(out).to.match(/"total": ?2/);
    }
    expect((await recorded(() => record('doubted.xml'))).exit).to.equal(6);
  });

  it('ends with 130 when interrupted', async () => {
    await make();
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const fetch = () => {
      asked();
      return new Promise<Response>(() => undefined);
    };
    const running = runIn({ ...world, fetch }, 'tests', 'record', 'report.xml');
    await isAsked;
    expect(world.interrupt('SIGINT')).to.equal(true);
    expect((await running).exit).to.equal(130);
  });

  it('lets no report steer the terminal', async () => {
    write('steer.xml', '<testsuite>\n<a\u009b2J\u202e>');
    const { err } = await record('steer.xml');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that none is there is the point
    expect(err).not.to.match(/[\u009b\u202e\u001b]/);
  });
});

describe('findReports', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'find-reports-'));
    for (const name of [
      'a.xml',
      'b.xml',
      'c.json',
      'odd[1].xml',
      'deep/er/d.xml',
      '.hidden/e.xml',
      'node_modules/f.xml',
    ]) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), '');
    }
    symlinkSync('a.xml', join(folder, 'link.xml'));
  });
  after(() => rmSync(folder, { recursive: true }));
  const names = async (...patterns: readonly string[]) =>
    (await findReports(folder, patterns)).files.map(({ name }) => name);

  it('takes names, patterns and whole paths', async () => {
    expect(await names('b.xml', 'a.xml')).to.deep.equal(['b.xml', 'a.xml']);
    expect(await names('*.{xml,json}')).to.have.members(['a.xml', 'b.xml', 'c.json', 'odd[1].xml']);
    expect(await names('**/?.xml')).to.have.members(['a.xml', 'b.xml', 'deep/er/d.xml', '.hidden/e.xml']);
    expect(await names(join(folder, 'deep/**'))).to.have.length(1);
  });

  it('takes a file by its name although it looks like a pattern', async () => {
    expect(await names('odd[1].xml')).to.deep.equal(['odd[1].xml']);
  });

  it('names each file once, however it is reached', async () => {
    expect(await names('a.xml', './a.xml', 'link.xml', '[a].xml')).to.deep.equal(['a.xml']);
  });

  it('says which patterns match nothing', async () => {
    expect((await findReports(folder, ['a.xml', 'no.xml', 'no/**/*.xml'])).unmatched).to.deep.equal([
      'no.xml',
      'no/**/*.xml',
    ]);
  });
});
