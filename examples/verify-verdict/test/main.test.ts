import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@shipworthy/client';
import { setUp } from '@shipworthy/example-own-pipeline/person';
import { startServer } from '@shipworthy/example-own-pipeline/server-process';
import { setStage } from '@shipworthy/example-own-pipeline/stage';
import { expect } from 'chai';

const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';
const KEYS = '/api/.well-known/shipworthy-keys';
/** Commands that CI systems obey. */
const HOSTILE = '::error::a##vso[task.complete]b##[warning]c##teamcity[d]';
const program = fileURLToPath(new URL('../src/main.js', import.meta.url));
const readMe = fileURLToPath(new URL('../../README.md', import.meta.url));

/** Who signed and when differs from run to run. */
const timeless = (text: string): string => text.replace(/^signed by [\w-]{43} at \S{24}$/m, 'signed by KEY at TIME');

describe('a program that believes verdicts without the server', () => {
  let folder = '';
  const at = (name: string): string => join(folder, name);

  /** The program as a process of its own, which is told nothing but the names of files. */
  const run = (...args: readonly string[]) =>
    new Promise<{ code: number; out: string; complaint: string }>((resolve) => {
      const child = execFile(process.execPath, [program, ...args], { env: {} }, (_, out, complaint) =>
        resolve({ code: child.exitCode ?? -1, out, complaint }),
      );
    });

  const withServer = async <Result>(
    name: string,
    settings: Readonly<Record<string, string>>,
    work: (url: string, setupToken: string) => Promise<Result>,
  ): Promise<Result> => {
    const home = await mkdtemp(at(`${name}-`));
    const server = await startServer(home, 'a token of this test', settings);
    try {
      return await work(server.url, server.setupToken);
    } finally {
      await server.stop();
    }
  };
  const save = async (url: string, path: string, name: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, { headers });
    expect(response.status).to.equal(200);
    await writeFile(at(name), await response.text());
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'verify-verdict-'));
    await withServer(
      'one',
      { SHIPWORTHY_SECRET_KEY: 'q3dGm0Yx7TzVb1RkPs9LcWnE4uJhAf2oX8iZy6KtMvB' },
      async (url, setupToken) => {
        const person = await setUp(url, setupToken);
        const stage = await setStage(person, 'checkout', new Date('2026-01-01T00:00:00Z'));
        const client = createClient({ baseUrl: url, apiKey: stage.apiKey });
        const report = {
          app_name: 'checkout',
          environment: 'production',
          commit_sha: COMMIT,
          status: 'success',
        } as const;
        await client.recordDeployment({ body: report });
        await client.recordTestRun({
          path: stage.path,
          body: { total: 412, passed: 410, failed: 2, suite: 'unit', commit_sha: COMMIT },
        });
        const { team_id, project_id, release_id } = stage.path;
        const gate = `/api/teams/${team_id}/projects/${project_id}/releases/${release_id}/gate?signed=true`;
        await save(url, gate, 'gate.json', { authorization: `Bearer ${stage.apiKey}` });
        const { body: project } = await person.createProject({ path: { team_id }, body: { name: HOSTILE } });
        const inProject = { team_id, project_id: project.data.id };
        const { body: release } = await person.createRelease({ path: inProject, body: { name: HOSTILE } });
        const { body: read } = await person.readGate({
          path: { ...inProject, release_id: release.data.id },
          query: { signed: true },
        });
        await writeFile(at('hostile.json'), JSON.stringify(read));
        await save(url, KEYS, 'keys.json');
      },
    );
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('prints what the verdict of a server that is gone says, computed again', async () => {
    const { code, out, complaint } = await run(at('gate.json'), at('keys.json'), COMMIT);
    expect([code, complaint]).to.deep.equal([1, '']);
    const [, said] = /```text\n([\s\S]*?)```/.exec(await readFile(readMe, 'utf8')) ?? [];
    expect(timeless(out)).to.equal(timeless(said ?? ''));
    expect(timeless(out)).to.contain('signed by KEY at TIME');
  });

  it('prints names and what it is told without the commands in them', async () => {
    const { code, out, complaint } = await run(at('hostile.json'), at('keys.json'), HOSTILE);
    expect(code).to.equal(2);
    expect(out).to.match(/^: :error: :a# #vso\[task\.complete\]b# #\[warning\]c# #teamcity\[d\]\/: :error/);
    for (const text of [out, complaint]) expect(text).to.contain('vso[').and.not.match(/::|##/);
  });

  it('refuses a verdict about another commit', async () => {
    const { code, complaint } = await run(at('gate.json'), at('keys.json'), 'f'.repeat(40));
    expect([code, complaint]).to.deep.equal([2, `Error: The verdict is not about commit ${'f'.repeat(40)}.\n`]);
  });

  it('refuses a verdict that was changed', async () => {
    const gate = JSON.parse(await readFile(at('gate.json'), 'utf8'));
    const statement = Buffer.from(gate.verdict.payload, 'base64').toString('utf8');
    expect(statement).to.contain('"decision":"hold"');
    const changed = Buffer.from(statement.replaceAll('"decision":"hold"', '"decision":"go"')).toString('base64');
    await writeFile(at('changed.json'), JSON.stringify({ ...gate, verdict: { ...gate.verdict, payload: changed } }));
    const { code, out, complaint } = await run(at('changed.json'), at('keys.json'));
    expect([code, out]).to.deep.equal([2, '']);
    expect(complaint).to.match(/^VerdictError: The verdict is not what was signed/);
  });

  it('is told the same key by every instance that has the secret key', async () => {
    const settings = { SHIPWORTHY_SECRET_KEY: 'q3dGm0Yx7TzVb1RkPs9LcWnE4uJhAf2oX8iZy6KtMvB' };
    await withServer('two', settings, (url) => save(url, KEYS, 'keys-of-two.json'));
    expect(await readFile(at('keys-of-two.json'), 'utf8')).to.equal(await readFile(at('keys.json'), 'utf8'));
  });

  it('believes verdicts from before the secret key was replaced, if the former key is named', async () => {
    const { keys } = JSON.parse(await readFile(at('keys.json'), 'utf8'));
    const replaced = { SHIPWORTHY_SECRET_KEY: 'Wv0bKt6yZi8Xo2fAhJu4EnWcL9sPkR1bVzT7xY0mGd3' };
    await withServer('forgetful', replaced, (url) => save(url, KEYS, 'forgetful.json'));
    const refused = await run(at('gate.json'), at('forgetful.json'));
    expect([refused.code, refused.complaint]).to.deep.equal([
      2,
      'VerdictError: None of the given keys is named by the verdict as its signer.\n',
    ]);
    const mindful = { ...replaced, SHIPWORTHY_FORMER_VERDICT_KEYS: keys[0].x };
    await withServer('mindful', mindful, (url) => save(url, KEYS, 'mindful.json'));
    expect((await run(at('gate.json'), at('mindful.json'), COMMIT)).code).to.equal(1);
  });

  it('says how it is used', async () => {
    const { code, complaint } = await run();
    expect([code, complaint]).to.deep.equal([64, 'Usage: main.js GATE.json KEYS.json [COMMIT]\n']);
  });
});
