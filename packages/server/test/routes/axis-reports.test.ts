import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { POLICY } from '../harness/policy-request.js';
import { useFreshStage } from '../harness/stage.js';
import { pointMade } from '../harness/trend.js';

const SECURITY = {
  name: 'security',
  unit: { one: 'finding', many: 'findings' },
  weight: 2,
  minimum: 90,
  required: true,
};
const REPORT = { part: 48, whole: 50 };

onEveryStore('reports of own axes', (open) => {
  const stage = useFreshStage(open);

  const withAxes = async (): Promise<void> => {
    const { browser, inProject: path } = stage();
    const body = { ...POLICY, own_axes: [SECURITY, { name: 'translations' }] };
    await browser.ok('replacePolicy', { path, body, headers: { 'if-match': '"1"' } });
  };

  it('make a sixth axis as if built in: report, gate, trend, rows, what if and verdict', async () => {
    await withAxes();
    const { pipeline, inProject, inRelease, project, release, service } = stage();
    const sent = { ...REPORT, explanation: '2 are open', url: 'https://ci.acme.dev/scans/7' };
    const path = { ...inProject, axis: 'security' };
    const { status, body } = await pipeline.ok('recordAxisReport', { path, body: sent });
    expect(status).to.equal(201);
    const now = new Date(service.clock.read()).toISOString();
    const answered = {
      ...sent,
      id: body.data.id,
      project_id: project.id,
      release_id: release.id,
      axis: 'security',
      measured_at: now,
      recorded_at: now,
      recorded_by: 'pipeline',
      attribution: {
        project: { id: project.id, name: 'checkout' },
        releases: [{ id: release.id, name: '2.4', counts: true }],
        axis: 'security',
      },
    };
    expect(body.data).to.deep.equal(answered);
    const { data: report } = (await pipeline.ok('readReadiness', { path: inRelease })).body;
    expect(report.formula).to.equal('2');
    expect(report.own_axes?.[0]).to.deep.equal({
      axis: 'security',
      title: 'Security',
      state: 'measured',
      score: 96,
      weight: 2,
      minimum: 90,
      required: true,
      unit: SECURITY.unit,
      facts: { ...sent, measured_at: now },
      explanation: '48 of 50 findings: 2 are open',
    });
    const rows = await pipeline.ok('listAxisRows', { path: { ...inRelease, axis: 'security' } });
    expect(rows.body.data).to.deep.equal([{ ...answered, counts: true }]);
    const facts = { own_axes: [{ axis: 'security', part: 10, whole: 50 }] };
    const asked = (await pipeline.ok('askWhatIf', { path: inRelease, body: { facts } })).body.data.report;
    expect(asked.gate.reasons).to.deep.include({
      code: 'axis_below_minimum',
      axis: 'security',
      actual: 20,
      required: 90,
      message: asked.gate.reasons.find(({ axis }) => axis === 'security')?.message ?? '',
      waived: false,
    });
    expect(asked.gate.next_steps.find(({ axis }) => axis === 'security')).to.include({ action: 'improve', count: 35 });
    const { verdict } = (await pipeline.ok('readGate', { path: inRelease, query: { signed: true } })).body;
    const predicate = JSON.parse(Buffer.from(verdict?.payload ?? '', 'base64').toString('utf8')).predicate;
    expect(predicate.facts.own_axes).to.deep.equal([{ axis: 'security', ...sent, measured_at: now }]);
    expect(predicate.policy.own_axes.map(({ name }: { name: string }) => name)).to.deep.equal([
      'security',
      'translations',
    ]);
    await pointMade(stage(), body.data.id);
    const points = (await pipeline.ok('listHistory', { path: inRelease })).body.data;
    expect(points.at(-1)?.own_axes).to.deep.equal([
      { axis: 'security', score: 96 },
      { axis: 'translations', score: null },
    ]);
    expect(points.at(-1)?.causes.map(({ kind }) => kind)).to.include('axis_report');
  });

  it('are refused with every fault, and for an axis that the policy does not have', async () => {
    await withAxes();
    const { pipeline, inProject, inRelease } = stage();
    const refusal = async (axis: string, body: object) => {
      const path = { ...inProject, axis };
      const refused = await pipeline.refused('recordAxisReport', 'invalid', { path, rawBody: JSON.stringify(body) });
      return (refused.body.errors ?? []).map(({ pointer, message }) => [pointer, message]);
    };
    const pointers = async (axis: string, body: object) => (await refusal(axis, body)).map(([pointer]) => pointer);
    expect(await pointers('security', { part: -1, whole: 0, extra: 1, url: 'ftp://x' })).to.have.members([
      '/part',
      '/whole',
      '/extra',
      '/url',
    ]);
    expect(await pointers('security', { part: 2, whole: 1 })).to.deep.equal(['/part']);
    expect(await pointers('security', { part: 0, whole: null })).to.deep.equal(['/explanation']);
    expect(await refusal('performance', REPORT)).to.deep.equal([
      ['axis', 'The policy of the project has no axis performance: it has security, translations.'],
    ]);
    await pipeline.refused('listAxisRows', 'not-found', { path: { ...inRelease, axis: 'performance' } });
  });

  it('count once for one key, for one external id, and for a repeat after the release closed', async () => {
    await withAxes();
    const { pipeline, browser, inProject, inRelease } = stage();
    const path = { ...inProject, axis: 'security' };
    const headers = { 'idempotency-key': 'scan-7' };
    const first = await pipeline.ok('recordAxisReport', { path, body: REPORT, headers });
    const again = await pipeline.ok('recordAxisReport', { path, body: REPORT, headers });
    expect(again.body).to.deep.equal(first.body);
    await pipeline.refused('recordAxisReport', 'idempotency-key-reused', {
      path,
      body: { ...REPORT, part: 1 },
      headers,
    });
    const body = { ...REPORT, external_id: 'scan-8' };
    const named = { ...inRelease, axis: 'security' };
    const known = await pipeline.ok('recordReleaseAxisReport', { path: named, body });
    expect((await pipeline.ok('recordAxisReport', { path, body })).body.data.id).to.equal(known.body.data.id);
    await pipeline.refused('recordAxisReport', 'external-id-conflict', { path, body: { ...body, part: 1 } });
    const listed = await pipeline.ok('listAxisRows', { path: named });
    expect(listed.body.data).to.have.lengthOf(2);
    await browser.ok('shipRelease', { path: inRelease, body: {} });
    expect((await pipeline.ok('recordAxisReport', { path, body: REPORT, headers })).body).to.deep.equal(first.body);
    await pipeline.refused('recordReleaseAxisReport', 'release-closed', { path: named, body: REPORT });
    await pipeline.refused('recordAxisReport', 'no-active-release', { path, body: REPORT });
  });

  it('need the scope axes:write', async () => {
    await withAxes();
    const { service, world, ada, inProject } = stage();
    const key = service.withKey(await world.key(ada, { scopes: ['read', 'deployments:write', 'test-runs:write'] }));
    await key.refused('recordAxisReport', 'missing-scope', { path: { ...inProject, axis: 'security' }, body: REPORT });
  });
});
