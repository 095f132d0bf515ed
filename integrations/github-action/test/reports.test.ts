import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { type Service, startService } from '@shipworthy/cli/test-service';
import { expect } from 'chai';
import { bundleAction } from './bundled.js';
import { Job } from './job.js';
import { REPORT } from './report.js';
import { HEAD } from './runner-env.js';

/** Starts a proxy of the service at a URL. The proxy breaks off each connection until `end` is called. */
const startOutage = async (url: string) => {
  let isBack = false;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (!isBack) return void socket.destroy();
    const behind = connect(Number(new URL(url).port), '127.0.0.1');
    behind.on('error', () => socket.destroy());
    socket.on('close', () => behind.destroy());
    socket.pipe(behind).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = () => {
    isBack = true;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, end, stop: () => void server.close() };
};

describe('the action reports', () => {
  let service: Service;
  let job: Job;
  before(async () => {
    bundleAction();
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    job = await Job.start('pullRequest');
    await writeFile(join(job.workspace, 'report.xml'), REPORT);
  });
  afterEach(() => job.remove());
  const step = (more: Readonly<Record<string, string>>) =>
    job.step({ 'api-url': service.url, 'api-key': service.key, app: 'checkout', ...more });
  const place = () => ({ team_id: service.teamId, project_id: service.projectId });
  const inEnvironment = async (environment: string) =>
    (await service.person.listDeployments({ path: place(), query: { environment } })).body.data;

  it('runs what deploys, and reports the head of the pull request with its page and who began it', async () => {
    const { exit, outputs, log, post } = await step({
      ...{ command: 'deploy', environment: 'run', version: '2.4.1' },
      run: 'echo "one"\nfalse | true || echo "piped"\n[[ a == a ]] && echo "::notice::its own"\n',
    });
    expect(exit, log).to.equal(0);
    expect(log)
      .to.match(/^one$/m)
      .and.match(/^piped$/m)
      .and.match(/^::notice::its own$/m);
    const [stored] = await inEnvironment('run');
    expect(stored).to.include({ status: 'success', version: '2.4.1', commit_sha: HEAD, deployed_by: 'ada' });
    expect(stored?.url).to.equal('https://github.com/acme/checkout/actions/runs/4711/attempts/2');
    expect(outputs).to.include({ 'deployment-id': stored?.id, report: 'sent', 'exit-code': '0' });
    expect(outputs.url).to.contain('/deployments');
    expect(await job.summary()).to.contain('Deployment&#58; success');
    expect((await post()).log).to.not.contain('left open');
  });

  it('ends as what deploys ended, and hides the input with the key from it', async () => {
    const run = 'env > seen; exit 7';
    const { exit, outputs, log } = await step({ command: 'deploy', environment: 'failing', run });
    expect([exit, outputs['exit-code']]).to.deep.equal([7, '7']);
    expect(log).to.contain('::error title=Shipworthy::Deployment: failure');
    expect((await inEnvironment('failing'))[0]?.status).to.equal('failure');
    expect(await readFile(join(job.workspace, 'seen'), 'utf8')).to.not.contain('INPUT_API-KEY');
  });

  it('hands the key on where that is said, and nothing that the runner gives to actions alone', async () => {
    const ofRunner = { ACTIONS_RUNTIME_TOKEN: 'a', ACTIONS_RESULTS_URL: 'b', ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'c' };
    const own = await Job.start('push', ofRunner);
    const seen = async (more: Readonly<Record<string, string>>) => {
      const given = { 'api-url': service.url, 'api-key': service.key, app: 'checkout', environment: 'seen' };
      const { exit, log } = await own.step({ command: 'deploy', run: 'env > seen', ...given, ...more });
      expect(exit, log).to.equal(0);
      return readFile(join(own.workspace, 'seen'), 'utf8');
    };
    const without = await seen({});
    expect(without).not.to.match(/^(SHIPWORTHY_API_KEY|ACTIONS_RUNTIME_TOKEN|ACTIONS_RESULTS_URL|GITHUB_STATE)=/m);
    expect(without)
      .to.match(/^ACTIONS_ID_TOKEN_REQUEST_TOKEN=c$/m)
      .and.to.match(/^GITHUB_OUTPUT=/m);
    const handedOn = await seen({ 'pass-key': 'true' });
    expect(handedOn).to.contain(`\nSHIPWORTHY_API_KEY=${service.key}\n`).and.not.contain('INPUT_API-KEY');
    expect(handedOn).to.contain(`SHIPWORTHY_API_URL=${service.url}\n`);
    expect((await own.step({ command: 'deploy', 'pass-key': 'perhaps' })).exit).to.equal(2);
    await own.remove();
  });

  it('deploys although the server cannot be reached, keeps the report, and sends it at the end of the job', async () => {
    const outage = await startOutage(service.url);
    const wanted = {
      command: 'deploy',
      environment: 'outage',
      run: 'echo deployed',
      'api-url': outage.url,
      timeout: '1',
    };
    const { exit, outputs, log } = await step(wanted);
    expect([exit, outputs.report], log).to.deep.equal([0, 'kept']);
    expect(log)
      .to.match(/^deployed$/m)
      .and.contain('::warning title=Shipworthy::Deployment: success, report kept');
    const strict = await step({ ...wanted, 'strict-report': 'true' });
    expect(strict.exit).to.equal(5);
    const spool = join(job.folder, 'home', '.local', 'state', 'shipworthy', 'spool');
    const records = (await readdir(spool)).filter((name) => name.endsWith('.json'));
    expect(records).to.have.length(2);
    for (const name of records) expect(await readFile(join(spool, name), 'utf8')).to.not.contain(service.key);
    outage.end();
    const late = await step({ command: 'tests', files: 'report.xml', 'api-url': outage.url });
    outage.stop();
    expect(late.exit).to.equal(0);
    expect((await inEnvironment('outage')).map(({ status }) => status)).to.deep.equal(['success', 'success']);
  });

  it('records test reports, several paths and patterns at once', async () => {
    await writeFile(join(job.workspace, 'more.xml'), REPORT);
    const { exit, outputs, log } = await step({ command: 'tests', files: '\n report.xml\n m*.xml\n', suite: 'unit' });
    expect(exit, log).to.equal(0);
    const { body } = await service.person.readTestRun({
      path: { ...place(), test_run_id: outputs['test-run-id'] ?? '' },
    });
    expect(body.data).to.include({ total: 6, passed: 4, failed: 2, suite: 'unit', commit_sha: HEAD });
    expect(await job.summary()).to.contain('Test run');
  });

  it('fails on a broken, a missing and an empty report', async () => {
    await writeFile(join(job.workspace, 'broken.xml'), '<testsuites><testcase');
    await writeFile(join(job.workspace, 'empty.xml'), '<testsuites/>');
    for (const files of ['broken.xml', 'missing.xml', 'empty.xml']) {
      const { exit, outputs, log } = await step({ command: 'tests', files });
      expect([files, exit, outputs.report, outputs['test-run-id']]).to.deep.equal([files, 6, 'refused', '']);
      expect(log).to.contain('::error title=Shipworthy::tests: not done').and.contain(files);
    }
    const allowed = await step({ command: 'tests', files: 'empty.xml', 'allow-empty': 'true' });
    expect([allowed.exit, allowed.outputs.report]).to.deep.equal([0, 'empty']);
    expect((await step({ command: 'tests' })).exit).to.equal(2);
  });

  it('fails on a report that lists less than it says, and records it with errors', async () => {
    await writeFile(join(job.workspace, 'doubted.xml'), '<testsuite failures="1"><testcase name="a"/></testsuite>');
    const { exit, outputs, log } = await step({ command: 'tests', files: 'doubted.xml' });
    expect([exit, outputs.report, outputs['exit-code']]).to.deep.equal([6, 'sent', '6']);
    expect(log).to.match(
      /::error title=Shipworthy::Test run: sent\. doubted\.xml: the report says 1 failure but lists none/,
    );
    const path = { ...place(), test_run_id: outputs['test-run-id'] ?? '' };
    expect((await service.person.readTestRun({ path })).body.data).to.include({ total: 2, passed: 1, failed: 0 });
    expect(await job.summary()).to.contain('Not to be taken at its word');
  });

  it('deploys with a refused key, and says that it was not reported', async () => {
    const run = 'echo deployed';
    const { exit, outputs, log } = await step({
      ...{ command: 'deploy', environment: 'refused', run, 'api-key': `swk_${'x'.repeat(43)}` },
    });
    expect([exit, outputs.report]).to.deep.equal([0, 'refused']);
    expect(log)
      .to.match(/^deployed$/m)
      .and.contain('::warning title=Shipworthy::Deployment: success, report refused');
  });
});
