import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@shipworthy/client';
import { setUp } from '@shipworthy/example-own-pipeline/person';
import { type ServerProcess, startServer } from '@shipworthy/example-own-pipeline/server-process';
import { type Stage, setStage } from '@shipworthy/example-own-pipeline/stage';
import { expect } from 'chai';
import { runnable } from './documents.js';
import { runBlock } from './shell.js';

const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';

describe('the how-to of CDEvents', () => {
  let folder = '';
  let server: ServerProcess;
  let stage: Stage;
  let client: Client;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'how-to-'));
    server = await startServer(folder, 'a token of this test');
    stage = await setStage(await setUp(server.url, server.setupToken), 'checkout', new Date('2026-01-01T00:00:00Z'));
    client = createClient({ baseUrl: server.url, apiKey: stage.apiKey });
  });
  after(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('records a deployment and a test run with curl, once however often it is run', async () => {
    const blocks = runnable('docs/how-to/send-cdevents.md');
    expect(blocks).to.have.lengthOf(4);
    const settings = {
      SHIPWORTHY_API_URL: server.url,
      SHIPWORTHY_API_KEY: stage.apiKey,
      TEAM_ID: stage.path.team_id,
      PROJECT_ID: stage.path.project_id,
      CI_RUN: 'run-1',
      CI_COMMIT: COMMIT,
      FINISHED_AT: '2026-01-02T09:30:00Z',
    };
    const results: unknown[] = [];
    for (const block of [...blocks, ...blocks]) {
      const { data } = JSON.parse(await runBlock(block, folder, settings));
      if (data.sources !== undefined) results.push(data.sources);
      else results.push([data.recorded, data.result, data.deployment?.status ?? data.test_run?.passed]);
    }
    expect(results).to.deep.equal([
      [true, 'created', 'success'],
      [true, 'created', 410],
      ['/ci/acme', 'checkout-unit'],
      [true, 'created', 1],
      [true, 'duplicate', 'success'],
      [true, 'duplicate', 410],
      ['/ci/acme', 'checkout-unit'],
      [true, 'duplicate', 1],
    ]);
    const [deployment, ...deployments] = (await client.listDeployments({ path: stage.path })).body.data;
    expect(deployments).to.have.lengthOf(0);
    expect(deployment).to.include({ environment: 'production', commit_sha: COMMIT, deployed_by: '/ci/acme' });
    const testRuns = (await client.listTestRuns({ path: stage.path })).body.data;
    expect(testRuns).to.have.lengthOf(2);
    expect(testRuns.find(({ suite }) => suite === 'nightly')).to.include({ total: 1, passed: 1 });
    expect(testRuns.find(({ suite }) => suite === 'unit')).to.include({
      suite: 'unit',
      total: 412,
      passed: 410,
      failed: 2,
    });
  });

  it('takes the same from the client, several at once', async () => {
    const context = { version: '0.4.1', source: '/ci/acme', timestamp: '2026-01-02T10:30:00Z' };
    const subject = { id: 'service/checkout', content: { environment: { id: 'production' } } };
    const { body } = await client.receiveCdEvent({
      body: [
        {
          context: { ...context, id: 'back', type: 'dev.cdevents.service.rolledback.0.2.0' },
          subject,
          customData: { commit_sha: COMMIT },
        },
        { context: { ...context, id: 'gone', type: 'dev.cdevents.service.removed.0.2.0' }, subject },
      ],
    });
    expect(body.data).to.have.lengthOf(2);
    const [undone] = (await client.listDeployments({ path: stage.path })).body.data;
    expect(undone).to.include({ status: 'success', is_return: true, commit_sha: COMMIT });
  });
});
