import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Service, startService } from '../service/service.js';
import { type Outcome, runIn, type StandIn, type StandInOptions, standIn } from '../stand-in.js';

const PASSED = '<testsuite><testcase name="a"/></testsuite>';
const FAILED = '<testsuite><testcase name="a"><failure/></testcase></testsuite>';

/** A command that writes files and ends. */
const writing = (files: Readonly<Record<string, string>>, exit = 0): readonly string[] => [
  '--',
  process.execPath,
  '-e',
  `for (const [name, text] of Object.entries(${JSON.stringify(files)})) require('node:fs').writeFileSync(name, text); process.exitCode = ${exit};`,
];

describe('tests run', () => {
  let service: Service;
  let world: StandIn;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const make = async (options: StandInOptions = {}) => {
    const env = { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key, ...options.env };
    world = await standIn({ ...options, env });
  };
  beforeEach(() => make());
  afterEach(() => world.remove());
  const run = async (...argv: readonly string[]) => {
    const path = { team_id: service.teamId, project_id: service.projectId };
    const runs = async () => (await service.person.listTestRuns({ path, query: { limit: 200 } })).body.data;
    const before = (await runs()).map(({ id }) => id);
    const outcome: Outcome = await runIn(world, 'tests', 'run', ...argv);
    expect(outcome.out + outcome.err).not.to.contain(service.key);
    return { ...outcome, added: (await runs()).filter(({ id }) => !before.includes(id)) };
  };
  const write = (name: string, text: string, secondsAgo = 3600) => {
    const path = join(world.folder, name);
    writeFileSync(path, text);
    const at = Date.now() / 1000 - secondsAgo;
    utimesSync(path, at, at);
  };

  it('records what the command wrote, keeps stdout for the command, and ends as it did', async () => {
    const { exit, out, err, added } = await run('--report', 'junit.xml', ...writing({ 'junit.xml': PASSED }));
    expect(exit, err).to.equal(0);
    expect(added[0]).to.include({ total: 1, passed: 1 });
    expect(out).to.equal('');
    expect(err).to.contain('1 test ran').and.contain('/test-runs');
  });

  it('records failed tests too, and ends as the command did', async () => {
    const { exit, added, json } = await run('--json', '--report', '*.xml', ...writing({ 'junit.xml': FAILED }, 7));
    expect(exit).to.equal(7);
    expect(added[0]).to.include({ total: 1, failed: 1 });
    expect(json().data).to.include({ exit: 7, command_exit: 7, report: 'sent' });
  });

  it('adds an error when the command failed and its report does not say so', async () => {
    const { exit, err, added } = await run('--report', 'junit.xml', ...writing({ 'junit.xml': PASSED }, 1));
    expect(exit).to.equal(1);
    expect(err).to.contain('2 tests ran: 1 passed, 0 failed, 1 errored');
    expect(err).to.contain('although every test in its report passed: one error is added');
    expect(added[0]).to.include({ total: 2, passed: 1, failed: 0 });
    const red = await run('--report', 'junit.xml', ...writing({ 'junit.xml': FAILED }, 1));
    expect(red.added[0]).to.include({ total: 1, failed: 1 });
  });

  it('ends with 6 when the command succeeded and its report is doubted, and records it with errors', async () => {
    const doubted = '<testsuite failures="1"><testcase name="a"/></testsuite>';
    for (const strict of [[], ['--strict-report']]) {
      const { exit, err, added, json } = await run(
        ...strict,
        '--json',
        '--report',
        'junit.xml',
        ...writing({ 'junit.xml': doubted }),
      );
      expect(exit).to.equal(6);
      expect(err).to.contain('junit.xml: the report says 1 failure but lists none');
      expect(added[0]).to.include({ total: 2, passed: 1, failed: 0 });
      expect(json().data).to.deep.include({
        exit: 6,
        command_exit: 0,
        doubts: ['junit.xml: the report says 1 failure but lists none'],
      });
    }
    const failed = await run('--report', 'junit.xml', ...writing({ 'junit.xml': doubted }, 9));
    expect(failed.exit).to.equal(9);
    expect(failed.added[0]).to.include({ total: 2, passed: 1, failed: 0 });
  });

  it('ends with 6 for a doubted report that could not be sent, too', async () => {
    const doubted = '<testsuite failures="1"><testcase name="a"/></testsuite>';
    const command = ['--report', 'junit.xml', ...writing({ 'junit.xml': doubted })];
    for (const env of [{ SHIPWORTHY_API_KEY: '' }, { SHIPWORTHY_APP: 'nobody' }]) {
      await world.remove();
      await make({ env });
      const { exit, added, json } = await run('--json', ...command);
      expect([exit, added]).to.deep.equal([6, []]);
      expect(json().data).to.include({ exit: 6, report: 'not_recorded' });
    }
  });

  it('ends with 6 where a fault of its own keeps it from reading the report, or as the command that failed', async () => {
    const faulty: StandIn = Object.defineProperty({ ...world }, 'stdin', {
      get: () => {
        throw new RangeError('a fault');
      },
    });
    for (const commandExit of [0, 9]) {
      const command = ['--report', 'junit.xml', ...writing({ 'junit.xml': PASSED }, commandExit)];
      const { exit, err } = await runIn(faulty, 'tests', 'run', ...command);
      expect(exit).to.equal(commandExit || 6);
      expect(err).to.contain(
        `${commandExit === 0 ? 'The test run is not recorded' : 'The report cannot be read'}: Unexpected error: RangeError: a fault (SHIPWORTHY_DEBUG=1 says where)`,
      );
    }
  });

  it("does not record yesterday's report", async () => {
    write('junit.xml', PASSED);
    const { exit, err, added } = await run('--report', 'junit.xml', ...writing({}));
    expect([exit, added]).to.deep.equal([6, []]);
    expect(err).to.contain('The command did not write junit.xml; what is there is older');
    expect((await run('--strict-report', '--report', 'junit.xml', ...writing({}))).exit).to.equal(6);
    const failed = await run('--strict-report', '--report', 'junit.xml', ...writing({}, 9));
    expect(failed.exit).to.equal(9);
    expect(failed.added[0], 'an error, not what is old').to.include({ total: 1, passed: 0, failed: 0 });
  });

  it('does not record an old report that a cache puts back', async () => {
    const script = `const fs = require('node:fs'); fs.writeFileSync('junit.xml', '${PASSED}'); fs.utimesSync('junit.xml', 1e9, 1e9);`;
    const { added, err } = await run('--report', 'junit.xml', '--', process.execPath, '-e', script);
    expect(added).to.deep.equal([]);
    expect(err).to.contain('is older');
  });

  it('records what was written and names what was not', async () => {
    write('old.xml', FAILED);
    const { err, added } = await run('--report', '*.xml', ...writing({ 'new.xml': PASSED }));
    expect(added[0]).to.include({ total: 1, passed: 1 });
    expect(err).to.contain('did not write them: old.xml');
  });

  it('ends with 6 where one of several reports was not written, or is older, and records nothing', async () => {
    const patterns = ['--report', 'unit.xml', '--report', 'e2e.xml'];
    const absent = await run(...patterns, ...writing({ 'unit.xml': PASSED }));
    expect([absent.exit, absent.added]).to.deep.equal([6, []]);
    expect(absent.err).to.contain('The command wrote no e2e.xml.');
    write('e2e.xml', FAILED);
    const older = await run(...patterns, ...writing({ 'unit.xml': PASSED }));
    expect([older.exit, older.added]).to.deep.equal([6, []]);
    expect(older.err).to.contain('The command did not write e2e.xml; what is there is older');
  });

  it('records what a command that failed did write of several reports', async () => {
    const { exit, err, added } = await run(
      ...['--report', 'unit.xml', '--report', 'e2e.xml'],
      ...writing({ 'unit.xml': PASSED }, 9),
    );
    expect([exit, err.includes('The command wrote no e2e.xml.')]).to.deep.equal([9, true]);
    expect(added[0], 'with an error').to.include({ total: 2, passed: 1, failed: 0 });
    write('e2e.xml', FAILED);
    write('old.xml', FAILED);
    const older = await run('--report', '[ou]*.xml', '--report', 'e2e.xml', ...writing({ 'unit.xml': PASSED }, 9));
    expect(older.err).to.contain('The command did not write e2e.xml; what is there is older');
    expect(older.err, 'each file once').to.contain('because the command did not write them: old.xml.');
  });

  it('counts a file that two patterns name once, and for both', async () => {
    const patterns = ['--report', '*.xml', '--report', 'unit.xml'];
    const { exit, added } = await run(...patterns, ...writing({ 'unit.xml': PASSED }));
    expect(exit).to.equal(0);
    expect(added[0]).to.include({ total: 1, passed: 1 });
  });

  it('finds the report at the one usual place where it was written', async () => {
    mkdirSync(join(world.folder, 'test-results'));
    write('junit.xml', FAILED);
    const { added } = await run(...writing({ 'test-results/results.xml': PASSED }));
    expect(added[0]).to.include({ total: 1, passed: 1 });
  });

  it('fails where several usual places have a report, and where none has one', async () => {
    const several = await run(...writing({ 'junit.xml': PASSED, 'report.json': '{}' }));
    expect([several.exit, several.added]).to.deep.equal([6, []]);
    expect(several.err).to.contain('several reports: junit.xml, report.json').and.contain('--report');
    for (const strict of [[], ['--strict-report']]) {
      const none = await run(...strict, ...writing({}));
      expect([none.exit, none.added]).to.deep.equal([6, []]);
      expect(none.err).to.contain('no report where reports usually are');
    }
  });

  it('ends with 6 for a broken or empty report, strict or not, and as the command where that failed', async () => {
    for (const [text, fault] of [
      ['<testsuite>\n<testcase', 'junit.xml:2: is cut short'],
      ['<testsuites/>', 'No test is in junit.xml'],
      ['', 'junit.xml: is empty'],
      ['{"results": {"tests": [{"status": "failed", "status": "passed"}]}}', 'names the member "status" twice'],
    ] as const)
      for (const strict of [[], ['--strict-report']]) {
        const command = [...strict, '--report', 'junit.xml'];
        const loud = await run(...command, ...writing({ 'junit.xml': text }));
        expect([loud.exit, loud.added]).to.deep.equal([6, []]);
        expect(loud.err).to.contain('The test run is not recorded').and.contain(fault);
        const failed = await run(...command, ...writing({ 'junit.xml': text }, 9));
        expect([failed.exit, failed.added.length]).to.deep.equal([9, 1]);
        expect(failed.added[0]).to.include({ total: 1, passed: 0, failed: 0 });
        expect(failed.err).to.contain('The report cannot be read').and.contain(fault);
        expect(failed.err).to.contain('The command ended with 9, and no report shows a test: one error is added.');
      }
    const allowed = ['--allow-empty', '--strict-report', '--report', 'junit.xml'];
    const empty = await run(...allowed, ...writing({ 'junit.xml': '<testsuites/>' }));
    expect([empty.exit, empty.added]).to.deep.equal([0, []]);
    const failed = await run(...allowed, ...writing({ 'junit.xml': '<testsuites/>' }, 9));
    expect(failed.exit).to.equal(9);
    expect(failed.added[0]).to.include({ total: 1, passed: 0, failed: 0 });
  });

  it('never breaks the tests of a pipeline whose key or address is wrong', async () => {
    const command = ['--report', 'junit.xml', ...writing({ 'junit.xml': PASSED })];
    for (const [env, strict] of [
      [{ SHIPWORTHY_API_KEY: '' }, 4],
      [{ SHIPWORTHY_API_URL: '' }, 2],
      [{ SHIPWORTHY_APP: 'nobody' }, 2],
    ] as const) {
      await make({ env });
      const { exit, err } = await run(...command);
      expect(exit).to.equal(0);
      expect(err).to.contain('The test run is not recorded');
      expect((await run('--strict-report', ...command)).exit).to.equal(strict);
      await world.remove();
    }
    await make({ env: { SHIPWORTHY_API_URL: 'http://127.0.0.1:9' } });
    const { exit, err } = await run('--timeout', '0.3', ...command);
    expect(exit).to.equal(0);
    expect(err).to.contain('flush sends it');
    expect((await run('--timeout', '0.3', '--strict-report', ...command)).exit).to.equal(5);
  });

  it('records a command that ends with 127 itself', async () => {
    const { exit, added } = await run('--report', 'junit.xml', ...writing({ 'junit.xml': FAILED }, 127));
    expect([exit, added.length]).to.deep.equal([127, 1]);
  });

  it('ends with 127 for a command that is not there, and with 128 and more for one that was killed', async () => {
    const { exit, err, added } = await run('--', 'no-such-command-anywhere');
    expect([exit, added]).to.deep.equal([127, []]);
    expect(err).to.contain('did not run');
    const kill = ['--report', 'junit.xml', '--', process.execPath, '-e', "process.kill(process.pid, 'SIGKILL')"];
    const killed = await run(...kill);
    expect(killed.exit).to.equal(137);
    expect(killed.added[0], 'so that an older run that passed does not stay the latest').to.include({
      total: 1,
      passed: 0,
    });
  });

  it('does not record a run that was interrupted', async () => {
    const script = `require('node:fs').writeFileSync('junit.xml', '${PASSED}'); require('node:fs').writeFileSync('ready', ''); setTimeout(() => {}, 10000);`;
    const running = run('--report', 'junit.xml', '--', process.execPath, '-e', script);
    const ready = join(world.folder, 'ready');
    while (!existsSync(ready)) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(world.interrupt('SIGTERM')).to.equal(true);
    const { exit, err, added } = await running;
    expect([exit, added]).to.deep.equal([143, []]);
    expect(err).to.contain('was interrupted');
  });

  it('ends with 2 without a command, and for a dry run, which would have nothing to show', async () => {
    expect((await run()).exit).to.equal(2);
    const { exit, added } = await run('--dry-run', '--report', 'junit.xml', ...writing({ 'junit.xml': PASSED }));
    expect([exit, added]).to.deep.equal([2, []]);
  });
});
