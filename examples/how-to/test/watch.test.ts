import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@shipworthy/client';
import { releaseEvents } from '@shipworthy/client/events';
import { setUp } from '@shipworthy/example-own-pipeline/person';
import { type ServerProcess, startServer } from '@shipworthy/example-own-pipeline/server-process';
import { type Stage, setStage } from '@shipworthy/example-own-pipeline/stage';
import { expect } from 'chai';
import { runnable } from './documents.js';
import { runBlock } from './shell.js';

const METRICS_TOKEN = 'metrics-token-of-this-test';
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('the how-to of watching', () => {
  const [follow = '', show = '', read = '', measure = ''] = runnable('docs/how-to/watch.md');
  let folder = '';
  let server: ServerProcess;
  let person: Client;
  let stage: Stage;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'how-to-'));
    server = await startServer(folder, 'a token of this test', { SHIPWORTHY_METRICS_TOKEN: METRICS_TOKEN });
    person = await setUp(server.url, server.setupToken);
    stage = await setStage(person, 'checkout', new Date('2026-01-01T00:00:00Z'));
  });
  after(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const settings = (more: Readonly<Record<string, string>> = {}) => {
    const { team_id: TEAM_ID, project_id: PROJECT_ID } = stage.path;
    return { SHIPWORTHY_API_URL: server.url, SHIPWORTHY_API_KEY: stage.apiKey, TEAM_ID, PROJECT_ID, ...more };
  };
  const measured = (): Promise<string> =>
    runBlock(measure, folder, settings({ SHIPWORTHY_METRICS_TOKEN: METRICS_TOKEN }));

  it('shows a badge to anyone who has its address', async () => {
    const { data } = JSON.parse(await runBlock(show, folder, settings()));
    const badge = JSON.parse(await runBlock(read, folder, { JSON_URL: data.json_url }));
    expect(badge).to.include({ schemaVersion: 1, label: 'readiness' });
    expect(badge.message).to.match(/^\S+: (go|hold|unknown)/);
    const image = await fetch(data.svg_url);
    expect(await image.text()).to.match(/^<svg /);
  });

  it('follows events until the service ends, and counts who does', async () => {
    expect(await measured()).to.contain('\nshipworthy_event_streams 0\n');
    const following = runBlock(follow, folder, settings());
    const leaving = new AbortController();
    const byClient = releaseEvents(
      { baseUrl: server.url, apiKey: stage.apiKey },
      { projectId: stage.path.project_id, signal: leaving.signal },
    );
    const heard = byClient.next();
    while (!(await measured()).includes('\nshipworthy_event_streams 2\n')) await pause(50);
    await person.shipRelease({ path: stage.path });
    expect((await heard).value).to.deep.equal({ type: 'resync' });
    const { value } = await byClient.next();
    expect(value).to.include({ type: 'release.shipped' });
    expect(value && 'data' in value && value.data.project.id).to.equal(stage.path.project_id);
    leaving.abort();
    await pause(200);
    await server.stop();
    const told = await following;
    expect(told).to.match(/^retry: 2000\n\n/);
    expect(told).to.match(/\nid: [0-9a-f-]{36}\nevent: release\.shipped\ndata: \{"type":"release\.shipped",/);
  });
});
