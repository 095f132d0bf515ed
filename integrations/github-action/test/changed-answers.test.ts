import { type Front, startFront } from '@shipworthy/cli/test-front';
import { makeReady, newProject } from '@shipworthy/cli/test-releases';
import { type Service, startService } from '@shipworthy/cli/test-service';
import { NO_ANSWERS, tamperings } from '@shipworthy/cli/test-tampering';
import { widenedText } from '@shipworthy/cli/test-widened';
import { expect } from 'chai';
import { bundleAction } from './bundled.js';
import { Job } from './job.js';

const DECISION = '/data/gate/decision';

describe('the action, and an answer that was changed on the way', () => {
  let service: Service;
  let front: Front;
  let job: Job;
  let app: string;
  let text = '';
  before(async () => {
    bundleAction();
    service = await startService();
    const { name, path } = await newProject(service);
    await makeReady(service, name, path);
    app = name;
    front = await startFront(service.url);
    job = await Job.start('push');
  });
  after(async () => {
    await job.remove();
    await front.stop();
    await service.stop();
  });
  const gate = (more: Readonly<Record<string, string>> = {}) =>
    job.step({ command: 'gate', 'api-url': front.url, 'api-key': service.key, app, timeout: '5', ...more });
  const answering = (body: string, status = 200, contentType = 'application/json') =>
    front.change((at, answer) => (at.endsWith('/readiness') ? { status, contentType, body } : answer));

  it('succeeds after a correct answer, and after that of a later server', async () => {
    front.change((at, answer) => {
      if (at.endsWith('/readiness')) text = answer.body;
      return { ...answer, body: widenedText(answer.contentType, answer.body) };
    });
    const { exit, outputs, log } = await gate();
    expect([exit, outputs.verdict], log).to.deep.equal([0, 'go']);
    answering(text);
    expect((await gate()).exit).to.equal(0);
  });

  it('succeeds only where the decision is exactly go', async () => {
    const all = tamperings(text);
    const decisions = all.filter(({ pointer }) => pointer === DECISION).filter((_, index) => index % 5 === 0);
    const others = all.filter(({ pointer }) => DECISION.startsWith(pointer) && pointer !== DECISION);
    for (const { name, text: body } of [...decisions, ...others.filter((_, index) => index % 6 === 0)]) {
      answering(body);
      const { exit, outputs, log } = await gate({ 'on-unavailable': 'go' });
      expect([exit, outputs.verdict], `${name} ${log}`).to.deep.equal([5, 'error']);
      expect(log, name).to.contain('::error title=Shipworthy::Ship gate: error.').and.contain('cannot be read');
    }
    for (const [what, status, contentType, body] of NO_ANSWERS(text).filter((_, index) => index % 4 === 0)) {
      answering(body, status, contentType);
      expect((await gate()).exit, what).to.equal(5);
    }
  });

  it('succeeds in shadow, and says that the answer could not be read', async () => {
    answering('{"data":{}}');
    const { exit, outputs, log } = await gate({ shadow: 'true' });
    expect([exit, outputs.verdict]).to.deep.equal([0, 'error']);
    expect(log).to.contain('::warning title=Shipworthy::Ship gate: error (in shadow)').and.contain('cannot be read');
  });
});
