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

  it('fall back on the rate and on the usual rhythm, unless they say otherwise', async () => {
    const { browser, inProject: path } = stage();
    await browser.ok('replacePolicy', { path, body: STRICT, headers: seen(1) });
    const { stability_bound: _, silence_hours: __, ...body } = STRICT;
    const { data } = (await browser.ok('replacePolicy', { path, body, headers: seen(2) })).body;
    expect(data).to.deep.equal({ ...STRICT, stability_bound: 'rate', silence_hours: null, version: 3 });
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
  });
});
