import { type Front, type Passing, startFront } from '@shipworthy/cli/test-front';
import { makeReady, newProject, type ReleasePath } from '@shipworthy/cli/test-releases';
import { type Service, startService } from '@shipworthy/cli/test-service';
import { NO_ANSWERS, type Tampered, tamperings } from '@shipworthy/cli/test-tampering';
import { widenedText } from '@shipworthy/cli/test-widened';
import { expect } from 'chai';
import { runScript } from './script.js';

const AT_ONCE = 4;
const DECISION = '/data/gate/decision';

describe('a pipeline with curl alone, and an answer that was changed on the way', () => {
  let service: Service;
  let front: Front;
  let path: ReleasePath;
  let name: string;
  let text = '';
  before(async () => {
    service = await startService();
    ({ name, path } = await newProject(service));
    await makeReady(service, name, path);
    const answered = await service.person.readReadiness({ path });
    text = JSON.stringify(answered.body);
    expect(answered.body.data.gate.decision).to.equal('go');
    front = await startFront(service.url);
  });
  after(async () => {
    await front.stop();
    await service.stop();
  });
  /** Changes the verdict alone: what the script asks before it comes as it is. */
  const answering = (own: Front, changed: Partial<Passing>) =>
    own.change((at, answer) => (at.endsWith('/readiness') ? { ...answer, ...changed } : answer));
  const gate = (url: string, more: Readonly<Record<string, string>>) =>
    runScript({ SHIPWORTHY_API_URL: url, SHIPWORTHY_API_KEY: service.key, ...more }, 'gate', name);
  const ids = () => ({ SHIPWORTHY_TEAM_ID: path.team_id, SHIPWORTHY_PROJECT_ID: path.project_id });

  it('continues after a correct answer, and after that of a later server', async () => {
    expect(await gate(front.url, {})).to.deep.equal({ code: 0, said: 'shipworthy: go\n', complained: '' });
    expect(await gate(front.url, ids())).to.include({ code: 0 });
    front.change((_, { body, ...answer }) => ({ ...answer, body: widenedText(answer.contentType, body) }));
    const later = await gate(front.url, {});
    expect([later.code, later.complained]).to.deep.equal([0, '']);
    expect(later.said).to.equal('shipworthy: go\n  because 1 test is gone\n  next Fix 2 findings\n');
  });

  it('continues only where the decision is exactly go', async () => {
    // The decision and the objects that hold it, changed in every way; of values beside them, only that they are removed.
    const near = ({ name: what, pointer }: Tampered) =>
      DECISION.startsWith(pointer) || (what.endsWith('removed') && pointer.split('/').length <= 4);
    const left = tamperings(text).filter(near);
    expect(left.length).to.be.above(50);
    let seen = 0;
    const judge = async ({ name: what, text: body }: Tampered) => {
      // One address for each, so that several go at once.
      const own = await startFront(service.url);
      answering(own, { body });
      const { code, said } = await gate(own.url, ids()).finally(() => own.stop());
      seen += 1;
      const { data } = JSON.parse(body) ?? {};
      const ours = data?.release?.id === path.release_id && data?.project?.id === path.project_id;
      const go = ours && data?.gate?.decision === 'go';
      expect(code, what).to.equal(go ? 0 : 5);
      expect(said, what).to.satisfy((words: string) => (go ? words.startsWith('shipworthy: go\n') : words === ''));
    };
    const worker = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await judge(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    expect(seen).to.be.above(50);
  });

  it('stops after an answer that is incomplete or ambiguous', async () => {
    for (const [what, status, contentType, body] of NO_ANSWERS(text)) {
      answering(front, { status, contentType, body });
      const { code, said } = await gate(front.url, ids());
      expect([code, said], what).to.deep.equal([5, '']);
    }
  });

  it('takes JSON by any of its names, and nothing else for JSON', async () => {
    for (const [contentType, expected] of [
      ['application/json', 0],
      ['Application/JSON; charset=utf-8', 0],
      ['application/problem+json', 0],
      ['', 5],
      ['text/plain', 5],
      ['text/html; charset=utf-8', 5],
      ['application/jsonp', 5],
      ['text/html; a=application/json', 5],
    ] as const) {
      answering(front, { contentType });
      expect((await gate(front.url, ids())).code, contentType).to.equal(expected);
    }
  });

  it('stops after go for another release or project, or for an unnamed one', async () => {
    const other = await newProject(service);
    await makeReady(service, other.name, other.path);
    const body = JSON.stringify((await service.person.readReadiness({ path: other.path })).body);
    answering(front, { body });
    const another = await gate(front.url, {});
    expect(another).to.deep.equal({
      code: 5,
      said: '',
      complained: 'shipworthy: the answer is about another release\n',
    });
    answering(front, { body: body.replaceAll(other.path.release_id, path.release_id) });
    expect((await gate(front.url, ids())).complained).to.contain('about another project');
    for (const [what, project] of [
      [
        'another project',
        JSON.stringify({ data: { id: other.path.project_id, active_release: { id: path.release_id } } }),
      ],
      ['no release of ours', JSON.stringify({ data: { id: path.project_id, active_release: { id: '../x' } } })],
      ['a page', '<html></html>'],
    ] as const) {
      front.change((at, answer) => (at.endsWith(path.project_id) ? { ...answer, body: project } : answer));
      const { code, said } = await gate(front.url, ids());
      expect([code, said], what).to.deep.equal([5, '']);
    }
  });
});
