import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@shipworthy/client';
import { setUp } from '@shipworthy/example-own-pipeline/person';
import { type ServerProcess, startServer } from '@shipworthy/example-own-pipeline/server-process';
import { type ReleasePath, setStage } from '@shipworthy/example-own-pipeline/stage';
import { expect } from 'chai';
import { runnable } from './documents.js';
import { runBlock } from './shell.js';

describe('the how-to of the launch checklist', () => {
  let folder = '';
  let server: ServerProcess;
  let person: Client;
  let path: ReleasePath;
  let settings: Readonly<Record<string, string>> = {};
  const run = async (block = '') => runBlock(block, folder, settings);
  const [template, read, mark, confirm] = runnable('docs/how-to/keep-a-launch-checklist.md');

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'how-to-'));
    server = await startServer(folder, 'a token of this test');
    person = await setUp(server.url, server.setupToken);
    const stage = await setStage(person, 'checkout', new Date('2026-01-01T00:00:00Z'));
    path = stage.path;
    const project = `${server.url}/api/teams/${path.team_id}/projects/${path.project_id}`;
    settings = {
      SHIPWORTHY_API_URL: server.url,
      SHIPWORTHY_API_KEY: stage.apiKey,
      PROJECT: project,
      RELEASE: `${project}/releases/${path.release_id}`,
    };
  });
  after(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('changes the template', async () => {
    const items = ['Docs', 'Rollback', 'Support team briefed'].map((title) => ({ title }));
    expect(JSON.parse(await run(template)).data).to.deep.equal({ items, version: 2 });
  });

  it('reads the items, marks one as not applicable, and confirms it', async () => {
    const { data, removed } = JSON.parse(await run(read));
    expect([data[0].origin, removed]).to.deep.equal(['template', []]);
    settings = { ...settings, ITEM_ID: data[0].id };
    const marked = JSON.parse(await run(mark)).data;
    expect(marked).to.include({ reason: 'Texts only: nothing to roll back', version: data[0].version + 1 });
    expect(JSON.parse(await run(confirm)).data).to.deep.equal(marked);
    expect((await person.readReadiness({ path })).body.data.axes[2]?.explanation).to.contain('1 not applicable');
  });
});
