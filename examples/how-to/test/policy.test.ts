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

const APP = 'checkout';
const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';

/** The release's report with all tests passing and the checklist done. */
const whenAllIsDone = async (client: Client, path: ReleasePath) => {
  const facts = { verification: { passed: 412, total: 412 }, ops: { done: 3, total: 3 } };
  const { body: thought } = await client.askWhatIf({ path, body: { facts } });
  const { report, before } = thought.data;
  return { report, before };
};

/** Demands more of stability, unless a decision would be another one. */
const demandMore = async (person: Client, path: ReleasePath) => {
  const { data: policy } = (await person.readPolicy({ path })).body;
  const stricter = { ...policy, minimums: { ...policy.minimums, stability: 90 } };
  const { data: preview } = (await person.previewPolicy({ path, body: stricter })).body;
  if (preview.flips === 0) await person.replacePolicy({ path, body: stricter, ifMatch: policy.version });
  return preview;
};

describe('the how-tos of the policy and of what if', () => {
  let folder = '';
  let server: ServerProcess;
  let person: Client;
  let client: Client;
  let path: ReleasePath;
  let settings: Readonly<Record<string, string>> = {};
  const run = async (block = '') => runBlock(block, folder, settings);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'how-to-'));
    server = await startServer(folder, 'a token of this test');
    person = await setUp(server.url, server.setupToken);
    const stage = await setStage(person, APP, new Date('2026-01-01T00:00:00Z'));
    client = createClient({ baseUrl: server.url, apiKey: stage.apiKey });
    path = stage.path;
    const project = `${server.url}/api/teams/${path.team_id}/projects/${path.project_id}`;
    settings = {
      SHIPWORTHY_API_URL: server.url,
      SHIPWORTHY_API_KEY: stage.apiKey,
      PROJECT: project,
      RELEASE: `${project}/releases/${path.release_id}`,
    };
    for (const status of ['success', 'success', 'success', 'failure'] as const)
      await client.recordDeployment({
        body: { app_name: APP, environment: 'production', commit_sha: COMMIT, status },
      });
  });
  after(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('answer what if', async () => {
    const [ask] = runnable('docs/how-to/what-if.md');
    const { data } = JSON.parse(await run(ask));
    expect(data.report.axes[4].facts).to.include({ succeeded: 19, failed: 1 });
    const { report, before } = await whenAllIsDone(client, path);
    expect(before).to.deep.equal(data.before);
    expect(report.axes.map(({ state }) => state)).to.deep.equal(Array.from({ length: 5 }, () => 'measured'));
    expect(report.score).to.be.greaterThan(before.score ?? 100);
  });

  it('demand more where no decision flips', async () => {
    const { considered, flips } = await demandMore(person, path);
    expect([considered, flips]).to.deep.equal([1, 0]);
    const { data } = (await client.readPolicy({ path })).body;
    expect([data.minimums.stability, data.version]).to.deep.equal([90, 2]);
  });

  it('preview a policy, make it the policy and tell who did', async () => {
    const [read, preview, replace = '', versions] = runnable('docs/how-to/change-the-policy.md');
    expect(JSON.parse(await run(read)).data.version).to.equal(2);
    const { data } = JSON.parse(await run(preview));
    expect(data).to.include({ considered: 1, would_have_held_count: 0 });
    // Another person has made a second version since.
    const replaced = JSON.parse(await run(replace.replace('If-Match: "1"', 'If-Match: "2"'))).data;
    expect([replaced.version, replaced.stability_bound]).to.deep.equal([3, 'upper_bound']);
    const kept: readonly { version: number; changed_by: string | null }[] = JSON.parse(await run(versions)).data;
    expect(kept.map(({ version, changed_by }) => [version, changed_by])).to.deep.equal([
      [3, 'Ada'],
      [2, 'Ada'],
      [1, null],
    ]);
  });

  it('report an axis of its own, which the report shows', async () => {
    const { data: policy } = (await person.readPolicy({ path })).body;
    const own_axes = [
      { name: 'security', unit: { one: 'finding', many: 'findings' }, weight: 1, minimum: 90, required: true },
    ];
    await person.replacePolicy({ path, body: { ...policy, own_axes }, ifMatch: policy.version });
    const [report, batch, all, list = ''] = runnable('docs/how-to/judge-by-own-axes.md');
    expect(JSON.parse(await run(report)).data).to.include({ axis: 'security', part: 48 });
    expect(JSON.parse(await run(batch)).data.map(({ result }: { result: string }) => result)).to.deep.equal([
      'created',
      'created',
    ]);
    const { data: reports } = JSON.parse(await run(all));
    expect(reports.map(({ part }: { part: number }) => part)).to.deep.equal([48, 47, 46]);
    const listed = JSON.parse(await run(list.replace('$RELEASE_ID', path.release_id))).data;
    expect(listed.map(({ counts }: { counts: boolean }) => counts)).to.deep.equal([true, false, false]);
    const { data } = (await client.readReadiness({ path })).body;
    expect(data.own_axes?.[0]).to.include({ score: 96, explanation: '48 of 50 findings: 2 are open' });
  });

  it('let the service count an own axis, and list the records that it counts', async () => {
    const { data: policy } = (await person.readPolicy({ path })).body;
    const { blocks } = readDocument('docs/how-to/judge-by-own-axes.md');
    const [, counted] = blocks.filter(({ language }) => language === 'json').map(({ text }) => JSON.parse(`{${text}}`));
    await person.replacePolicy({ path, body: { ...policy, ...counted }, ifMatch: policy.version });
    const rows = runnable('docs/how-to/judge-by-own-axes.md').at(-1)?.replace('$RELEASE_ID', path.release_id);
    const items: readonly { title: string }[] = JSON.parse(await run(rows)).data;
    const { data } = (await client.readReadiness({ path })).body;
    const [evidence] = data.own_axes ?? [];
    expect(evidence).to.deep.include({ axis: 'evidence', counted_from: 'checklist_evidence', state: 'measured' });
    expect(evidence?.facts).to.include({ part: 0, whole: items.length });
    expect(evidence?.explanation).to.equal(`0 of ${items.length} checklist items with evidence`);
  });

  it('say the values of the upper bound as they are', async () => {
    const proven = async (succeeded: number) => {
      const facts = { stability: { succeeded, failed: 0, in_progress: 0 } };
      const policy = { stability_bound: 'upper_bound', minimums: { stability: 100 } } as const;
      const { report } = (await client.askWhatIf({ path, body: { facts, policy } })).body.data;
      return report.gate.reasons.find(({ axis }) => axis === 'stability')?.actual;
    };
    expect([await proven(1), await proven(20), await proven(35)]).to.deep.equal([20.65, 83.88, 90.1]);
  });
});
