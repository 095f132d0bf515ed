import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Client, createClient } from '@shipworthy/client';
import { setUp } from '@shipworthy/example-own-pipeline/person';
import { type ServerProcess, startServer } from '@shipworthy/example-own-pipeline/server-process';
import { type ReleasePath, setStage } from '@shipworthy/example-own-pipeline/stage';
import { expect } from 'chai';
import { runnable } from './documents.js';
import { runBlock } from './shell.js';

const APP = 'checkout';
const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';

/** The first point of the trend, and what has changed since. */
const sinceTheFirst = async (client: Client, path: ReleasePath, created: string) => {
  const { body: trend } = await client.listHistory({ path });
  const [first] = trend.data;
  const { body: then } = await client.readReadiness({ path, query: { as_of: first?.at ?? created } });
  const { body: since } = await client.readDifference({ path, query: { from: then.data.as_of } });
  return { first, past: then.data, since };
};

describe('the how-to of looking back', () => {
  let folder = '';
  let server: ServerProcess;
  let client: Client;
  let path: ReleasePath;
  let settings: Readonly<Record<string, string>> = {};

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'how-to-'));
    server = await startServer(folder, 'a token of this test');
    const stage = await setStage(await setUp(server.url, server.setupToken), APP, new Date('2026-01-01T00:00:00Z'));
    client = createClient({ baseUrl: server.url, apiKey: stage.apiKey });
    path = stage.path;
    const { team_id, project_id, release_id } = path;
    settings = {
      SHIPWORTHY_API_KEY: stage.apiKey,
      RELEASE: `${server.url}/api/teams/${team_id}/projects/${project_id}/releases/${release_id}`,
    };
  });
  after(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Waits until the trend ends in what is true now. */
  const written = async (): Promise<void> => {
    const { as_of } = (await client.readReadiness({ path })).body.data;
    for (let tries = 0; tries < 1_000; tries += 1) {
      if ((await client.listHistory({ path })).body.data.at(-1)?.at === as_of) return;
      await setTimeout(100);
    }
    throw new Error('The trend does not follow.');
  };

  it('answers what was answered then, and what has moved it since', async () => {
    await written();
    const [report, gate] = [await client.readReadiness({ path }), await client.readGate({ path })];
    const then = new Date().toISOString();
    await setTimeout(1100);
    const deployment = { app_name: APP, environment: 'production', commit_sha: COMMIT, status: 'failure' } as const;
    await client.recordDeployment({ body: deployment });
    await setTimeout(1100);
    await client.recordTestRun({ path, body: { total: 412, passed: 410, failed: 2 } });
    const [past = '', difference = ''] = runnable('docs/how-to/look-back.md');
    const said = await runBlock(past, folder, { ...settings, THEN: then });
    expect(said).to.equal(JSON.stringify(report.body) + JSON.stringify(gate.body));
    const { from, data } = JSON.parse(await runBlock(difference, folder, { ...settings, THEN: then }));
    expect(from.score).to.equal(report.body.data.score);
    expect(data.map(({ title }: { title: string }) => title)).to.deep.equal([
      'production, failure',
      '410 of 412 passed',
    ]);
  });

  it('goes from the trend to a report and to what has changed since', async () => {
    await written();
    const { first, past, since } = await sinceTheFirst(client, path, new Date().toISOString());
    expect(past.score).to.equal(first?.score);
    expect(past.as_of).to.equal(first?.at);
    expect(since.from.score).to.equal(past.score);
    expect(since.data.map(({ kind }) => kind)).to.include.members(['deployment', 'test_run']);
  });
});
