import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { startHostileServer } from '../canary/hostile-server.js';
import { trendWritten } from '../service/releases.js';
import { type Service, startService } from '../service/service.js';
import { runIn, standIn } from '../stand-in.js';
import { type Conversation, converse } from './conversation.js';

describe('serveMcp, allowed to write', () => {
  let service: Service;
  let folder: string;
  let talk: Conversation;
  before(async () => {
    service = await startService();
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-mcp-'));
    talk = await converse(
      folder,
      { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key },
      '--allow-writes',
    );
  });
  after(async () => {
    await talk.end();
    await service.stop();
    await rm(folder, { recursive: true });
  });

  it('marks what records as such', async () => {
    const { tools } = await talk.client.listTools();
    const effects = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    expect(effects.record_test_run).to.include({ readOnlyHint: false, idempotentHint: false, destructiveHint: false });
    expect(effects.record_deployment).to.include({ readOnlyHint: false, idempotentHint: false });
    expect(effects.finish_deployment).to.include({ readOnlyHint: false, idempotentHint: true });
    expect(effects.get_gate).to.include({ readOnlyHint: true });
  });

  it('records a test run for the active release, by the name of the key', async () => {
    await trendWritten(service);
    const from = new Date().toISOString();
    const { text, data } = await talk.ask('record_test_run', { total: 20, passed: 19, failed: 1, suite: 'unit' });
    expect(text).to.contain('Recorded 19 of 20 tests passed for checkout 1.0');
    expect(data).to.include({ release_id: service.releaseId, suite: 'unit' });
    expect((await talk.ask('get_scorecard')).text).to.contain('verification: 95.0');
    const moved = await talk.ask('get_difference', { from });
    expect(moved.text)
      .to.contain('test_run 19 of 20 passed: recorded by read deployments:write test-runs:write')
      .and.not.contain(service.key);
  });

  it('records a deployment and how it ended, once', async () => {
    const started = await talk.ask('record_deployment', {
      environment: 'production',
      commit_sha: '9fceb02d0ae598e95dc970b74767f19372d61af8',
      status: 'started',
    });
    expect(started.text).to.contain('checkout to production as started');
    const { id: deployment_id } = started.data as { id: string };
    const end = { deployment_id, status: 'success', duration_seconds: 3 };
    expect((await talk.ask('finish_deployment', end)).text).to.contain('ended as success');
    expect((await talk.ask('finish_deployment', end)).isError).to.equal(false);
    const other = await talk.ask('finish_deployment', { deployment_id, status: 'failure' });
    expect(other.isError).to.equal(true);
    const { body } = await service.person.listDeployments({
      path: { team_id: service.teamId, project_id: service.projectId },
    });
    expect(body.data.map(({ status }) => status)).to.deep.equal(['success']);
  });

  it('leaves it to the server whether the key may write', async () => {
    const key = await service.keyFor('read');
    const reader = await converse(
      folder,
      { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: key },
      '--allow-writes',
    );
    const { isError, text } = await reader.ask('record_test_run', { total: 1, passed: 1, failed: 0 });
    const log = await reader.end();
    expect(isError).to.equal(true);
    expect(text).to.contain('Fix: Create a key with that scope').and.not.contain(key);
    expect(log).to.not.contain(key);
  });

  it('says so when the server is away or nothing is set, and never the key', async () => {
    const key = `swk_${'b'.repeat(36)}`;
    const away = await converse(
      folder,
      { SHIPWORTHY_API_URL: 'http://127.0.0.1:9', SHIPWORTHY_API_KEY: key },
      '--timeout',
      '0.3',
    );
    const { isError, text } = await away.ask('get_gate');
    const log = await away.end();
    expect(isError).to.equal(true);
    expect(text).to.contain('could not be reached');
    expect(text + log).to.not.contain(key);
    const bare = await converse(folder, {});
    expect((await bare.ask('get_gate')).text)
      .to.contain('No server address is set')
      .and.contain('Fix:');
    await bare.end();
  });

  it('never shows a key that a server repeats', async () => {
    const hostile = await startHostileServer('rejects');
    const key = `swk_${'c'.repeat(36)}`;
    const echo = await converse(folder, { SHIPWORTHY_API_URL: hostile.url, SHIPWORTHY_API_KEY: key });
    const { isError, text } = await echo.ask('list_projects');
    expect(isError).to.equal(true);
    expect(text + (await echo.end()))
      .to.contain('No key Bearer')
      .and.not.contain(key);
    await hostile.stop();
  });

  it('is not to be had as JSON or as a dry run', async () => {
    const world = await standIn();
    for (const flag of ['--json', '--dry-run']) {
      const { exit, err } = await runIn(world, 'mcp', flag);
      expect(exit).to.equal(2);
      expect(err).to.contain(flag);
    }
    await world.remove();
  });

  it('ends with the signal’s code when interrupted, and with 0 when the client leaves', async () => {
    const world = await standIn();
    const waiting = runIn({ ...world, stdin: new PassThrough() }, 'mcp');
    while (!world.interrupt('SIGTERM')) await new Promise((resolve) => setTimeout(resolve, 1));
    expect((await waiting).exit).to.equal(143);
    expect((await runIn(world, 'mcp')).exit).to.equal(0);
    expect(world.out()).to.equal('');
    await world.remove();
  });
});
