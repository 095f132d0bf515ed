import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Client, createClient } from '@shipworthy/client';
import { expect } from 'chai';
import type { Commit } from '../src/git-history.js';
import { setUp } from '../src/person.js';
import { reportHistory, reportTests } from '../src/report.js';
import { type ServerProcess, startServer } from '../src/server-process.js';
import { type Stage, setStage } from '../src/stage.js';
import { runTests, testsOf } from '../src/test-result.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const MINUTE = 60_000;

const commitAt = (at: number): Commit => ({ sha: randomBytes(20).toString('hex'), committedAt: new Date(at) });

describe('reporting to a server of its own', () => {
  let folder = '';
  let server: ServerProcess;
  let stage: Stage;
  let client: Client;
  const facts = async () => {
    const { body } = await client.readReadiness({ path: stage.path });
    return Object.fromEntries(body.data.axes.map((reading) => [reading.axis, reading.facts]));
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'own-report-'));
    server = await startServer(folder, randomBytes(12).toString('hex'));
    stage = await setStage(await setUp(server.url, server.setupToken), 'checkout', new Date('2020-01-01T00:00:00Z'));
    client = createClient({ baseUrl: server.url, apiKey: stage.apiKey });
  });
  after(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('counts nothing twice, however often it is done, over more than one portion', async () => {
    const start = Date.parse('2026-01-01T00:00:00Z');
    const commits = Array.from({ length: 501 }, (_, place) => commitAt(start + place * MINUTE));
    expect(await reportHistory(client, 'checkout', commits)).to.deep.equal({ created: 501, duplicates: 0 });
    expect(await reportHistory(client, 'checkout', commits)).to.deep.equal({ created: 0, duplicates: 501 });
    expect(await facts())
      .to.have.property('stability')
      .that.includes({ succeeded: 501, failed: 0 });
  });

  it('takes commits of a clock that runs ahead, once too', async () => {
    const before = await facts();
    const ahead = [commitAt(Date.now() + 1000 * 24 * 60 * MINUTE)];
    expect(await reportHistory(client, 'checkout', ahead)).to.deep.equal({ created: 1, duplicates: 0 });
    expect(await reportHistory(client, 'checkout', ahead)).to.deep.equal({ created: 0, duplicates: 1 });
    expect(before).to.have.property('stability').that.includes({ succeeded: 501 });
    expect(await facts())
      .to.have.property('stability')
      .that.includes({ succeeded: 502 });
  });

  it('runs on a server that is there already, and says what is wrong with it', async () => {
    const program = fileURLToPath(new URL('../src/main.js', import.meta.url));
    const complaintWith = async (env: Record<string, string>): Promise<string> => {
      const options = { env: { ...process.env, SHIPWORTHY_API_URL: server.url, ...env } };
      const ended = promisify(execFile)(process.execPath, [program], options);
      return ended.then(
        () => 'none',
        (error: { code: number; stderr: string }) => `${error.code} ${error.stderr}`,
      );
    };
    const wrongKey = `swk_${'a'.repeat(36)}`;
    expect(await complaintWith({ SHIPWORTHY_API_KEY: wrongKey })).to.match(/^1 Error: listTeams: 401 The API key is m/);
    const other = { SHIPWORTHY_API_KEY: stage.apiKey, SHIPWORTHY_APP: 'Checkout' };
    expect(await complaintWith(other)).to.equal('1 Error: The key sees no project named Checkout.\n');
  });

  it('says which commit was refused, and why', async () => {
    const failure = await reportHistory(client, 'checkout', [{ sha: 'no hash', committedAt: new Date(0) }]).catch(
      String,
    );
    expect(failure).to.match(/Commit no hash was refused: ./);
  });

  it('lets the latest run of the tests count, and only that', async () => {
    const files = testsOf(root, 'domain').filter((file) => file.endsWith('numbers.test.js'));
    const result = await runTests(root, files, folder);
    expect(result.passed).to.be.above(0);
    await reportTests(client, stage.path, { ...result, failed: 3, startedAt: '2026-01-01T00:00:00.000Z' }, undefined);
    for (let round = 0; round < 2; round += 1) await reportTests(client, stage.path, result, 'abcdef1');
    const { body } = await client.listTestRuns({ path: stage.path });
    expect(body.data).to.have.lengthOf(2);
    const counted = { passed: result.passed, total: result.passed, commit_sha: 'abcdef1', suite: 'mocha' };
    expect(await facts())
      .to.have.property('verification')
      .that.includes(counted);
  });
});
