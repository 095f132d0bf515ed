import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeReady, newProject, openCriticalBug } from '../service/releases.js';
import { startService } from '../service/service.js';
import { runIn, type StandIn, standIn } from '../stand-in.js';

const FACTS = {
  scope: { done: 2, total: 3 },
  quality: { resolved: 1, total: 1, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } },
  ops: { done: 1, total: 3 },
  verification: { passed: 10, total: 10 },
  stability: { succeeded: 4, failed: 0, in_progress: 0 },
};
const AT = '2026-11-21T09:30:00.000Z';
const offline = () => {
  throw new Error('The network was used.');
};

describe('shipworthy score --from', () => {
  const worlds: StandIn[] = [];
  const scoring = async (sent: unknown, ...argv: readonly string[]) => {
    const stdin = typeof sent === 'string' ? sent : JSON.stringify(sent);
    const world = await standIn({ stdin, fetch: offline, now: () => Date.parse(AT) });
    worlds.push(world);
    return runIn(world, 'score', '--from', '-', ...argv);
  };
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.remove();
  });

  it('needs no settings, no network and nothing but the facts', async () => {
    const { exit, out, err } = await scoring({ facts: FACTS });
    expect([exit, err]).to.deep.equal([0, '']);
    // 2/3 + 1/3 + three times 1 is exactly 80 %.
    expect(out).to.equal('80.0, 5 of 5 measured\nship gate: hold\n');
  });

  it('answers the form of the service with --json', async () => {
    const { json } = await scoring({ facts: FACTS, as_of: AT }, '--json');
    const { data } = json() as { data: Record<string, unknown> };
    expect(data).to.include({ as_of: AT, formula: '1', score: 80, coverage: 1 });
    expect(Object.keys(data)).to.have.members([
      'as_of',
      'formula',
      'score',
      'coverage',
      'axes',
      'gate',
      'silent_sources',
    ]);
  });

  it('takes any part of a policy, and a moment', async () => {
    const policy = { weights: { ops: 0 }, minimums: { scope: 0 }, freshness_hours: 1 };
    const verification = { passed: 10, total: 10, ran_at: '2026-11-21T08:29:59.000Z' };
    const { json } = await scoring({ facts: { ...FACTS, verification }, policy, as_of: AT }, '--json');
    expect(json()).to.have.nested.property('data.gate.decision', 'unknown');
    expect(json()).to.have.nested.property('data.axes[3].cause', 'stale_test_run');
  });

  it('explains by exact shares', async () => {
    const { out } = await scoring(
      { facts: { ...FACTS, verification: null }, policy: { weights: { scope: 2 } } },
      '--explain',
    );
    const lines = out.split('\n');
    expect(lines).to.include(
      'score = 100 * (2 * 2/3 + 1 * 1/1 + 1 * 1/3 + 1 * 4/4) / (2 + 1 + 1 + 1) = 73.33, rounded down; shown as 73.3',
    );
    expect(lines)
      .to.include(`coverage = 5 / 6 = ${5 / 6}`)
      .and.include(`as of ${AT}, formula 1`);
    expect(lines.find((line) => line.startsWith('verification'))).to.match(/^verification +no_test_run +1 +- +\S/);
    expect(lines.find((line) => line.startsWith('scope'))).to.match(/^scope +66\.6 +2 +2\/3 +2 of 3 issues done/);
  });

  it('tells silent sources', async () => {
    const sources = { deployments: { last_at: '2026-11-20T09:30:00Z', median_ms: 3_600_000 }, test_runs: null };
    const { out } = await scoring({ facts: { ...FACTS, sources } }, '--explain');
    expect(out).to.contain(
      'silent: no deployment since 2026-11-20T09:30:00.000Z, expected within 3 h (by its own rhythm)',
    );
  });

  it('names every fault at once and ends with 2', async () => {
    const { exit, err, json } = await scoring(
      {
        facts: { ...FACTS, ops: { done: 1.5, total: 3 }, stabilty: {}, verification: undefined },
        policy: { threshold: 101 },
        polcy: {},
      },
      '--json',
    );
    expect(exit).to.equal(2);
    const { faults } = json().error as { faults: readonly string[] };
    expect(faults.map((fault) => fault.replace(/ \(.*/, ''))).to.have.members([
      '/polcy: is not known',
      '/facts/verification: is missing',
      '/facts/stabilty: is not known',
      '/facts/ops/done: must be a whole number',
      '/policy/threshold: must be 100 or less',
    ]);
    for (const fault of faults) expect(err).to.contain(fault);
  });

  it('names what does not fit together, and demands that cannot be', async () => {
    const { exit, json } = await scoring(
      { facts: { ...FACTS, scope: { done: 4, total: 3 } }, policy: { threshold: 80.001 } },
      '--json',
    );
    expect(exit).to.equal(2);
    const { faults } = json().error as { faults: readonly string[] };
    expect(faults).to.include('/facts/scope/done: No more issues can be done than there are');
    expect(faults.some((fault) => fault.startsWith('/policy/threshold: '))).to.equal(true);
  });

  it('ends with 2 for what cannot be read', async () => {
    for (const sent of ['', '{', '[]', 'null', '{"facts": 1}']) expect((await scoring(sent)).exit, sent).to.equal(2);
    const world = await standIn({ fetch: offline });
    worlds.push(world);
    expect((await runIn(world, 'score', '--from', 'none.json')).exit).to.equal(2);
    expect((await runIn(world, 'score', '--from', '.')).exit).to.equal(2);
    expect((await runIn(world, 'score', '--from', '-', '--release', 'x')).exit).to.equal(2);
  });

  it('comes to what the service says, from the verdict it signed', async () => {
    const service = await startService();
    const { name, path } = await newProject(service);
    await makeReady(service, name, path);
    await openCriticalBug(service, path);
    const { gate } = (await service.person.readReadiness({ path })).body.data;
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const [reason] = gate.reasons;
    if (reason === undefined || reason.code === 'no_weights') return expect.fail('nothing holds');
    await service.person.waiveReason({ path, body: { code: reason.code, text: 'Known.', expires_at } });
    const world = await standIn({
      env: { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key, SHIPWORTHY_APP: name },
    });
    worlds.push(world);
    await runIn(world, 'gate', '--signed', 'verdict.json');
    const { body } = await service.person.readReadiness({ path });
    await service.stop();
    const { project: _, release: __, ...judged } = body.data;
    const again = await runIn({ ...world, env: {}, fetch: offline }, 'score', '--from', 'verdict.json', '--json');
    expect(again.json().data).to.deep.equal(judged);
    // The gate's whole answer, as it is fetched without the command, will do as well.
    const verdict = JSON.parse(await readFile(join(world.folder, 'verdict.json'), 'utf8'));
    await writeFile(join(world.folder, 'gate.json'), JSON.stringify({ data: {}, verdict }));
    const same = await runIn({ ...world, env: {}, fetch: offline }, 'score', '--from', 'gate.json', '--json');
    expect(same.out).to.equal(again.out);
  });
});
