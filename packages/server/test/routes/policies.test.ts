import type { Policy } from '@shipworthy/client/contract';
import { DEFAULT_POLICY } from '@shipworthy/domain/readiness';
import { expect } from 'chai';
import { sentPolicy, wirePolicy } from '../../src/routes/policies.js';
import { onEveryStore } from '../harness/openings.js';
import { useFreshStage } from '../harness/stage.js';

const DEFAULTS: Policy = {
  weights: { scope: 1, quality: 1, ops: 1, verification: 1, stability: 1 },
  threshold: 80,
  minimums: { scope: 60, quality: 60, ops: 100, verification: 95, stability: 60 },
  required_axes: ['scope', 'quality', 'ops', 'verification', 'stability'],
  environments: null,
  freshness_hours: null,
  verification: 'latest_run',
  max_open_critical_bugs: 0,
  min_finished_deployments: 1,
  stability_bound: 'rate',
  silence_hours: null,
  version: 1,
};

const STRICT: Policy = {
  weights: { scope: 0, quality: 1, ops: 2, verification: 3, stability: 1000 },
  threshold: 92.55,
  minimums: { scope: 0, quality: 99.99, ops: 100, verification: 95.5, stability: 60 },
  required_axes: ['stability', 'ops'],
  environments: ['production', 'Production'],
  freshness_hours: 0.5,
  verification: 'latest_per_suite',
  max_open_critical_bugs: null,
  min_finished_deployments: 20,
  stability_bound: 'upper_bound',
  silence_hours: 36,
  version: 1,
};

const SECURITY = {
  name: 'security',
  title: 'Security',
  unit: { one: 'finding', many: 'findings' },
  weight: 3,
  minimum: 90.5,
  required: true,
  fresh_for_hours: 24,
};

const seen = (version: number) => ({ 'if-match': `"${version}"` });

