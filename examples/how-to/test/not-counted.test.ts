import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@shipworthy/client';
import { setUp } from '@shipworthy/example-own-pipeline/person';
import { type ServerProcess, startServer } from '@shipworthy/example-own-pipeline/server-process';
import { type ReleasePath, setStage } from '@shipworthy/example-own-pipeline/stage';
import { expect } from 'chai';
import { readDocument, runnable } from './documents.js';
import { runBlock } from './shell.js';

const PAGE = 'docs/how-to/why-is-it-not-counted.md';
const REPORT = { app_name: 'checkout', environment: 'production', commit_sha: '9fceb02' } as const;

/** One deployment a day for a week that is long over, inside the release's window. */
const week = Array.from({ length: 7 }, (_, day) => ({
  ...REPORT,
  status: 'success' as const,
  started_at: `2026-02-0${day + 1}T12:00:00.000Z`,
  finished_at: `2026-02-0${day + 1}T12:01:00.000Z`,
}));

describe('the how-to of what is not counted', () => {
  let folder = '';
  let server: ServerProcess;
  let client: Client;
  let path: ReleasePath;
  let settings: Readonly<Record<string, string>> = {};

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'how-to-'));
    server = await startServer(folder, 'a token of this test');
    const stage = await setStage(
      await setUp(server.url, server.setupToken),
      'checkout',
      new Date('2026-01-01T00:00:00Z'),
    );
    client = createClient({ baseUrl: server.url, apiKey: stage.apiKey });
    path = stage.path;
    const project = `${server.url}/api/teams/${path.team_id}/projects/${path.project_id}`;
    settings = { SHIPWORTHY_API_KEY: stage.apiKey, PROJECT: project };
  });
  after(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('reads which source fell silent', async () => {
    await client.importDeployments({ body: week });
    const [, read = ''] = runnable(PAGE);
    const { data } = JSON.parse(await runBlock(read, folder, settings));
    expect(data.silent_sources).to.deep.equal([
      {
        source: 'deployments',
        last_at: '2026-02-07T12:00:00.000Z',
        limit_hours: 72,
        basis: 'rhythm',
        since: '2026-02-10T12:00:00.000Z',
      },
    ]);
  });

  it('lists with the reason what its commands ask for', async () => {
    await client.recordDeployment({
      body: { ...REPORT, status: 'success', started_at: '2025-12-01T12:00:00Z', finished_at: '2025-12-01T12:01:00Z' },
    });
    await client.recordDeployment({ body: { ...REPORT, status: 'started' } });
    for (const passed of [8, 9]) await client.recordTestRun({ path, body: { total: 9, passed, failed: 9 - passed } });
    const [list] = runnable(PAGE);
    const pages = (await runBlock(list ?? '', folder, settings)).replace('}{', '}\n{').split('\n');
    const reasons = pages.map((page) => JSON.parse(page).data.map((row: { reason: string }) => row.reason));
    expect(reasons).to.deep.equal([['still_in_progress', 'no_release_window'], ['superseded_by_newer_run']]);
    for (const reason of reasons.flat()) expect(readDocument(PAGE).text).to.contain(`| \`${reason}\` |`);
  });
});
