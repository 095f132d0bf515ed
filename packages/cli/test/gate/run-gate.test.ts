import { expect } from 'chai';
import { makeReady, newProject, openCriticalBug, type ReleasePath, tickChecklist } from '../service/releases.js';
import { type Service, startService } from '../service/service.js';
import { runIn, type StandIn, standIn } from '../stand-in.js';

describe('shipworthy gate', () => {
  let service: Service;
  let world: StandIn;
  let name: string;
  let path: ReleasePath;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    ({ name, path } = await newProject(service));
    world = await standIn({
      env: { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key, SHIPWORTHY_APP: name },
    });
  });
  afterEach(async () => {
    expect(world.out() + world.err()).not.to.contain(service.key);
    await world.remove();
  });
  const scorecard = () =>
    `${service.url}/teams/${path.team_id}/projects/${path.project_id}/releases/${path.release_id}`;

  it('ends with 5 while something required is unmeasured, with any --on-unavailable', async () => {
    await tickChecklist(service, path);
    for (const more of [[], ['--on-unavailable', 'go']]) {
      const { exit, out } = await runIn(world, 'gate', ...more);
      expect(exit).to.equal(5);
      expect(out.split('\n')).to.include('unknown').and.include('  Record a test run in which every test passes');
    }
  });

  it('ends with 0 and the word go when all is well', async () => {
    await makeReady(service, name, path);
    const { exit, out, err } = await runIn(world, 'gate');
    expect(exit).to.equal(0);
    expect(out).to.equal(`go\n${name} 1.0: 100.0, 5 of 5 measured\nscorecard: ${scorecard()}\n`);
    expect(err).to.equal('');
  });

  it('ends with 3 and says why and what to do when it holds', async () => {
    await makeReady(service, name, path);
    await openCriticalBug(service, path);
    const { exit, out } = await runIn(world, 'gate', '--release', '1.0');
    expect(exit).to.equal(3);
    const lines = out.split('\n');
    expect(lines.slice(0, 2)).to.deep.equal(['hold', `${name} 1.0: 70.0, 5 of 5 measured`]);
    expect(lines.filter((line) => line.startsWith('  because  '))).to.have.length(4);
    expect(lines).to.include('next steps').and.include(`scorecard: ${scorecard()}`);
    expect(lines.find((line) => line.includes('Resolve 1 critical bug'))).to.match(/\(\+30\.0\)$/);
  });

  it('says what is waived, by whom, and what would be without it', async () => {
    await makeReady(service, name, path);
    await openCriticalBug(service, path);
    const { gate } = (await service.person.readReadiness({ path })).body.data;
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    for (const { code, axis } of gate.reasons)
      if (code !== 'no_weights')
        await service.person.waiveReason({
          path,
          body: { code, ...(axis ? { axis } : {}), text: 'Known.', expires_at },
        });
    const { exit, out } = await runIn(world, 'gate');
    expect(exit).to.equal(0);
    expect(out)
      .to.match(/^go\nwith \d waivers; without them: hold\n/)
      .and.contain('without waivers: hold')
      .and.contain('  waived   ');
    expect(out).to.contain(`accepted by Ada until ${expires_at}: Known.`);
  });

  it('answers one document with --json', async () => {
    await makeReady(service, name, path);
    await openCriticalBug(service, path);
    const { exit, json } = await runIn(world, 'gate', '--json');
    expect(exit).to.equal(3);
    const { data } = json() as { data: Record<string, unknown> };
    expect(data).to.include({ decision: 'hold', decision_without_waivers: 'hold', score: 70, coverage: 1, exit: 3 });
    expect(data).to.include({ shadow: false, waited_in_vain: false, unavailable: null, scorecard: scorecard() });
    expect(data).to.deep.include({ axes: { measured: 5, of: 5 }, project: { id: path.project_id, name } });
    expect(Object.keys(data)).to.have.members(
      'decision reasons decision_without_waivers waivers next_steps score coverage axes project release as_of frozen_at scorecard unavailable unreadable exit shadow waited_in_vain'.split(
        ' ',
      ),
    );
  });

  it('ends with 0 in shadow, and says what it would have been', async () => {
    const { exit, out, err } = await runIn(world, 'gate', '--shadow');
    expect([exit, out.split('\n')[0]]).to.deep.equal([0, 'hold']);
    expect(err).to.contain('would be 3');
    expect((await runIn(world, 'gate', '--shadow', '--json')).json()).to.have.nested.property('data.exit', 3);
    expect((await runIn(world, 'gate', '--shadow', '--release', 'none')).exit).to.equal(2);
    const keyless = { ...world, env: { ...world.env, SHIPWORTHY_API_KEY: `swk_${'a'.repeat(36)}` } };
    expect((await runIn(keyless, 'gate', '--shadow')).exit).to.equal(4);
  });

  it('ends with 2 for a release that is not there and for what it does not understand', async () => {
    for (const argv of [
      ['--release', 'none'],
      ['--app', 'none'],
      ['--wait', 'soon'],
      ['--on-unavailable', 'perhaps'],
      ['--commit', 'abcdef0'],
      ['--signed', 'v.json', '--commit', 'no'],
    ])
      expect((await runIn(world, 'gate', '--on-unavailable', 'go', ...argv)).exit, argv.join(' ')).to.equal(2);
  });

  it('ends with 4 for a key that may not read, with any --on-unavailable', async () => {
    const key = await service.keyFor('deployments:write');
    const unfit = { ...world, env: { ...world.env, SHIPWORTHY_API_KEY: key } };
    const { exit, err } = await runIn(unfit, 'gate', '--on-unavailable', 'go');
    expect(exit).to.equal(4);
    expect(err).to.contain('read').and.not.contain(key);
  });
});
