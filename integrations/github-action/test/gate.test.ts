import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeReady, newProject, openCriticalBug, tickChecklist } from '@shipworthy/cli/test-releases';
import { type Service, startService } from '@shipworthy/cli/test-service';
import { expect } from 'chai';
import { bundleAction } from './bundled.js';
import { Job, manifest } from './job.js';

describe('the action asks the ship gate', () => {
  let service: Service;
  let job: Job;
  before(async () => {
    bundleAction();
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    job = await Job.start('push');
  });
  afterEach(() => job.remove());
  const gate = (app: string, more: Readonly<Record<string, string>> = {}) =>
    job.step({ command: 'gate', 'api-url': service.url, 'api-key': service.key, app, ...more });

  it('succeeds on go, with all that was said as outputs and in the job summary', async () => {
    const { name, path } = await newProject(service);
    await makeReady(service, name, path);
    const { exit, outputs, log } = await gate(name);
    expect(exit, log).to.equal(0);
    expect(outputs).to.include({
      verdict: 'go',
      score: '100',
      coverage: '1',
      reasons: '[]',
      'release-id': path.release_id,
      'exit-code': '0',
    });
    expect(Object.keys(manifest.outputs)).to.include.members(Object.keys(outputs));
    expect(log).to.contain('Ship gate: go').and.not.contain('::error');
    expect(await job.summary())
      .to.contain('<h3>Ship gate&#58; go</h3>')
      .and.contain('<td>100.0, 5 of 5 measured</td>');
  });

  it('fails on hold, and says why', async () => {
    const { name, path } = await newProject(service);
    await makeReady(service, name, path);
    await openCriticalBug(service, path);
    const { exit, outputs, log } = await gate(name);
    expect(exit).to.equal(3);
    expect(outputs).to.include({ verdict: 'hold', 'exit-code': '3' });
    const reasons: readonly { readonly message: string }[] = JSON.parse(outputs.reasons ?? '');
    expect(reasons.length).to.be.above(0);
    expect(log).to.contain(`::error title=Shipworthy::Ship gate: hold. ${reasons[0]?.message}`);
    expect(await job.summary()).to.contain('hold');
  });

  it('says no input so that it steers a terminal or reorders a line', async () => {
    for (const input of ['app', 'on-unavailable', 'release', 'wait']) {
      const { exit, log } = await gate('checkout', { [input]: '\u001b[31m\u0007\u009bred\u202e' });
      expect(exit, input).to.not.equal(0);
      expect(log, input).to.contain('red');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
      expect(log, input).not.to.match(/[\u0007\u001b\u009b\u202e]/);
    }
  });

  it('obeys no name from any source', async () => {
    const hostile = '::set-env name=a::b ##[error]c ##vso[task.complete]d';
    const { name, path } = await newProject(service, hostile);
    await service.person.addChecklistItem({ path, body: { title: hostile } });
    const { outputs, log } = await gate(name);
    expect(outputs.verdict, log).to.equal('hold');
    expect(log).to.contain(': :set-env name=a: :b');
    const ours = /^::(add-mask::|(?:error|warning|notice) title=Shipworthy::|save-state |set-output )/gm;
    expect(log.replace(ours, '')).not.to.match(/::[a-z_-]|##\w*\[/i);
    expect(Object.values(outputs).join('\n')).not.to.match(/::[a-z_-]|##\w*\[/i);
  });

  it('fails on unknown, for any choice of what to do when the server cannot be asked', async () => {
    const { name, path } = await newProject(service);
    await tickChecklist(service, path);
    const { exit, outputs, log } = await gate(name, { 'on-unavailable': 'go' });
    expect([exit, outputs.verdict], log).to.deep.equal([5, 'unknown']);
  });

  it('succeeds in shadow, with a warning', async () => {
    const { name, path } = await newProject(service);
    await makeReady(service, name, path);
    await openCriticalBug(service, path);
    const { exit, outputs, log } = await gate(name, { shadow: 'true' });
    expect([exit, outputs.verdict]).to.deep.equal([0, 'hold']);
    expect(log).to.contain('::warning title=Shipworthy::Ship gate: hold (in shadow)');
  });

  it('waits for that long and no longer', async () => {
    const { name } = await newProject(service);
    const { exit, outputs } = await gate(name, { wait: '1s' });
    expect([exit, outputs.verdict]).to.deep.equal([8, 'hold']);
  });

  it('fails when the server cannot be asked, and continues only with on-unavailable: go', async () => {
    const broken = createServer((_, response) => response.writeHead(503, { 'retry-after': '0' }).end());
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
    const { port } = broken.address() as AddressInfo;
    const away = { 'api-url': `http://127.0.0.1:${port}`, timeout: '1' };
    const held = await gate('checkout', away);
    expect([held.exit, held.outputs.verdict], held.log).to.deep.equal([5, 'unavailable']);
    const passed = await gate('checkout', { ...away, 'on-unavailable': 'go' });
    expect([passed.exit, passed.outputs.verdict], passed.log).to.deep.equal([0, 'unavailable']);
    expect(passed.log).to.contain('::warning title=Shipworthy::Ship gate: unavailable');
    broken.close();
    broken.closeAllConnections();
  });

  it('says a refused key, wrong inputs and an unknown release as errors, never as a verdict', async () => {
    const refused = await gate('checkout', { 'api-key': `swk_${'x'.repeat(43)}` });
    expect([refused.exit, refused.outputs.verdict], refused.log).to.deep.equal([4, 'error']);
    const wrong = await gate('checkout', { wait: 'a while' });
    expect([wrong.exit, wrong.outputs.verdict], wrong.log).to.deep.equal([2, 'error']);
    const release = await gate('checkout', { release: 'nope' });
    expect([release.exit, release.outputs.verdict], release.log).to.deep.equal([2, 'error']);
    const flag = await gate('checkout', { shadow: 'perhaps' });
    expect([flag.exit, flag.outputs.verdict], flag.log).to.deep.equal([2, undefined]);
    expect(flag.log).to.contain('The input shadow is true or false.');
    const command = await job.step({ command: 'ship', 'api-url': service.url, 'api-key': service.key });
    expect(command.exit, command.log).to.equal(2);
  });
});
