import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeReady, newProject, openCriticalBug, type ReleasePath } from '../service/releases.js';
import { type Service, startService } from '../service/service.js';
import { runIn, type StandIn, standIn } from '../stand-in.js';

const offline = () => {
  throw new Error('The network was used.');
};

describe('shipworthy what-if', () => {
  let service: Service;
  let world: StandIn;
  let path: ReleasePath;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    const project = await newProject(service);
    path = project.path;
    await makeReady(service, project.name, path);
    await openCriticalBug(service, path);
    world = await standIn({
      env: { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key, SHIPWORTHY_APP: project.name },
    });
  });
  afterEach(() => world.remove());
  const FIX = ['--close-issues', '1', '--set', 'quality.resolved=1', '--set', 'quality.open.critical=0'];

  it('says before and after, and what would still hold', async () => {
    const { exit, out } = await runIn(world, 'what-if', '--set', 'policy.max_open_critical_bugs=1');
    expect(exit).to.equal(0);
    const lines = out.split('\n');
    expect(lines.slice(0, 2)).to.deep.equal([
      'before: hold, 70.0 (coverage 100 %)',
      'after:  hold, 70.0, 5 of 5 measured',
    ]);
    expect(lines.filter((line) => line.startsWith('  because'))).to.have.length(3);
    expect(lines).to.include('next steps');
  });

  it('changes only what is set, of facts and demands', async () => {
    const { out } = await runIn(world, 'what-if', ...FIX);
    expect(out).to.equal('before: hold, 70.0 (coverage 100 %)\nafter:  go, 100.0, 5 of 5 measured\n');
    const { json } = await runIn(
      world,
      'what-if',
      '--json',
      '--set',
      'verification=null',
      '--set',
      'policy.weights.ops=0',
    );
    expect(json()).to.have.nested.property('data.report.axes[3].cause', 'no_test_run');
    expect(json()).to.have.nested.property('data.report.axes[2].weight', 0);
    expect(json()).to.deep.nested.include({ 'data.before': { score: 70, coverage: 1, decision: 'hold' } });
  });

  it('asks the very question of a file', async () => {
    await writeFile(join(world.folder, 'changes.json'), JSON.stringify({ policy: { threshold: 10 } }));
    const { json } = await runIn(world, 'what-if', '--from', 'changes.json', '--json');
    const { body } = await service.person.askWhatIf({ path, body: { policy: { threshold: 10 } } });
    const { as_of: _, ...answered } = body.data.report;
    expect(json().data).to.have.nested.property('report.score', answered.score);
    expect((json().data as { report: { gate: unknown } }).report.gate).to.deep.equal(answered.gate);
  });

  it('answers the same without the server, from a signed verdict', async () => {
    await runIn(world, 'gate', '--signed', 'verdict.json');
    const asked = await runIn(world, 'what-if', ...FIX, '--json');
    const alone = { ...world, env: {}, fetch: offline };
    const thought = await runIn(alone, 'what-if', '--facts', 'verdict.json', ...FIX, '--json');
    type Answer = { report: { axes: unknown; gate: unknown; score: number }; before: unknown };
    const [there, here] = [asked.json().data as Answer, thought.json().data as Answer];
    expect(here.before).to.deep.equal(there.before);
    expect([here.report.gate, here.report.score, here.report.axes]).to.deep.equal([
      there.report.gate,
      there.report.score,
      there.report.axes,
    ]);
    expect(thought.exit).to.equal(0);
  });

  it('names every fault and ends with 2', async () => {
    for (const [argv, told] of [
      [[], 'Nothing is asked'],
      [['--set', 'scope'], 'names nothing'],
      [['--set', 'policy=1'], 'names nothing'],
      [['--set', 'nothing.done=1'], 'names nothing'],
      [['--set', 'scope..done=1'], 'names nothing'],
      [['--set', 'scope.dnoe=1'], '/facts/scope/dnoe: is not known'],
      [['--set', 'scope.done=many'], '/facts/scope/done: must be a whole number'],
      [['--set', 'scope.done=99'], 'No more issues can be done than there are'],
      [['--set', 'policy.threshold=101'], '/policy/threshold: must be 100 or less'],
      [['--close-issues', '0'], 'Give how many'],
      [['--from', 'none.json'], 'cannot be read'],
      [['--from', 'none.json', '--close-issues', '1'], 'cannot be used with'],
      [['--release', 'none', '--close-issues', '1'], 'no release'],
    ] as const) {
      const { exit, err } = await runIn(world, 'what-if', ...argv);
      expect([exit, argv.join(' ')]).to.deep.equal([2, argv.join(' ')]);
      expect(err).to.contain(told);
    }
  });

  it('names what does not fit together without the server, too', async () => {
    await runIn(world, 'gate', '--signed', 'verdict.json');
    const alone = { ...world, env: {}, fetch: offline };
    const { exit, err } = await runIn(alone, 'what-if', '--facts', 'verdict.json', '--set', 'scope.done=99');
    expect(exit).to.equal(2);
    expect(err).to.contain('/facts/scope/done: No more issues can be done than there are');
  });

  it('ends with 4 and 5 as every command does', async () => {
    const keyless = { ...world, env: { SHIPWORTHY_API_URL: service.url } };
    expect((await runIn(keyless, 'what-if', '--close-issues', '1')).exit).to.equal(4);
    const away = { ...world, env: { ...world.env, SHIPWORTHY_API_URL: 'http://127.0.0.1:9' } };
    expect((await runIn(away, 'what-if', '--close-issues', '1', '--timeout', '0.1')).exit).to.equal(5);
  });
});
