import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { AGENT_RULES } from '../../src/agent-rules.js';
import { type Service, startService } from '../service/service.js';
import { type Conversation, converse } from './conversation.js';

const READING = [
  'get_gate',
  'get_scorecard',
  'get_axis_rows',
  'what_if',
  'get_history',
  'get_difference',
  'list_not_counted',
  'list_projects',
  'list_releases',
];
const WRITING = ['record_test_run', 'record_deployment', 'finish_deployment'];

describe('serveMcp', () => {
  let service: Service;
  let folder: string;
  let conversation: Conversation;
  let env: Record<string, string>;
  before(async () => {
    service = await startService();
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-mcp-'));
    env = { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key };
    conversation = await converse(folder, env);
  });
  after(async () => {
    await conversation.end();
    await service.stop();
    await rm(folder, { recursive: true });
  });

  it('says who it is and how it is to be used', () => {
    expect(conversation.client.getServerVersion()?.name).to.equal('shipworthy');
    expect(conversation.client.getInstructions()).to.contain('get_gate').and.contain('Pull requests');
  });

  it('offers only what reads, marked as such, with strict inputs', async () => {
    const { tools } = await conversation.client.listTools();
    expect(tools.map(({ name }) => name)).to.deep.equal(READING);
    for (const { name, annotations, inputSchema } of tools) {
      expect(annotations, name).to.include({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
      expect(inputSchema, name).to.include({ type: 'object', additionalProperties: false });
    }
  });

  it('answers what still holds the release, in words and as the interface says it', async () => {
    const { text, data, isError } = await conversation.ask('get_gate');
    expect(isError).to.equal(false);
    expect(text)
      .to.match(/^checkout 1\.0: hold/)
      .and.contain('What holds it:')
      .and.contain('The least that clears it:');
    expect(data).to.have.property('decision', 'hold');
    expect(data).to.have.property('reasons').that.is.an('array').with.length.above(0);
  });

  it('takes the project and the release by name or id', async () => {
    for (const release of ['1.0', service.releaseId])
      expect((await conversation.ask('get_gate', { app: 'checkout', release })).text).to.contain('checkout 1.0');
    const wrong = await conversation.ask('get_gate', { app: 'nowhere' });
    expect(wrong).to.include({ isError: true });
    expect(wrong.text).to.contain('No project is named nowhere').and.contain('checkout');
    expect((await conversation.ask('get_gate', { release: '9.9' })).text).to.contain(
      'no release with the id or name 9.9',
    );
  });

  it('answers the scorecard with five axes', async () => {
    const { text, data } = await conversation.ask('get_scorecard');
    for (const axis of ['scope', 'quality', 'ops', 'verification', 'stability']) expect(text).to.contain(`- ${axis}: `);
    expect(data).to.have.property('axes').with.lengthOf(5);
  });

  it('lists what is under an axis, page by page', async () => {
    const first = await conversation.ask('get_axis_rows', { axis: 'ops', limit: 2 });
    expect(first.text).to.contain('more with the cursor').and.contain('Docs: open');
    expect(first.data).to.have.lengthOf(2);
    expect((await conversation.ask('get_axis_rows', { axis: 'stability' })).text).to.contain('has no record');
  });

  it('lists what the service counts for an own axis, and the reports of one that it does not count', async () => {
    const path = { team_id: service.teamId, project_id: service.projectId };
    const { data: policy } = (await service.person.readPolicy({ path })).body;
    const own_axes = [{ name: 'evidence', counted_from: 'checklist_evidence' as const }, { name: 'security' }];
    await service.person.replacePolicy({ path, body: { ...policy, own_axes }, ifMatch: policy.version });
    await service.person.recordAxisReport({ path: { ...path, axis: 'security' }, body: { part: 48, whole: 50 } });
    const rows = async (axis: string) => (await conversation.ask('get_axis_rows', { axis })).text;
    expect(await rows('evidence'))
      .to.contain('evidence of checkout 1.0:')
      .and.contain('Docs: open, no evidence');
    expect(await rows('security')).to.contain('48 of 50, measured ');
    await service.person.replacePolicy({ path, body: { ...policy, own_axes: null }, ifMatch: policy.version + 1 });
  });

  it('answers what if, and says that it is supposed', async () => {
    const { text, data } = await conversation.ask('what_if', { facts: { verification: { passed: 10, total: 10 } } });
    expect(text).to.contain('supposed and not measured').and.contain('verification: 100.0');
    expect(data).to.have.nested.property('before.decision', 'hold');
    expect((await conversation.ask('get_scorecard')).text).to.contain('verification: not measured');
  });

  it('answers history, difference, what is not counted, projects and releases', async () => {
    const from = new Date().toISOString();
    expect((await conversation.ask('get_history')).isError).to.equal(false);
    expect((await conversation.ask('get_difference', { from })).text).to.match(/^checkout 1\.0: from hold/);
    expect((await conversation.ask('list_not_counted', { kind: 'deployment' })).text).to.contain('Nothing reported');
    expect((await conversation.ask('list_projects')).text).to.contain('checkout (team Core): active release 1.0');
    expect((await conversation.ask('list_releases')).text).to.contain('1.0: active');
  });

  it('refuses what its inputs do not describe, and goes on', async () => {
    for (const [tool, args] of [
      ['get_gate', { releese: '1.0' }],
      ['get_axis_rows', {}],
      ['get_axis_rows', { axis: 'Speed!' }],
      ['get_axis_rows', { axis: 'ops', limit: 0 }],
      ['get_difference', { from: 'yesterday' }],
      ['what_if', { facts: { scope: { done: -1, total: 2 } } }],
    ] as const) {
      const { isError, text } = await conversation.ask(tool, args);
      expect(isError, `${tool} ${JSON.stringify(args)}`).to.equal(true);
      expect(text).to.contain('Invalid arguments');
    }
    expect((await conversation.ask('get_gate')).isError).to.equal(false);
  });

  it('says in the sentence of the server what the server refuses', async () => {
    const { isError, text } = await conversation.ask('get_gate', { as_of: '1999-01-01T00:00:00Z' });
    expect(isError).to.equal(true);
    expect(text).to.have.length.above(10);
  });

  it('refuses to write unless that was allowed', async () => {
    for (const name of WRITING) {
      const outcome = await conversation.ask(name, { total: 1, passed: 1, failed: 0 }).then(
        ({ isError, text }) => ({ isError, text }),
        (error: Error) => ({ isError: true, text: error.message }),
      );
      expect(outcome.isError, name).to.equal(true);
      expect(outcome.text).to.contain(name);
    }
    const { body } = await service.person.listTestRuns({
      path: { team_id: service.teamId, project_id: service.projectId },
    });
    expect(body.data).to.deep.equal([]);
  });

  it('hands out the rules for agents and the question to begin with', async () => {
    const { contents } = await conversation.client.readResource({ uri: 'shipworthy://agent-rules' });
    expect(contents[0]).to.have.property('text', AGENT_RULES);
    const { messages } = await conversation.client.getPrompt({ name: 'what-still-holds' });
    expect(JSON.stringify(messages)).to.contain('What still holds the active release?');
  });
});
