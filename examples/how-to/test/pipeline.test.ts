import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@shipworthy/client';
import { setUp } from '@shipworthy/example-own-pipeline/person';
import { type ServerProcess, startServer } from '@shipworthy/example-own-pipeline/server-process';
import { type Stage, setStage } from '@shipworthy/example-own-pipeline/stage';
import { expect } from 'chai';
import { readDocument, root, runnable } from './documents.js';
import { runBlock } from './shell.js';

const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';

describe('the how-tos of a pipeline', () => {
  let folder = '';
  let server: ServerProcess;
  let stage: Stage;
  let client: Client;
  let settings: Readonly<Record<string, string>> = {};

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'how-to-'));
    server = await startServer(folder, 'a token of this test');
    stage = await setStage(await setUp(server.url, server.setupToken), 'checkout', new Date('2026-01-01T00:00:00Z'));
    client = createClient({ baseUrl: server.url, apiKey: stage.apiKey });
    settings = {
      SHIPWORTHY_API_URL: server.url,
      SHIPWORTHY_API_KEY: stage.apiKey,
      TEAM_ID: stage.path.team_id,
      PROJECT_ID: stage.path.project_id,
      CI_RUN: 'run-1',
      CI_COMMIT: COMMIT,
      GITHUB_SHA: COMMIT,
      CI_COMMIT_SHA: COMMIT,
    };
    await mkdir(join(folder, 'ci'));
    await copyFile(join(root, 'examples/plain-curl/shipworthy.sh'), join(folder, 'ci/shipworthy.sh'));
    await writeFile(join(folder, 'deploy.sh'), '#!/bin/sh\necho deployed\n', { mode: 0o755 });
  });
  after(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('create a key and report a deployment and a test run with curl, once however often they are run', async () => {
    const [createKey = '', ...reports] = runnable('docs/how-to/report-from-a-pipeline.md');
    const { data } = JSON.parse(await runBlock(createKey, folder, settings));
    expect(data.key).to.match(/^swk_\w{36}$/);
    expect(reports).to.have.lengthOf(3);
    const said: string[] = [];
    for (let round = 0; round < 2; round += 1)
      for (const block of reports)
        said.push(await runBlock(block, folder, { ...settings, SHIPWORTHY_API_KEY: data.key }));
    const [line] = JSON.parse(said[2] ?? '').data.attribution.releases;
    expect(line.contribution.score_with).to.be.above(line.contribution.score_without);
    const deployments = await client.listDeployments({ path: stage.path });
    expect(deployments.body.data).to.have.lengthOf(1);
    expect(deployments.body.data[0]).to.include({ environment: 'production', commit_sha: COMMIT, status: 'success' });
    const testRuns = await client.listTestRuns({ path: stage.path });
    expect(testRuns.body.data.map(({ total, passed, suite }) => [total, passed, suite])).to.deep.equal([
      [412, 410, 'unit'],
    ]);
  });

  it('report from GitHub Actions and GitLab CI as their snippets say', async () => {
    const snippets = readDocument('docs/how-to/report-from-a-pipeline.md').blocks.filter(
      ({ language }) => language === 'yaml',
    );
    expect(snippets).to.have.lengthOf(2);
    for (const { text } of snippets) {
      const steps = [...text.matchAll(/- (?:run: )?(ci\/shipworthy\.sh .+)/g)].map(([, step = '']) => step);
      expect(steps).to.have.lengthOf(2);
      const said = await Promise.all(steps.map((step) => runBlock(step, folder, settings)));
      expect(said.join(''))
        .to.match(/410 passed, 2 failed\n/)
        .and.match(/deployed\nshipworthy: deployment \S+: success\n/);
    }
  });

  it('say what the server answers about a repository host today', async () => {
    const [block = ''] = runnable('docs/how-to/add-a-host.md');
    const shown = readDocument('docs/how-to/add-a-host.md').blocks.find(({ language }) => language === 'json');
    expect(`${await runBlock(block, folder, settings)}\n`).to.equal(shown?.text);
    const failure = await client.checkHostConnection().catch((error: unknown) => error);
    expect(failure).to.include({ status: 409, type: 'host-not-configured' });
  });

  it('copy a database while its server goes on, and start on the copy', async () => {
    const copies = join(folder, 'backup');
    const places = { SHIPWORTHY_DATA_DIR: folder, TO: join(copies, 'shipworthy.sqlite') };
    const [block = ''] = runnable('docs/how-to/back-up.md');
    await runBlock(block, root, places);
    const restored = await startServer(copies, 'a token of this test');
    try {
      const onCopy = createClient({ baseUrl: restored.url, apiKey: stage.apiKey });
      const read = async (from: Client) => (await from.readReadiness({ path: stage.path })).body;
      expect(await read(onCopy)).to.deep.equal(await read(client));
      expect((await onCopy.listDeployments({ path: stage.path })).body.data).to.have.length.above(0);
    } finally {
      await restored.stop();
    }
    const again = await runBlock(block, root, places).catch(String);
    expect(again).to.match(/is there already; a backup overwrites nothing/);
  });
});
