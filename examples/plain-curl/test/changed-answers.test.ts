import { expect } from 'chai';
import { type Front, startFront } from 'shipworthy/test-front';
import { makeReady, newProject, type ReleasePath } from 'shipworthy/test-releases';
import { type Service, startService } from 'shipworthy/test-service';
import { NO_ANSWERS, type Tampered, tamperings } from 'shipworthy/test-tampering';
import { widenedText } from 'shipworthy/test-widened';
import { runScript } from './script.js';

const AT_ONCE = 4;
const DECISION = '/data/gate/decision';

describe('a pipeline with nothing but curl and an answer that something between has changed', () => {
  let service: Service;
  let front: Front;
  let path: ReleasePath;
  let name: string;
  let text = '';
  before(async () => {
    service = await startService();
    ({ name, path } = await newProject(service));
    await makeReady(service, name, path);
    front = await startFront(service.url);
    front.change((at, answer) => {
      if (at.endsWith('/readiness')) text = answer.body;
      return answer;
    });
  });
  after(async () => {
    await front.stop();
    await service.stop();
  });
  const gate = (url: string, more: Readonly<Record<string, string>>) =>
    runScript({ SHIPWORTHY_API_URL: url, SHIPWORTHY_API_KEY: service.key, ...more }, 'gate', name);
  const ids = () => ({ SHIPWORTHY_TEAM_ID: path.team_id, SHIPWORTHY_PROJECT_ID: path.project_id });

  it('goes on upon the answer as it is, and upon that of a later server', async () => {
    expect(await gate(front.url, {})).to.deep.equal({ code: 0, said: 'shipworthy: go\n', complained: '' });
    front.change((_, { body, ...answer }) => ({ ...answer, body: widenedText(answer.contentType, body) }));
    const later = await gate(front.url, {});
    expect([later.code, later.complained]).to.deep.equal([0, '']);
    expect(later.said).to.equal('shipworthy: go\n  because 1 test is gone\n  next Fix 2 findings\n');
  });

  it('goes on only where the decision is exactly go', async () => {
    // The decision and what it stands in, changed in every way; of what stands beside them, that it is taken away.
    const near = ({ name: what, pointer }: Tampered) =>
      DECISION.startsWith(pointer) || (what.endsWith('removed') && pointer.split('/').length <= 4);
    const left = tamperings(text).filter(near);
    expect(left.length).to.be.above(50);
    let seen = 0;
    const judge = async ({ name: what, text: body }: Tampered) => {
      // One address for each, so that several go at once.
      const own = await startFront(service.url);
      own.change((_, answer) => ({ ...answer, body }));
      const { code, said } = await gate(own.url, ids()).finally(() => own.stop());
      seen += 1;
      const go = JSON.parse(body)?.data?.gate?.decision === 'go';
      expect(code, what).to.equal(go ? 0 : 5);
      expect(said, what).to.satisfy((words: string) => (go ? words.startsWith('shipworthy: go\n') : words === ''));
    };
    const worker = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await judge(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    expect(seen).to.be.above(50);
  });

  it('never goes on upon what is no whole answer, or one of two meanings', async () => {
    for (const [what, status, contentType, body] of NO_ANSWERS(text)) {
      // The script reads JSON, whatever its type is said to be.
      if (what === 'JSON that says it is a page') continue;
      front.change(() => ({ status, contentType, body }));
      const { code, said } = await gate(front.url, ids());
      expect([code, said], what).to.deep.equal([5, '']);
    }
  });
});
