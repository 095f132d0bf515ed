import { randomBytes } from 'node:crypto';
import { memoryStores } from '@shipworthy/adapters/memory';
import { type Client, createClient } from '@shipworthy/client';
import { setUp } from '@shipworthy/example-own-pipeline/person';
import { type Stage, setStage, tick } from '@shipworthy/example-own-pipeline/stage';
import { createShipworthy, type Shipworthy } from '@shipworthy/server';
import { expect } from 'chai';
import { type Ended, runScript } from './script.js';

/** Everything that a careless script would break on. */
const APP = 'Zoë\'s "check\\out" $(touch x) `y` & {"id":"z"} %s';
const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';
const SETUP_TOKEN = 'k3J9-QpX2';

describe('a pipeline with nothing but curl', () => {
  let service: Shipworthy;
  let person: Client;
  let stage: Stage;
  let pipeline: Client;
  let settings: Readonly<Record<string, string>> = {};
  const run = (...words: readonly string[]): Promise<Ended> => runScript(settings, ...words);
  const newest = async () => {
    const { body } = await pipeline.listDeployments({ path: stage.path, query: { limit: 1 } });
    return body.data[0] ?? expect.fail('no deployment was stored');
  };

  before(async () => {
    service = createShipworthy({ stores: memoryStores(), secretKey: randomBytes(32), setupToken: SETUP_TOKEN });
    const { origin } = await service.listen({ host: '127.0.0.1', port: 0 });
    person = await setUp(origin, SETUP_TOKEN);
    stage = await setStage(person, APP, new Date('2026-01-01T00:00:00Z'));
    pipeline = createClient({ baseUrl: origin, apiKey: stage.apiKey });
    settings = { SHIPWORTHY_API_URL: `${origin}/`, SHIPWORTHY_API_KEY: stage.apiKey };
  });
  after(() => service?.close());

  it('reports a deployment that succeeds, and lets its command talk', async () => {
    const ended = await run('deploy', APP, 'EU "west"', COMMIT, '--', 'bash', '-c', 'echo "rolling $1"', '_', 'out it');
    expect(ended.complained).to.equal('');
    const stored = await newest();
    expect(ended).to.include({ code: 0, said: `rolling out it\nshipworthy: deployment ${stored.id}: success\n` });
    expect(stored).to.include({ app_name: APP, environment: 'EU "west"', commit_sha: COMMIT, status: 'success' });
    expect(stored.duration_seconds).to.be.within(0, 5);
  });

  it('reports a deployment that fails, and ends with the exit code of its command', async () => {
    const ended = await run('deploy', APP, 'production', COMMIT, '--', 'bash', '-c', 'exit 42');
    expect(ended).to.include({ code: 42, complained: '' });
    expect(await newest()).to.include({ environment: 'production', status: 'failure' });
  });

  it('records test runs', async () => {
    const ended = await run('test-run', APP, '0410', '002', 'unit "fast"');
    expect(ended.complained).to.equal('');
    const { body } = await pipeline.listTestRuns({ path: stage.path });
    expect(body.data).to.have.lengthOf(1);
    expect(body.data[0]).to.include({ total: 412, passed: 410, failed: 2, suite: 'unit "fast"' });
    expect(ended.said).to.equal(`shipworthy: test run ${body.data[0]?.id}: 410 passed, 2 failed\n`);
  });

  it('stores the same report of the same run once', async () => {
    const again = { ...settings, SHIPWORTHY_RUN_ID: 'run-7-attempt-1' };
    for (const deployed of [1, 2])
      expect(await runScript(again, 'deploy', APP, 'staging', COMMIT, '--', 'true')).to.include(
        { code: 0 },
        `${deployed}`,
      );
    const { body } = await pipeline.listDeployments({ path: stage.path, query: { environment: 'staging' } });
    expect(body.data).to.have.lengthOf(1);
  });

  it('ends by the decision of the gate, and says why and what is next', async () => {
    const held = await run('gate', APP);
    expect(held).to.include({ code: 3, complained: '' });
    expect(held.said).to.match(/^shipworthy: hold\n( {2}because .+\n)+( {2}next .+\n)+$/);
    expect(held.said).to.contain('  because Ops is at 0, below its minimum of 100\n');
    for (const title of ['Docs', 'Feature flag', 'Rollback'])
      await tick(person, stage.path, title, 'https://example.org/runbook');
    expect(await run('gate', APP)).to.deep.equal({ code: 0, said: 'shipworthy: go\n', complained: '' });
  });

  it('takes the ids of team and project instead of looking for them', async () => {
    const ids = { SHIPWORTHY_TEAM_ID: stage.path.team_id, SHIPWORTHY_PROJECT_ID: stage.path.project_id };
    expect(await runScript({ ...settings, ...ids }, 'gate', 'whatever')).to.include({ code: 0 });
  });

  it('tells a project from a team of the same name', async () => {
    const { body: team } = await person.createTeam({ body: { name: 'checkout' } });
    expect(await run('gate', 'checkout')).to.include({
      code: 2,
      complained: 'shipworthy: the key sees no project named checkout\n',
    });
    const { body: key } = await person.createApiKey({ body: { name: 'both', scopes: ['read'], all_teams: true } });
    const both = { ...settings, SHIPWORTHY_API_KEY: key.data.key };
    await person.createProject({ path: { team_id: team.data.id }, body: { name: APP } });
    expect((await runScript(both, 'gate', APP)).complained).to.match(/several projects are named Zoë/);
    const release = async (project_id: string) => {
      const path = { team_id: team.data.id, project_id };
      const { body } = await person.createRelease({ path, body: { name: '1.0' } });
      await person.activateRelease({ path: { ...path, release_id: body.data.id } });
    };
    const project = await person.createProject({ path: { team_id: team.data.id }, body: { name: 'checkout' } });
    const ended = await runScript(both, 'gate', 'checkout');
    expect(ended).to.include({ code: 2, complained: 'shipworthy: checkout has no active release\n' });
    await release(project.body.data.id);
    expect(await runScript(both, 'gate', 'checkout')).to.include({ code: 3 });
  });

  it('says loudly what the service refuses', async () => {
    const unknown = await run('deploy', 'Checkout', 'production', COMMIT, '--', 'echo', 'deployed');
    expect(unknown).to.include({ code: 2, said: '' });
    expect(unknown.complained).to.match(/^shipworthy: POST \/api\/deployments: 422 .*Checkout/);
    const faults = await run('deploy', APP, '', 'no hash', '--', 'echo', 'deployed');
    expect(faults.complained).to.match(/: 422 .*\n( {2}.+\n){2,}$/);
    const wrong = { ...settings, SHIPWORTHY_API_KEY: `swk_${'a'.repeat(36)}` };
    expect(await runScript(wrong, 'gate', APP)).to.include({ code: 4 });
  });
});
