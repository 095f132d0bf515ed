import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UNUSABLE_ANSWERS } from '@shipworthy/cli';
import { makeReady, newProject, openCriticalBug, tickChecklist } from '@shipworthy/cli/test-releases';
import { type Service, startService } from '@shipworthy/cli/test-service';
import { expect } from 'chai';
import { component, inputsOf } from './component.js';
import { HEAD, type PipelineName } from './gitlab-env.js';
import { removeJobs, runJob } from './runner.js';

const REPORT = `<testsuite><testcase classname="cart" name="adds"/>
  <testcase classname="cart" name="pays"><failure message="no money"/></testcase></testsuite>`;
const NO_SERVER = 'http://127.0.0.1:9';
const INPUTS = {
  gate: { app: 'checkout' },
  tests: { app: 'checkout', files: 'a.xml' },
  deploy: { app: 'checkout', environment: 'e', run: 'echo deployed' },
};
const CLI = new URL('../../../../packages/cli/package.json', import.meta.url);

describe('the GitLab components', () => {
  let service: Service;
  const logs: string[] = [];
  before(async () => {
    service = await startService();
  });
  after(async () => {
    await removeJobs();
    await service.stop();
  });
  const given = () => ({ SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key });
  const run = async (...args: Parameters<typeof runJob>) => {
    const [name, inputs, options = {}] = args;
    const ended = await runJob(name, inputs, { ...options, variables: options.variables ?? given() });
    logs.push(ended.log, JSON.stringify(ended.dotenv));
    return ended;
  };
  const place = () => ({ team_id: service.teamId, project_id: service.projectId });

  for (const name of ['deploy', 'tests', 'gate'] as const)
    it(`${name} describes each input, uses each, and installs this version of the command`, () => {
      const inputs = inputsOf(name);
      const text = readFileSync(new URL(`../../templates/${name}/template.yml`, import.meta.url), 'utf8');
      for (const [input, { description }] of Object.entries(inputs)) {
        expect(description, input).to.be.a('string');
        expect(text).to.contain(`$[[ inputs.${input} ]]`);
      }
      const { version } = JSON.parse(readFileSync(CLI, 'utf8'));
      expect(inputs.version?.default).to.equal(version);
      const job = component(name, INPUTS[name]);
      expect(job.rules.at(-1)).to.deep.equal({ if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' });
    });

  it('gate shows names in which no log finds a command', async () => {
    const hostile = '::set-env name=a::b ##[error]c ##vso[task.complete]d';
    const { name, path } = await newProject(service, hostile);
    await service.person.addChecklistItem({ path, body: { title: hostile } });
    const { log, dotenv } = await run('gate', { app: name });
    expect(dotenv.SHIPWORTHY_VERDICT, log).to.equal('hold');
    expect(log).not.to.match(/::[a-z_-]|##\w*\[/i);

    const npx = `#!/bin/sh\nprintf '%s\\n' '${JSON.stringify({
      data: {
        decision: 'hold',
        scorecard: '::error::x',
        reasons: [{ message: `${hostile}\u001b[2J\u202e`, waived: false }],
      },
    })}'\nexit 3\n`;
    const told = await run('gate', { app: name }, { npx });
    expect(told.exit, told.log).to.equal(3);
    expect(told.log).to.contain(': :set-env name=a: :b ## [error]c ## vso[task.complete]d');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
    expect(told.log).not.to.match(/::[a-z_-]|##\w*\[|[\u001b\u202e]/i);
  });

  it('gate writes through no link of the repository, and hands on no variables that it holds', async () => {
    const { name } = await newProject(service);
    const links = { 'shipworthy-gate.json': '../outside.json', 'shipworthy-gate.env': '../outside.env' };
    const { dotenv, folder } = await run('gate', { app: name }, { links });
    expect(dotenv.SHIPWORTHY_VERDICT).to.equal('hold');
    expect(readdirSync(join(folder, '..'))).to.have.members(['work', 'bin']);
    const files = { 'shipworthy-gate.env': 'SHIPWORTHY_VERDICT=go\n' };
    const killed = await run('gate', { app: name }, { files, npx: '#!/bin/sh\nkill -9 $PPID\n' });
    expect([killed.exit, killed.dotenv]).to.deep.equal([null, {}]);
  });

  it('gate knows every answer that is of no use', () => {
    const text = readFileSync(new URL('../../templates/gate/template.yml', import.meta.url), 'utf8');
    const [, list = ''] = /const UNUSABLE_ANSWERS = (\[.*\]);/.exec(text) ?? [];
    expect(JSON.parse(list)).to.deep.equal(UNUSABLE_ANSWERS);
  });

  it('gate succeeds on go, and leaves verdict and score to later jobs', async () => {
    const { name, path } = await newProject(service);
    await makeReady(service, name, path);
    const { exit, dotenv, log, folder } = await run('gate', { app: name });
    expect(exit, log).to.equal(0);
    expect(dotenv).to.include({ SHIPWORTHY_VERDICT: 'go', SHIPWORTHY_SCORE: '100', SHIPWORTHY_COVERAGE: '1' });
    expect(dotenv.SHIPWORTHY_RELEASE_ID).to.equal(path.release_id);
    expect(dotenv.SHIPWORTHY_SCORECARD).to.contain(`/releases/${path.release_id}`);
    const document = JSON.parse(await readFile(join(folder, 'shipworthy-gate.json'), 'utf8'));
    expect(document.data.decision).to.equal('go');
  });

  it('gate fails on hold with its reasons, and succeeds in shadow', async () => {
    const { name, path } = await newProject(service);
    await makeReady(service, name, path);
    await openCriticalBug(service, path);
    const held = await run('gate', { app: name }, { on: 'mergeRequest' });
    expect([held.exit, held.dotenv.SHIPWORTHY_VERDICT]).to.deep.equal([3, 'hold']);
    expect(held.log).to.match(/critical/i);
    const shadow = await run('gate', { app: name, shadow: true });
    expect([shadow.exit, shadow.dotenv.SHIPWORTHY_VERDICT]).to.deep.equal([0, 'hold']);
    const waited = await run('gate', { app: name, wait: '1s', release: '1.0' });
    expect(waited.exit).to.equal(8);
  });

  it('gate fails on unknown, and when the server cannot be asked unless it is to go on', async () => {
    const { name, path } = await newProject(service);
    await tickChecklist(service, path);
    const unknown = await run('gate', { app: name, 'on-unavailable': 'go' });
    expect([unknown.exit, unknown.dotenv.SHIPWORTHY_VERDICT]).to.deep.equal([5, 'unknown']);
    const away = { app: name, 'api-url': NO_SERVER, timeout: '1' };
    const held = await run('gate', away);
    expect([held.exit, held.dotenv.SHIPWORTHY_VERDICT]).to.deep.equal([5, 'unavailable']);
    const passed = await run('gate', { ...away, 'on-unavailable': 'go' });
    expect([passed.exit, passed.dotenv.SHIPWORTHY_VERDICT]).to.deep.equal([0, 'unavailable']);
    const refused = await run('gate', { app: name, release: 'nope' });
    expect([refused.exit, refused.dotenv.SHIPWORTHY_VERDICT]).to.deep.equal([2, 'error']);
    const wrong = await run('gate', { app: name, wait: 'a while' });
    expect([wrong.exit, wrong.dotenv.SHIPWORTHY_VERDICT]).to.deep.equal([2, 'error']);
  });

  it('tests records what earlier jobs wrote, for the head of a merge request', async () => {
    const files = { 'a.xml': REPORT, 'b.xml': REPORT };
    const inputs = { app: 'checkout', files: 'a.xml b*.xml', suite: 'all of it' };
    const { exit, log } = await run('tests', inputs, { on: 'mergeRequest', files });
    expect(exit, log).to.equal(0);
    const [stored] = (await service.person.listTestRuns({ path: place() })).body.data;
    expect(stored).to.include({ total: 4, passed: 2, failed: 2, suite: 'all of it', commit_sha: HEAD });
  });

  it('tests runs the tests, records them and ends as they ended', async () => {
    const files = { 'tests.sh': `#!/bin/sh\nprintf '%s' '${REPORT.replaceAll("'", '')}' > out.xml\nexit "$1"\n` };
    const inputs = {
      app: 'checkout',
      files: 'out.xml',
      suite: 'run',
      run: "X='a b'; [ \"$X\" = 'a b' ]; ./tests.sh 4",
    };
    const { exit, log } = await run('tests', inputs, { files });
    expect(exit, log).to.equal(4);
    const [stored] = (await service.person.listTestRuns({ path: place() })).body.data;
    expect(stored).to.include({ total: 2, suite: 'run' });
  });

  it('tests fails on a broken report, and keeps one while the server cannot be reached', async () => {
    const inputs = { app: 'checkout', files: 'a.xml' };
    expect((await run('tests', inputs, { files: { 'a.xml': '<testsuite><testcase' } })).exit).to.equal(6);
    expect((await run('tests', inputs)).exit).to.equal(6);
    const doubted = '<testsuite failures="1"><testcase name="a"/></testsuite>';
    expect((await run('tests', inputs, { files: { 'a.xml': doubted } })).exit).to.equal(6);
    const [stored] = (await service.person.listTestRuns({ path: place() })).body.data;
    expect(stored).to.include({ total: 2, passed: 1, failed: 0 });
    const writing = { ...inputs, files: 'b.xml', run: 'cp a.xml b.xml' };
    expect((await run('tests', writing, { files: { 'a.xml': doubted } })).exit).to.equal(6);
    const away = { ...inputs, 'api-url': NO_SERVER, timeout: '1' };
    const kept = await run('tests', away, { files: { 'a.xml': REPORT } });
    expect([kept.exit, /kept as kept:/.test(kept.log)]).to.deep.equal([0, true]);
    expect((await run('tests', { ...away, 'strict-report': true }, { files: { 'a.xml': REPORT } })).exit).to.equal(5);
  });

  it('deploy reports what it runs, and ends as that ended', async () => {
    const inputs = { app: 'checkout', environment: 'production eu', run: 'echo "it is $((1 + 1))"; exit 7' };
    const { exit, log } = await run('deploy', { ...inputs, 'deployed-version': '2.4.1' });
    expect(exit, log).to.equal(7);
    expect(log).to.match(/^it is 2$/m);
    const [stored] = (await service.person.listDeployments({ path: place() })).body.data;
    expect(stored).to.include({ status: 'failure', environment: 'production eu', version: '2.4.1', commit_sha: HEAD });
    expect([stored?.url, stored?.deployed_by]).to.deep.equal(['https://gitlab.example/acme/checkout/-/jobs/5', 'ada']);
    const away = { ...inputs, run: 'echo deployed', 'api-url': NO_SERVER, timeout: '1' };
    const kept = await run('deploy', away);
    expect([kept.exit, /^deployed$/m.test(kept.log), /kept as kept:/.test(kept.log)]).to.deep.equal([0, true, true]);
    expect((await run('deploy', { ...away, 'strict-report': true })).exit).to.equal(5);
  });

  it('hands the key on to what it runs only where that is said', async () => {
    const report = { 'a.xml': '<testsuite><testcase name="a"/></testsuite>' };
    const refusing = { variables: given(), npx: '#!/bin/sh\nexit 1\n' };
    const seen = 'test -n "$SHIPWORTHY_API_KEY" && echo key: there || echo key: none; cp a.xml b.xml';
    for (const [component, inputs, options] of [
      ['deploy', { app: 'checkout', environment: 'e', run: seen }, {}],
      ['deploy', { app: 'checkout', environment: 'e', run: seen }, refusing],
      ['tests', { app: 'checkout', files: 'b.xml', run: seen }, {}],
    ] as const) {
      const without = await run(component, inputs, { ...options, files: report });
      expect(without.log).to.match(/^key: none$/m);
      const handedOn = await run(component, { ...inputs, 'pass-key': true }, { ...options, files: report });
      expect([without.exit, handedOn.exit], handedOn.log).to.deep.equal([0, 0]);
      expect(handedOn.log).to.match(/^key: there$/m);
    }
  });

  const without = { SHIPWORTHY_API_URL: NO_SERVER };
  it('deploy runs nothing with gate: true unless the gate says go', async () => {
    const { name, path } = await newProject(service);
    await makeReady(service, name, path);
    const inputs = { app: name, environment: 'gated', run: 'echo deployed', gate: true };
    const went = await run('deploy', inputs);
    expect(went.exit, went.log).to.equal(0);
    expect(went.log).to.match(/^deployed$/m);
    await openCriticalBug(service, path);
    const held = await run('deploy', inputs);
    expect(held.exit, held.log).to.equal(3);
    expect(held.log)
      .to.match(/^hold$/m)
      .and.not.match(/^deployed$/m);
    const away = await run('deploy', { ...inputs, 'api-url': NO_SERVER, timeout: '1' });
    expect(away.exit, away.log).to.equal(5);
    expect(away.log).not.to.match(/^deployed$/m);
  });

  describe('deploy while the registry refuses', () => {
    const inputs = { app: 'checkout', environment: 'e', run: 'echo deployed' };
    const refused = async (more: Readonly<Record<string, string | boolean>>, npx?: string) => {
      const variables = { ...given(), npm_config_registry: NO_SERVER, npm_config_fetch_retries: '0' };
      const ended = await run('deploy', { ...inputs, ...more }, { variables, ...(npx ? { npx } : { realNpx: true }) });
      return { ...ended, runs: ended.log.match(/^deployed$/gm)?.length ?? 0 };
    };
    const WARNING = 'nothing is recorded of this deployment';

    it('deploys once, ends as the deployment ended, and says that nothing is recorded', async () => {
      const done = await refused({});
      expect([done.exit, done.runs], done.log).to.deep.equal([0, 1]);
      expect(done.log).to.contain(WARNING).and.contain('ECONNREFUSED');
      for (const code of [1, 127, 254]) {
        const failed = await refused({ run: `echo deployed; exit ${code}` }, '#!/bin/sh\nexit 1\n');
        expect([failed.exit, failed.runs], failed.log).to.deep.equal([code, 1]);
      }
    });

    it('ends with 5 after a deployment whose report must not be missing', async () => {
      const { exit, runs } = await refused({ 'strict-report': true });
      expect([exit, runs]).to.deep.equal([5, 1]);
    });

    it('deploys nothing where the gate is to be asked', async () => {
      const { exit, log, runs } = await refused({ gate: true });
      expect(exit).to.be.a('number').and.not.equal(0);
      expect(runs).to.equal(0);
      expect(log).to.contain('ECONNREFUSED').and.not.contain(WARNING);
    });

    it('does not deploy again after npx began, with any exit code', async () => {
      for (const code of [1, 127, 254]) {
        const npx = `#!/bin/sh\ncase "$*" in *--version) exit 0 ;; esac\necho deployed\nexit ${code}\n`;
        const { exit, log, runs } = await refused({}, npx);
        expect([exit, runs], log).to.deep.equal([code, 1]);
      }
    });
  });

  for (const name of ['gate', 'tests', 'deploy'] as const) {
    it(`${name} is a notice and a success on a fork without the key`, async () => {
      const { exit, log, dotenv } = await run(name, INPUTS[name], { on: 'fork', variables: without });
      expect(exit).to.equal(0);
      expect(log).to.match(/^notice: a merge request of a fork has no SHIPWORTHY_API_KEY;.*\n$/);
      expect(dotenv).to.deep.equal(name === 'gate' ? { SHIPWORTHY_VERDICT: 'skipped' } : {});
    });

    for (const on of ['branch', 'mergeRequest'] satisfies PipelineName[])
      it(`${name} without the key is no success on ${on}, but for what deploys`, async () => {
        const { exit, log } = await run(name, INPUTS[name], { on, variables: without, files: { 'a.xml': REPORT } });
        expect(exit, log).to.equal(name === 'deploy' ? 0 : 4);
        expect(log).to.match(/key/i);
      });
  }

  it('tests of a fork run all the same, and fail as they do', async () => {
    const inputs = { ...INPUTS.tests, run: 'echo tested; exit 3' };
    const { exit, log } = await run('tests', inputs, { on: 'fork', variables: without });
    expect([exit, /^tested$/m.test(log)]).to.deep.equal([3, true]);
  });

  it('never say the key', () => {
    expect(logs.length).to.be.above(40);
    for (const log of logs) expect(log).to.not.contain(service.key);
  });
});
