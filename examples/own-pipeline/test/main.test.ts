import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { testsOf } from '../src/test-result.js';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const program = fileURLToPath(new URL('../src/main.js', import.meta.url));

/** As git itself counts; 0 where there is no history. */
const countCommits = async (): Promise<number> => {
  if (!existsSync(join(root, '.git'))) return 0;
  const counted = await execute('git', ['-C', root, 'rev-list', '--count', 'HEAD']).catch(() => ({ stdout: '0' }));
  return Number(counted.stdout);
};

/** As mocha itself counts, without running them. */
const countTests = async (): Promise<number> => {
  const files = testsOf(root, 'client');
  const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const options = { cwd: root, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await execute(process.execPath, [mocha, '--dry-run', '--reporter', 'json', ...files], options);
  return JSON.parse(stdout).stats.tests;
};

const numbersIn = (text: string, pattern: RegExp): readonly number[] =>
  (pattern.exec(text) ?? expect.fail(`${pattern} is not in:\n${text}`)).slice(1).map(Number);

describe('the pipeline on its own repository', () => {
  let printed = '';
  let [commits, commitsAfter, tests] = [0, 0, 0];
  let scratch = '';

  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'pipeline-test-'));
    commits = await countCommits();
    // The settings of this shell must not send it to another server.
    const { SHIPWORTHY_API_URL: _url, SHIPWORTHY_API_KEY: _key, SHIPWORTHY_APP: _app, ...env } = process.env;
    printed = (await execute(process.execPath, [program], { env: { ...env, TMPDIR: scratch } })).stdout;
    commitsAfter = await countCommits();
    tests = await countTests();
  });

  it('reports every commit once, or says that there is no history', () => {
    const [reported = 0, known] = numbersIn(printed, /^Deployments: (\d+) reported, (\d+) known already$/m);
    // A commit may be made while it runs.
    expect(reported).to.be.within(commits, commitsAfter);
    expect(known).to.equal(0);
    if (commits === 0) {
      expect(printed).to.match(/^Missing: the git history: /m);
      expect(printed).to.match(/^stability {8}- /m);
    } else {
      const [succeeded, finished] = numbersIn(printed, /^stability .* (\d+) of (\d+) finished deployment/m);
      expect([succeeded, finished]).to.deep.equal([reported, reported]);
    }
  });

  it('reports what mocha counted', () => {
    const [passed = 0, failed = 0] = numbersIn(printed, /^Tests: (\d+) passed, (\d+) failed, in [\d.]+ s$/m);
    expect(passed + failed).to.equal(tests);
    expect(numbersIn(printed, /^verification .* (\d+) of (\d+) tests passed/m)).to.deep.equal([passed, tests]);
  });

  it('measures what people entered, and says why the gate holds and what is next', () => {
    expect(printed).to.match(/^scope {9}80\.0 {2}#{8}\.\. {2}4 of 5 issues done$/m);
    expect(printed).to.match(/^quality {6}100\.0 {2}#{10} {2}1 of 1 bug resolved/m);
    expect(printed).to.match(/^ops {11}66\.6 {2}#{6}\.{4} {2}2 of 3 checklist items done$/m);
    expect(printed).to.match(/^Ship gate: HOLD\n {2}because {2}Ops is at 66\.66, below its minimum of 100\n/m);
    expect(printed).to.match(/^ {2}next {5}Tick 1 checklist item: Rollback/m);
    const afterwards = printed.slice(printed.indexOf('Ada ticks Rollback'));
    expect(afterwards)
      .to.match(/^Ship gate: (GO|HOLD|UNKNOWN)$/m)
      .and.not.contain('checklist');
  });

  it('keeps within 80 columns', () => {
    for (const line of printed.split('\n'))
      if (!line.startsWith('Missing:')) expect(line.length, line).to.be.at.most(80);
  });

  it('leaves no server and no file behind', async () => {
    const [, url = ''] = /^Server: (\S+)$/m.exec(printed) ?? [];
    const failure = await fetch(`${url}/livez`).catch((error: Error) => error.cause);
    expect(failure).to.have.property('code', 'ECONNREFUSED');
    expect(await readdir(scratch)).to.deep.equal([]);
    await rmdir(scratch);
  });
});
