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
    const table = await pipeline.ok('exportAxisRows', { path: { ...inRelease, axis: 'security' } });
    expect(table.headers['content-disposition']).to.equal('attachment; filename="security-rows.csv"');
    const [head, line, ...rest] = table.text.split('\r\n');
    expect(head).to.match(/^counts,reason,measured_at,axis,part,whole,explanation,url,counts_for,recorded_by,/);
    expect(line).to.contain(`"yes",,"${now}","security",48,50,`).and.contain(',"2.4","pipeline",');
    expect(rest).to.deep.equal(['']);
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

  it('are read one by one, and listed by page, release and time', async () => {
    await withAxes();
    const { pipeline, inProject, inRelease, service } = stage();
    const path = { ...inProject, axis: 'security' };
    const sent: string[] = [];
    for (const part of [1, 2, 3]) {
      const { headers, body } = await pipeline.ok('recordAxisReport', { path, body: { ...REPORT, part } });
      expect(headers.location).to.match(new RegExp(`/axes/security/reports/${body.data.id}$`));
      sent.unshift(body.data.id);
      service.clock.pass(60_000);
    }
    const [last = '', , first = ''] = sent;
    const read = async (id: string) =>
      (await pipeline.ok('readAxisReport', { path: { ...path, report_id: id } })).body.data;
    const line = { id: inRelease.release_id, name: '2.4' };
    const { attribution } = await read(last);
    expect(attribution.releases).to.deep.equal([
      { ...line, counts: true, contribution: { score_with: 4, score_without: 2.66 } },
    ]);
    expect((await read(first)).attribution.releases).to.deep.equal([
      { ...line, counts: false, reason: 'superseded_by_newer_report' },
    ]);
    const list = async (query: object) => (await pipeline.ok('listAxisReports', { path, query })).body;
    const page = await list({ limit: 2 });
    expect(page.data.map(({ id }) => id)).to.deep.equal(sent.slice(0, 2));
    const rest = await list({ limit: 2, cursor: page.next_cursor ?? '' });
    expect(rest.data.map(({ id }) => id)).to.deep.equal([first]);
    expect([rest.next_cursor, rest.kept_since]).to.deep.equal([null, null]);
    const from = new Date(service.clock.read() - 120_000).toISOString();
    const ids = async (query: object) => (await list(query)).data.map(({ id }) => id);
    expect(await ids({ measured_from: from })).to.deep.equal(sent.slice(0, 2));
    expect(await ids({ measured_to: from, release_id: inRelease.release_id })).to.deep.equal([first]);
    const table = async (query: object) => (await pipeline.ok('exportAxisReports', { path, query })).text.split('\r\n');
    const [head, line1, line2, end] = await table({ measured_from: from });
    expect(head).to.equal(
      'measured_at,axis,part,whole,explanation,url,counts_for,reason,recorded_by,recorded_at,id,release_id',
    );
    expect([line1, line2, end].map((line) => line?.includes('"2.4",,'))).to.deep.equal([true, false, false]);
    expect(line2).to.contain(',,"superseded_by_newer_report",');
    expect([line1, line2].map((line) => sent.slice(0, 2).findIndex((id) => line?.includes(id)))).to.deep.equal([0, 1]);
    expect(await table({})).to.have.length(5);
    await pipeline.refused('exportAxisReports', 'not-found', { path: { ...inProject, axis: 'performance' } });
    await pipeline.refused('listAxisReports', 'not-found', { path: { ...inProject, axis: 'performance' } });
    await pipeline.refused('readAxisReport', 'not-found', { path: { ...path, axis: 'scope', report_id: first } });
    await pipeline.refused('readAxisReport', 'not-found', { path: { ...path, report_id: inRelease.release_id } });
  });

  it('are answered with what they contribute where that is asked for, also when they are repeated', async () => {
    await withAxes();
    const { pipeline, inProject, inRelease, service, world, ada } = stage();
    const [path, query] = [{ ...inProject, axis: 'security' }, { contribution: true }];
    const keyed = { path, query, body: REPORT, headers: { 'idempotency-key': 'scan-1' } };
    const contributions = ({ body }: { readonly body: { readonly data: { readonly attribution: unknown } } }) =>
      (body.data.attribution as { readonly releases: readonly { readonly contribution?: object }[] }).releases.map(
        ({ contribution }) => contribution,
      );
    const first = await pipeline.ok('recordAxisReport', keyed);
    expect(contributions(first)).to.deep.equal([{ score_with: 64, score_without: 0 }]);
    expect((await pipeline.ok('recordAxisReport', keyed)).text).to.equal(first.text);
    const plain = await pipeline.ok('recordAxisReport', { ...keyed, query: {} });
    expect([plain.headers['idempotent-replayed'], contributions(plain)]).to.deep.equal(['true', [undefined]]);
    service.clock.pass(1000);
    const named = { path: { ...inRelease, axis: 'security' }, query, body: { part: 50, whole: 50 } };
    expect(contributions(await pipeline.ok('recordReleaseAxisReport', named))).to.deep.equal([
      { score_with: 66.66, score_without: 64 },
    ]);
    expect(contributions(await pipeline.ok('recordAxisReport', keyed)), 'superseded by now').to.deep.equal([undefined]);
    const narrow = service.withKey(await world.key(ada, { scopes: ['axes:write'] }));
    expect(contributions(await narrow.ok('recordAxisReport', { path, query, body: REPORT }))).to.deep.equal([
      undefined,
    ]);
  });

  it('make one record of many requests with one key', async () => {
    await withAxes();
    const { pipeline, inProject } = stage();
    const path = { ...inProject, axis: 'security' };
    const request = { path, body: REPORT, headers: { 'idempotency-key': 'scan-2' } };
    const answers = await Promise.all(Array.from({ length: 10 }, () => pipeline.ask('recordAxisReport', request)));
    expect(new Set(answers.map(({ status }) => status))).to.satisfy((all: Set<number>) =>
      [...all].every((status) => status === 201 || status === 409),
    );
    expect(new Set(answers.flatMap(({ status, text }) => (status === 201 ? [text] : []))).size).to.equal(1);
    expect((await pipeline.ok('listAxisReports', { path })).body.data).to.have.lengthOf(1);
  });

  it('come in batches, the good ones stored although others are refused, once for one key', async () => {
    await withAxes();
    const { pipeline, inProject, inRelease } = stage();
    const path = { ...inProject, axis: 'security' };
    const records = [
      { ...REPORT, external_id: 'scan-1', measured_at: '2020-01-01T00:00:00Z' },
      { ...REPORT, extra: 1 },
      { part: 51, whole: 50 },
      { part: 3, whole: 50, release_id: inRelease.release_id },
      { ...REPORT, external_id: 'scan-1', measured_at: '2020-01-01T00:00:00Z', release_id: inRelease.release_id },
      { ...REPORT, release_id: inProject.project_id },
    ];
    const sent = { path, rawBody: JSON.stringify(records), headers: { 'idempotency-key': 'batch-1' } };
    const { body, text } = await pipeline.ok('importAxisReports', sent);
    expect(
      body.data.map((one) =>
        one.result === 'refused' ? (one.problem.errors ?? []).map(({ pointer }) => pointer) : one.result,
      ),
    ).to.deep.equal(['created', ['/extra'], ['/part'], 'created', 'duplicate', ['/release_id']]);
    expect((await pipeline.ok('importAxisReports', sent)).text).to.equal(text);
    const listed = (await pipeline.ok('listAxisReports', { path })).body.data;
    expect(listed.map(({ part }) => part)).to.deep.equal([3, 48]);
    const again = await pipeline.ok('importAxisReports', { path, rawBody: JSON.stringify(records.slice(0, 1)) });
    expect(again.body.data).to.deep.equal([{ ...body.data[0], result: 'duplicate' }]);
    await pipeline.refused('recordAxisReport', 'external-id-conflict', {
      path,
      body: { ...REPORT, part: 1, external_id: 'scan-1' },
    });
    const { status, headers } = await pipeline.ask('recordAxisReport', { path, body: records[0] as typeof REPORT });
    expect([status, headers['idempotent-replayed']]).to.deep.equal([201, undefined]);
    const { data: report } = (await pipeline.ok('readReadiness', { path: inRelease })).body;
    expect(report.own_axes?.[0]).to.include({ score: 6 });
  });

  it('need the scope axes:write', async () => {
    await withAxes();
    const { service, world, ada, inProject } = stage();
    const key = service.withKey(await world.key(ada, { scopes: ['read', 'deployments:write', 'test-runs:write'] }));
    await key.refused('recordAxisReport', 'missing-scope', { path: { ...inProject, axis: 'security' }, body: REPORT });
  });
});
