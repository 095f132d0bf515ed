import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@shipworthy/client';
import type { ReleaseAnalysis } from '@shipworthy/client/contract';
import { setUp } from '@shipworthy/example-own-pipeline/person';
import { type ServerProcess, startServer } from '@shipworthy/example-own-pipeline/server-process';
import { setStage } from '@shipworthy/example-own-pipeline/stage';
import { expect } from 'chai';
import { runnable } from './documents.js';
import { runBlock } from './shell.js';

describe('the how-to of the analysis', () => {
  let folder = '';
  let server: ServerProcess;
  let settings: Readonly<Record<string, string>> = {};
  const [analyse = '', tables = ''] = runnable('docs/how-to/analyse-a-release.md');

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'how-to-'));
    server = await startServer(folder, 'a token of this test');
    const person = await setUp(server.url, server.setupToken);
    const { apiKey, path } = await setStage(person, 'checkout', new Date('2026-01-01T00:00:00Z'));
    await createClient({ baseUrl: server.url, apiKey }).recordDeployment({
      body: { app_name: 'checkout', environment: 'production', commit_sha: '9fceb02', status: 'success' },
    });
    settings = {
      SHIPWORTHY_API_URL: server.url,
      SHIPWORTHY_API_KEY: apiKey,
      TEAM_ID: path.team_id,
      PROJECT_ID: path.project_id,
      RELEASE_ID: path.release_id,
    };
  });
  after(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('tells what was done each week and what came in after the start', async () => {
    const { data } = JSON.parse(await runBlock(analyse, folder, settings)) as { readonly data: ReleaseAnalysis };
    expect(data.points.at(-1)).to.include({ done: 4, total: 5, open_bugs: 0, completed: 4 });
    expect(data.release.scope.after_start).to.deep.equal({ added: 5, removed: 0, canceled: 0, net: 5 });
    expect(data.release.lead.to_first_success_seconds).to.equal(0);
  });

  it('saves both tables', async () => {
    await runBlock(tables, folder, settings);
    const lines = async (table: string) => (await readFile(join(folder, `${table}.csv`), 'utf8')).split('\r\n');
    expect((await lines('progress')).at(-2)).to.match(/^"next",.*,4,5,1,0,5,0,0,4$/);
    expect((await lines('releases'))[1]).to.match(/^"next","2026-01-01T00:00:00.000Z",,,4,5,/);
  });
});