onEveryStore('policies', (open) => {
  const stage = useFreshStage(open);

  it('begin with the defaults', async () => {
    const { pipeline, inProject: path } = stage();
    expect((await pipeline.ok('readPolicy', { path })).body.data).to.deep.equal(DEFAULTS);
  });

  it('are replaced as a whole, and act on the report at once', async () => {
    const { browser, pipeline, inProject: path, inRelease } = stage();
    const before = await pipeline.ok('readReadiness', { path: inRelease });
    const { data } = (await browser.ok('replacePolicy', { path, body: STRICT, headers: seen(1) })).body;
    expect(data).to.deep.equal({ ...STRICT, version: 2 });
    expect((await pipeline.ok('readPolicy', { path })).body.data).to.deep.equal(data);
    const after = await pipeline.ok('readReadiness', { path: inRelease });
    expect(after.headers.etag).not.to.equal(before.headers.etag);
    expect(after.body.data.axes.map(({ weight }) => weight)).to.deep.equal([0, 1, 2, 3, 1000]);
  });

  it('keep what an older client leaves out, until it is removed by name', async () => {
    const { browser, pipeline, inProject: path } = stage();
    const body = { ...STRICT, own_axes: [SECURITY] };
    await browser.ok('replacePolicy', { path, body, headers: seen(1) });
    const { stability_bound: _, silence_hours: __, ...older } = STRICT;
    const saved = await browser.ok('replacePolicy', { path, body: { ...older, threshold: 50 }, headers: seen(2) });
    expect(saved.body.data).to.deep.equal({ ...body, threshold: 50, version: 3 });
    for (const [index, own_axes] of [null, []].entries()) {
      const seenNow = seen(3 + 2 * index);
      const none = await browser.ok('replacePolicy', { path, body: { ...older, own_axes }, headers: seenNow });
      expect(none.body.data).to.deep.equal({ ...STRICT, version: 4 + 2 * index });
      await browser.ok('replacePolicy', { path, body, headers: seen(4 + 2 * index) });
    }
    const { data } = (await pipeline.ok('readPolicy', { path })).body;
    expect(data).to.deep.equal({ ...body, version: 7 });
  });

  it('have own axes, by name and with all they demand, which the report shows at once', async () => {
    const { browser, pipeline, inProject: path, inRelease } = stage();
    const own_axes = [SECURITY, { name: 'page_speed', weight: 2 }];
    const body = { ...DEFAULTS, own_axes };
    const { data } = (await browser.ok('replacePolicy', { path, body, headers: seen(1) })).body;
    const speed = { name: 'page_speed', title: 'Page speed', unit: { one: 'part', many: 'parts' }, weight: 2 };
    const all = [{ ...speed, minimum: 0, required: false, fresh_for_hours: null }, SECURITY];
    expect(data).to.deep.equal({ ...DEFAULTS, own_axes: all, version: 2 });
    const versions = (await pipeline.ok('listPolicyVersions', { path })).body.data;
    expect(versions.map(({ policy }) => policy.own_axes)).to.deep.equal([all, undefined]);
    const report = (await pipeline.ok('readReadiness', { path: inRelease })).body.data;
    expect(report.formula).to.equal('2');
    expect(report.own_axes?.map(({ axis, state }) => [axis, state])).to.deep.equal([
      ['page_speed', 'unmeasured'],
      ['security', 'unmeasured'],
    ]);
    expect(report.gate.reasons.map(({ axis }) => axis)).to.include('security');
    // What was read can be sent back.
    const again = (await browser.ok('replacePolicy', { path, body: data, headers: seen(2) })).body.data;
    expect(again).to.deep.equal(data);
  });

  it('are previewed and asked about with own axes', async () => {
    const { browser, pipeline, inProject: path, inRelease } = stage();
    const body = { ...DEFAULTS, own_axes: [SECURITY] };
    await browser.ok('replacePolicy', { path, body, headers: seen(1) });
    const asked = async (own_axes: null | undefined) => {
      const policy = own_axes === undefined ? { threshold: 1 } : { threshold: 1, own_axes };
      const { data } = (await pipeline.ok('askWhatIf', { path: inRelease, body: { policy } })).body;
      return data.report.own_axes?.length;
    };
    expect([await asked(undefined), await asked(null)]).to.deep.equal([1, undefined]);
    const { data } = (await pipeline.ok('previewPolicy', { path, body: { ...DEFAULTS, own_axes: null } })).body;
    expect(data.considered).to.be.above(0);
  });

  it('are not replaced without the version seen, nor over an unseen change', async () => {
    const { browser, inProject: path } = stage();
    const required = await browser.refused('replacePolicy', 'version-required', { path, body: STRICT });
    expect(required.status).to.equal(428);
    await browser.refused('replacePolicy', 'version-required', { path, body: STRICT, headers: { 'if-match': '*' } });
    const { data } = (await browser.ok('replacePolicy', { path, body: STRICT, headers: seen(1) })).body;
    for (const headers of [seen(1), seen(3), { 'if-match': 'W/"2"' }]) {
      const { status, body } = await browser.refused('replacePolicy', 'version-mismatch', {
        path,
        body: DEFAULTS,
        headers,
      });
      expect([status, body.current]).to.deep.equal([412, data]);
    }
    await browser.ok('replacePolicy', { path, body: DEFAULTS, headers: seen(2) });
  });

  it('of two people at once, one is told', async () => {
    const { browser, inProject: path } = stage();
    const answers = await Promise.all(
      [81, 82, 83].map((threshold) =>
        browser.ask('replacePolicy', { path, body: { ...DEFAULTS, threshold }, headers: seen(1) }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 412, 412]);
  });
});

describe('replacePolicy', () => {
  const stage = useFreshStage();

  it('names every fault at its place', async () => {
    const { browser, inProject: path } = stage();
    const faulty = {
      ...DEFAULTS,
      weights: { ...DEFAULTS.weights, scope: 1001, ops: 1.5 },
      minimums: { ...DEFAULTS.minimums, stability: 101 },
      environments: [],
      freshness_hours: 0,
      colour: 'red',
    };
    const { body } = await browser.refused('replacePolicy', 'invalid', {
      path,
      rawBody: JSON.stringify(faulty),
      headers: seen(1),
    });
    expect((body.errors ?? []).map(({ pointer }) => pointer)).to.have.members([
      '/weights/scope',
      '/weights/ops',
      '/minimums/stability',
      '/environments',
      '/freshness_hours',
      '/colour',
    ]);
  });

  it('refuses weights that are all 0, here and where it is only asked about', async () => {
    const { browser, pipeline, inProject: path, inRelease } = stage();
    const weights = { scope: 0, quality: 0, ops: 0, verification: 0, stability: 0 };
    const body = { ...DEFAULTS, weights };
    for (const { body: refused } of [
      await browser.refused('replacePolicy', 'invalid', { path, body, headers: seen(1) }),
      await pipeline.refused('previewPolicy', 'invalid', { path, body }),
    ])
      expect(refused.errors).to.have.nested.property('[0].pointer', '/weights');
    const asked = await pipeline.refused('askWhatIf', 'invalid', { path: inRelease, body: { policy: { weights } } });
    expect(asked.body.errors).to.have.nested.property('[0].pointer', '/policy/weights');
    expect((await browser.ok('readPolicy', { path })).body.data.weights).to.deep.equal(DEFAULTS.weights);
  });

  it('names every fault of own axes at its place, and changes nothing', async () => {
    const { browser, inProject: path } = stage();
    const pointersOf = async (own_axes: readonly unknown[]) => {
      const rawBody = JSON.stringify({ ...DEFAULTS, own_axes });
      const { body } = await browser.refused('replacePolicy', 'invalid', { path, rawBody, headers: seen(1) });
      return (body.errors ?? []).map(({ pointer }) => pointer);
    };
    const misshapen = [
      { ...SECURITY, name: 'Security', weight: -1 },
      { ...SECURITY, unit: { one: 'finding' }, colour: 'red' },
      { title: 'x'.repeat(61), required: 'yes', fresh_for_hours: 0 },
    ];
    expect(await pointersOf(misshapen)).to.have.members([
      '/own_axes/0/name',
      '/own_axes/0/weight',
      '/own_axes/1/unit/many',
      '/own_axes/1/colour',
      '/own_axes/2/name',
      '/own_axes/2/title',
      '/own_axes/2/required',
      '/own_axes/2/fresh_for_hours',
    ]);
    const contradicting = [
      SECURITY,
      { name: 'quality' },
      { name: 'security' },
      { name: 'watched', weight: 0, minimum: 10, required: true },
    ];
    expect(await pointersOf(contradicting)).to.have.members([
      '/own_axes/1/name',
      '/own_axes/2/name',
      '/own_axes/3/minimum',
      '/own_axes/3/required',
    ]);
    expect(await pointersOf(Array.from({ length: 21 }, (_, at) => ({ name: `axis_${at}` })))).to.deep.equal([
      '/own_axes',
    ]);
    expect((await browser.ok('readPolicy', { path })).body.data).to.deep.equal(DEFAULTS);
  });

  it('takes a policy by which only own axes count', async () => {
    const { browser, inProject: path } = stage();
    const weights = { scope: 0, quality: 0, ops: 0, verification: 0, stability: 0 };
    const body = { ...DEFAULTS, weights, own_axes: [SECURITY] };
    await browser.ok('replacePolicy', { path, body, headers: seen(1) });
    const none = { ...DEFAULTS, weights, own_axes: null };
    const refused = await browser.refused('replacePolicy', 'invalid', { path, body: none, headers: seen(2) });
    expect(refused.body.errors).to.have.nested.property('[0].pointer', '/weights');
  });

  it('knows what a schema cannot say', async () => {
    const { browser, inProject: path } = stage();
    const body = { ...DEFAULTS, threshold: 80.001 };
    const refused = await browser.refused('replacePolicy', 'invalid', { path, body, headers: seen(1) });
    expect(refused.body.errors).to.have.nested.property('[0].pointer', '/threshold');
  });
});

describe('policyOf', () => {
  it('reads back what wirePolicy wrote', () => {
    const policy = { ...DEFAULT_POLICY, environments: ['production'], freshnessHours: 12.5, maxOpenCriticalBugs: null };
    const written = wirePolicy({ policy, version: 3 });
    expect(written.version).to.equal(3);
    expect(sentPolicy(written)).to.deep.equal(policy);
    expect(sentPolicy(wirePolicy({ policy: DEFAULT_POLICY, version: 1 }))).to.deep.equal(DEFAULT_POLICY);
    const ownAxes = [
      { ...{ name: 'security', title: 'Safe', unit: { one: 'finding', many: 'findings' }, weight: 1 }, minimum: 9 },
    ];
    const rest = { required: true, freshForHours: 0.5 };
    const own = { ...DEFAULT_POLICY, ownAxes: ownAxes.map((axis) => ({ ...axis, ...rest })) };
    expect(sentPolicy(wirePolicy({ policy: own, version: 1 }))).to.deep.equal(own);
  });
});
