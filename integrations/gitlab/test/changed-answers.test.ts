import { type Front, startFront } from '@shipworthy/cli/test-front';
import { makeReady, newProject } from '@shipworthy/cli/test-releases';
import { type Service, startService } from '@shipworthy/cli/test-service';
import { NO_ANSWERS, tamperings } from '@shipworthy/cli/test-tampering';
import { widenedText } from '@shipworthy/cli/test-widened';
import { expect } from 'chai';
import { removeJobs, runJob } from './runner.js';

const DECISION = '/data/gate/decision';
/** A command of an earlier version: it ended with 0 on an answer without a decision. */
const EARLIER = `#!/bin/sh
printf '{"version":1,"command":"gate","data":%s}' "$EARLIER_DATA"
`;

describe('the GitLab component gate, and an answer that was changed on the way', () => {
  let service: Service;
  let front: Front;
  let app: string;
  let text = '';
  before(async () => {
    service = await startService();
    const { name, path } = await newProject(service);
    await makeReady(service, name, path);
    app = name;
    front = await startFront(service.url);
  });
  after(async () => {
    await removeJobs();
    await front.stop();
    await service.stop();
  });
  const given = () => ({ SHIPWORTHY_API_URL: front.url, SHIPWORTHY_API_KEY: service.key });
  const gate = (inputs: Readonly<Record<string, string | boolean>> = {}) =>
    runJob('gate', { app, timeout: '5', ...inputs }, { variables: given() });
  const answering = (body: string, status = 200, contentType = 'application/json') =>
    front.change((at, answer) => (at.endsWith('/readiness') ? { status, contentType, body } : answer));

  it('continues after a correct answer, and after that of a later server', async () => {
    front.change((at, answer) => {
      if (at.endsWith('/readiness')) text = answer.body;
      return { ...answer, body: widenedText(answer.contentType, answer.body) };
    });
    const { exit, dotenv, log } = await gate();
    expect([exit, dotenv.SHIPWORTHY_VERDICT], log).to.deep.equal([0, 'go']);
    answering(text);
    expect((await gate()).exit).to.equal(0);
  });

  it('continues only where the decision is exactly go', async () => {
    const all = tamperings(text);
    const decisions = all.filter(({ pointer }) => pointer === DECISION).filter((_, index) => index % 5 === 0);
    const others = all.filter(({ pointer }) => DECISION.startsWith(pointer) && pointer !== DECISION);
    for (const { name, text: body } of [...decisions, ...others.filter((_, index) => index % 6 === 0)]) {
      answering(body);
      const { exit, dotenv, log } = await gate({ 'on-unavailable': 'go' });
      expect([exit, dotenv.SHIPWORTHY_VERDICT], `${name} ${log}`).to.deep.equal([5, 'error']);
    }
    for (const [what, status, contentType, body] of NO_ANSWERS(text).filter((_, index) => index % 4 === 0)) {
      answering(body, status, contentType);
      expect((await gate()).exit, what).to.equal(5);
    }
  });

  it('succeeds in shadow, and says that the answer could not be read', async () => {
    answering('{"data":{}}');
    const { exit, dotenv, log } = await gate({ shadow: true });
    expect([exit, dotenv.SHIPWORTHY_VERDICT]).to.deep.equal([0, 'error']);
    expect(log).to.contain('could not be read');
  });

  it('stops by itself where the command of an earlier version went on', async () => {
    for (const [data, exit] of [
      ['{"decision":"go"}', 0],
      ['{"decision":"hold_soft"}', 5],
      ['{"decision":null}', 5],
      ['{"decision":["go"]}', 5],
      ['{}', 5],
      ['null', 5],
    ] as const) {
      const variables = { ...given(), EARLIER_DATA: data };
      const ended = await runJob('gate', { app }, { variables, npx: EARLIER });
      expect(ended.exit, `${data} ${ended.log}`).to.equal(exit);
    }
  });
});
