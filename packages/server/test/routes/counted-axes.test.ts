import { recomputeVerdict } from '@shipworthy/domain/readiness';
import { recordHistory } from '@shipworthy/domain/use-cases';
import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { POLICY } from '../harness/policy-request.js';
import { useFreshStage } from '../harness/stage.js';
import { pointMade } from '../harness/trend.js';

const EVIDENCE = {
  name: 'evidence',
  weight: 1,
  minimum: 50,
  required: true,
  counted_from: 'checklist_evidence',
} as const;
const LINK = { url: 'https://ci.acme.dev/runs/7', label: 'Run' };

onEveryStore('own axes that the service counts', (open) => {
  const stage = useFreshStage(open);

  /** Replaces version `version` of the policy. */
  const demand = async (version: number, ...own_axes: readonly object[]) => {
    const { browser, inProject: path } = stage();
    const headers = { 'if-match': `"${version}"` };
    return (await browser.ok('replacePolicy', { path, rawBody: JSON.stringify({ ...POLICY, own_axes }), headers })).body
      .data;
  };
  const report = async () => {
    const { pipeline, inRelease: path } = stage();
    return (await pipeline.ok('readReadiness', { path })).body.data;
  };
  /** Links evidence to the item at a place of the checklist. */
  const prove = async (place: number): Promise<string> => {
    const { browser, service, release, inRelease } = stage();
    service.clock.pass(1000);
    const item = (await service.ports.stores.checklists.ofRelease(release.id))[place];
    const path = { ...inRelease, item_id: item?.id ?? '' };
    await browser.ok('addEvidence', { path, body: LINK });
    return path.item_id;
  };

  it('are in report, gate, steps, rows, trend, difference and verdict, and follow each change', async () => {
    await demand(1, EVIDENCE);
    const { pipeline, inRelease, service, project } = stage();
    await pointMade(stage(), project.id);
    const from = new Date(service.clock.read()).toISOString();
    const { own_axes: [bare] = [], gate } = await report();
    const count = bare?.facts?.whole ?? 0;
    expect(count).to.be.above(2);
    expect(bare).to.include({ counted_from: 'checklist_evidence', score: 0, title: 'Evidence' });
    expect(bare?.explanation).to.equal(`0 of ${count} checklist items with evidence`);
    expect(gate.reasons.find(({ axis }) => axis === 'evidence')).to.include({ code: 'axis_below_minimum', actual: 0 });
    const least = Math.ceil(count / 2);
    expect(gate.next_steps.find(({ axis }) => axis === 'evidence')).to.include({ action: 'improve', count: least });
    const proven = [await prove(0), await prove(1)];
    const { own_axes: [reading] = [], formula } = await report();
    expect([reading?.facts?.part, reading?.facts?.whole, formula]).to.deep.equal([2, count, '2']);
    expect(reading?.facts?.measured_at).to.equal(new Date(service.clock.read()).toISOString());

    const path = { ...inRelease, axis: 'evidence' };
    const rows = (await pipeline.ok('listAxisRows', { path })).body.data;
    expect(rows.map((row) => 'evidence' in row && row.evidence.length)).to.deep.equal(
      Array.from({ length: count }, (_, place) => (place < 2 ? 1 : 0)),
    );
    const { text, headers } = await pipeline.ok('exportAxisRows', { path });
    expect(headers['content-disposition']).to.equal('attachment; filename="evidence-rows.csv"');
    expect(text)
      .to.match(/^counts,reason,title,/)
      .and.contain(LINK.url);

    await pointMade(stage(), proven[1] ?? '');
    const [point] = (await pipeline.ok('listHistory', { path: inRelease })).body.data.slice(-1);
    expect(point?.own_axes).to.deep.equal([
      { axis: 'evidence', score: reading?.state === 'measured' && reading.score },
    ]);
    const { data } = (await pipeline.ok('readDifference', { path: inRelease, query: { from } })).body;
    expect(data.map(({ kind, what, axes }) => [kind, what, axes])).to.deep.include([
      'checklist_item',
      ['evidence_added'],
      [],
    ]);

    const { verdict } = (await pipeline.ok('readGate', { path: inRelease, query: { signed: true } })).body;
    const { predicate } = JSON.parse(Buffer.from(verdict?.payload ?? '', 'base64').toString('utf8'));
    expect(predicate.policy.own_axes[0]).to.include({ counted_from: 'checklist_evidence' });
    expect(recomputeVerdict(predicate).outcome).to.equal('agrees');
    delete predicate.policy.own_axes[0].counted_from;
    expect(recomputeVerdict(predicate).outcome, 'by an engine that knows no counted axes').to.equal('agrees');
  });

  it('take no reports, one by one or many, and do not count those from before', async () => {
    await demand(1, { name: 'evidence' });
    const { pipeline, inProject, inRelease } = stage();
    const path = { ...inProject, axis: 'evidence' };
    await pipeline.ok('recordAxisReport', { path, body: { part: 1, whole: 1 } });
    expect((await report()).own_axes?.[0]?.facts).to.include({ part: 1, whole: 1 });
    await demand(2, EVIDENCE);
    expect((await report()).own_axes?.[0]?.facts).to.include({ part: 0 });
    const { body } = await pipeline.refused('recordAxisReport', 'invalid', { path, body: { part: 1, whole: 1 } });
    expect(body.errors?.map(({ pointer, code }) => [pointer, code])).to.deep.equal([['axis', 'counted-axis']]);
    const batch = await pipeline.ok('importAxisReports', { path, body: [{ part: 1, whole: 1 }] });
    expect(batch.body.data.map(({ result }) => result)).to.deep.equal(['refused']);
    const reports = (await pipeline.ok('listAxisReports', { path })).body.data;
    expect(reports.map(({ attribution }) => attribution.releases[0]?.reason)).to.deep.equal(['counted_axis']);
    await pipeline.ok('listAxisRows', { path: { ...inRelease, axis: 'evidence' } });
  });

  it('stay counted where a client leaves it out, until it says null', async () => {
    await demand(1, EVIDENCE);
    const { counted_from: _, ...older } = EVIDENCE;
    const kept = await demand(2, { ...older, weight: 5 });
    expect(kept.own_axes?.[0]).to.include({ weight: 5, counted_from: 'checklist_evidence' });
    const { pipeline, inRelease: path, inProject } = stage();
    const policy = { own_axes: [{ ...older, minimum: 0 }] };
    const supposed = (await pipeline.ok('askWhatIf', { path, body: { policy } })).body.data.report;
    expect(supposed.own_axes?.[0]).to.include({ counted_from: 'checklist_evidence', minimum: 0 });
    const preview = async (axis: object) => {
      const rawBody = JSON.stringify({ ...POLICY, own_axes: [axis] });
      const { data } = (await pipeline.ok('previewPolicy', { path: inProject, rawBody })).body;
      return data.releases[0]?.after.score;
    };
    await prove(0);
    const { score } = await report();
    expect(await preview({ ...older, weight: 5 })).to.equal(score);
    expect(await preview({ ...older, weight: 5, counted_from: null })).to.not.equal(score);
    const reported = await demand(3, { ...older, counted_from: null });
    expect(reported.own_axes?.[0]).not.to.have.property('counted_from');
    expect((await report()).own_axes?.[0]).to.include({ state: 'unmeasured', cause: 'no_report' });
  });

  it('are counted anew for a what-if and a preview by a policy that counts them', async () => {
    const { pipeline, inRelease: path } = stage();
    await prove(0);
    const asked = (await pipeline.ok('askWhatIf', { path, body: { policy: { own_axes: [EVIDENCE] } } })).body.data;
    expect(asked.report.own_axes?.[0]?.facts).to.include({ part: 1 });
    expect(asked.report.own_axes?.[0]).to.include({ state: 'measured' });
    await demand(1, EVIDENCE);
    const none = { own_axes: [{ ...EVIDENCE, counted_from: null }] };
    const reported = (await pipeline.ok('askWhatIf', { path, body: { policy: none } })).body.data.report;
    expect(reported.own_axes?.[0]).to.include({ state: 'unmeasured', cause: 'no_report' });
    const facts = { own_axes: [{ axis: 'evidence', part: 3, whole: 3 }] };
    const supposed = (await pipeline.ok('askWhatIf', { path, body: { facts } })).body.data.report;
    expect(supposed.own_axes?.[0]).to.include({ score: 100 });
  });

  it('leave what is set aside as it is, for a what-if that counts them', async () => {
    const { pipeline, browser, inProject, inRelease } = stage();
    const body = { passed: 9, failed: 0, total: 9 };
    const { data: run } = (await pipeline.ok('recordTestRun', { path: inProject, body })).body;
    const path = { ...inProject, test_run_id: run.id };
    await browser.ok('setTestRunAside', { path, body: { reason: 'The runner was broken.' } });
    const policy = { own_axes: [EVIDENCE] };
    const supposed = (await pipeline.ok('askWhatIf', { path: inRelease, body: { policy } })).body.data.report;
    const verification = supposed.axes.find(({ axis }) => axis === 'verification');
    expect(verification).to.include({ state: 'unmeasured', cause: 'test_run_set_aside' });
    expect(supposed.own_axes?.[0]).to.include({ state: 'measured' });
  });

  it('make no point of the trend where nothing of it moved', async () => {
    await demand(1, EVIDENCE);
    const { browser, pipeline, inProject, inRelease, world, ada, project, release, service } = stage();
    const issue = await world.issue(ada, project, { title: 'Old', releaseId: release.id });
    await pointMade(stage(), issue.id);
    const points = async () => (await pipeline.ok('listHistory', { path: inRelease })).body.data.length;
    const before = await points();
    for (const title of ['New', 'Newer']) {
      service.clock.pass(5000);
      await browser.ok('changeIssue', { path: { ...inProject, issue_id: issue.id }, body: { title } });
      await recordHistory(service.ports, { limit: 100, leaseMs: 60_000 });
    }
    expect((await report()).own_axes?.[0]?.facts?.measured_at).to.equal(new Date(service.clock.read()).toISOString());
    expect(await points()).to.equal(before);
    service.clock.pass(5000);
    await pointMade(stage(), await prove(0));
    expect(await points()).to.equal(before + 1);
  });

  it('of a release that shipped stay as they were after a change of the policy, and still list their records', async () => {
    await demand(1, { ...EVIDENCE, minimum: 0 });
    const { browser, pipeline, inRelease } = stage();
    await prove(0);
    const rows = async () =>
      (await pipeline.ok('listAxisRows', { path: { ...inRelease, axis: 'evidence' } })).body.data;
    const listed = await rows();
    expect(listed).not.to.deep.equal([]);
    await browser.ok('shipRelease', { path: inRelease, body: {} });
    const { own_axes: [before] = [] } = await report();
    expect(before).to.include({ state: 'measured', score: 33.33 });
    await demand(2);
    expect((await report()).own_axes?.[0]).to.deep.equal(before);
    expect(await rows()).to.deep.equal(listed);
  });

  it('are counted anew for a release that shipped before they were', async () => {
    const { browser, pipeline, inProject, inRelease } = stage();
    await prove(0);
    await browser.ok('shipRelease', { path: inRelease, body: {} });
    const policy = { own_axes: [EVIDENCE] };
    const { report: supposed } = (await pipeline.ok('askWhatIf', { path: inRelease, body: { policy } })).body.data;
    expect(supposed.own_axes?.[0]?.facts).to.include({ part: 1 });
    const body = { ...POLICY, own_axes: [EVIDENCE] };
    const { data } = (await pipeline.ok('previewPolicy', { path: inProject, body })).body;
    expect(data.releases.map(({ after }) => after.score)).to.deep.equal([supposed.score]);
  });

  it('refuse what does not fit, at its place, and change nothing', async () => {
    const { browser, inProject: path } = stage();
    const pointersOf = async (axis: object) => {
      const rawBody = JSON.stringify({ ...POLICY, own_axes: [axis] });
      const headers = { 'if-match': '"1"' };
      const { body } = await browser.refused('replacePolicy', 'invalid', { path, rawBody, headers });
      return [...new Set((body.errors ?? []).map(({ pointer }) => pointer))];
    };
    for (const counted_from of ['pages', '', 1, {}, ['checklist_evidence']])
      expect(await pointersOf({ ...EVIDENCE, counted_from })).to.deep.equal(['/own_axes/0/counted_from']);
    expect(await pointersOf({ ...EVIDENCE, fresh_for_hours: 2 })).to.deep.equal(['/own_axes/0/fresh_for_hours']);
    expect((await browser.ok('readPolicy', { path })).body.data.version).to.equal(1);
  });
});
