import { TestRun as TestRunSchema } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { testRunReport, wireTestRun } from '../../src/routes/test-runs.js';
import { expectToFit } from '../harness/contract-check.js';
import { onEveryStore } from '../harness/openings.js';
import { RUN } from '../harness/reports.js';
import { useStage } from '../harness/stage.js';

const MISSING = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';

onEveryStore('recordTestRun', (open) => {
  const stage = useStage(open);

  it('goes to the active release and says so', async () => {
    const { pipeline, inProject, project, release, service } = stage();
    const { status, headers, body } = await pipeline.ok('recordTestRun', { path: inProject, body: RUN });
    expect(status).to.equal(201);
    expect(headers.location).to.equal(`/api/teams/${project.teamId}/projects/${project.id}/test-runs/${body.data.id}`);
    const now = new Date(service.clock.read()).toISOString();
    expect(body.data).to.deep.equal({
      ...RUN,
      id: body.data.id,
      project_id: project.id,
      release_id: release.id,
      skipped: null,
      commit_sha: null,
      url: null,
      duration_seconds: null,
      ran_at: now,
      recorded_at: now,
      recorded_by: 'pipeline',
      set_aside: null,
      attribution: {
        project: { id: project.id, name: 'checkout' },
        releases: [{ id: release.id, name: '2.4', counts: true }],
        axis: 'verification',
      },
    });
  });

  it('is recorded by a person too, with all that can be told', async () => {
    const { browser, inProject, release } = stage();
    const told = {
      release_id: release.id,
      commit_sha: '9fceb02',
      url: 'https://ci.acme.dev/runs/1',
      duration_seconds: 12,
      skipped: 3,
      ran_at: '2026-11-20T11:00:00Z',
    };
    const { data } = (await browser.ok('recordTestRun', { path: inProject, body: { ...RUN, ...told } })).body;
    expect(data).to.include({ ...told, ran_at: '2026-11-20T11:00:00.000Z', recorded_by: 'Ada' });
    expect(data.attribution.releases[0]).to.include({ counts: false, reason: 'superseded_by_newer_run' });
  });

  it('refuses counts that do not fit together, runs of nothing and unknown releases', async () => {
    const { pipeline, inProject } = stage();
    const refusal = async (body: object) => {
      const refused = await pipeline.refused('recordTestRun', 'invalid', {
        path: inProject,
        rawBody: JSON.stringify(body),
      });
      return (refused.body.errors ?? []).map(({ pointer }) => pointer);
    };
    expect(await refusal({ total: 3, passed: 2, failed: 2 })).to.deep.equal(['/total']);
    expect(await refusal({ total: 0, passed: 0, failed: 0 })).to.deep.equal(['/total']);
    expect(await refusal({ ...RUN, release_id: MISSING })).to.deep.equal(['/release_id']);
    expect(await refusal({ ...RUN, ran_at: '2026-11-20T12:05:00.001Z' })).to.deep.equal(['/ran_at']);
    expect(await refusal({ total: 1.5, passed: '1', extra: 1 })).to.have.members([
      '/total',
      '/passed',
      '/failed',
      '/extra',
    ]);
  });

  it('knows its own again by the external id', async () => {
    const { pipeline, inProject } = stage();
    const body = { ...RUN, external_id: 'run-1' };
    const first = await pipeline.ok('recordTestRun', { path: inProject, body });
    const again = await pipeline.ok('recordTestRun', { path: inProject, body });
    expect(again.body.data.id).to.equal(first.body.data.id);
    const other = { ...body, passed: 409, failed: 3 };
    await pipeline.refused('recordTestRun', 'external-id-conflict', { path: inProject, body: other });
  });

  it('refuses without an active release, and for one that is closed', async () => {
    const { pipeline, browser, world, ada, team } = stage();
    const project = await world.project(ada, team, 'basket');
    const path = { team_id: team.id, project_id: project.id };
    const { body } = await pipeline.refused('recordTestRun', 'no-active-release', { path, body: RUN });
    expect(body.status).to.equal(409);
    const release = await world.release(ada, project, '1.0');
    await world.ship(ada, project, release);
    await browser.refused('recordTestRun', 'release-closed', { path, body: { ...RUN, release_id: release.id } });
  });

  it('is the latest by the earlier of when it ran and when it was recorded', async () => {
    const { pipeline, inProject, service } = stage();
    const record = async (sent: object) =>
      (await pipeline.ok('recordTestRun', { path: inProject, body: { ...RUN, ...sent } })).body.data;
    const passed = async () => {
      const { axes } = (await pipeline.ok('readActiveReadiness', { path: inProject })).body.data;
      return axes.find(({ axis }) => axis === 'verification')?.facts;
    };
    const recorded = (at: number) => new Date(at).toISOString();
    const start = service.clock.read();
    const ahead = await record({ total: 10, passed: 10, failed: 0, ran_at: recorded(start + 240_000) });
    expect([ahead.ran_at, ahead.recorded_at]).to.deep.equal([recorded(start), recorded(start)]);
    service.clock.pass(1_000);
    await record({ total: 10, passed: 3, failed: 7 });
    expect(await passed()).to.include({ passed: 3, total: 10, ran_at: recorded(start + 1_000) });
    service.clock.pass(60_000);
    const late = await record({ total: 10, passed: 9, failed: 1, ran_at: recorded(start - 60_000) });
    expect(late.attribution.releases[0]).to.include({ counts: false, reason: 'superseded_by_newer_run' });
    expect(await passed()).to.include({ passed: 3, total: 10 });
  });
});

onEveryStore('listTestRuns', (open) => {
  const stage = useStage(open);

  it('lists the latest run first with whether each counts, filtered by suite, release and time', async () => {
    const { pipeline, inProject, release } = stage();
    const record = async (suite: string, ran_at: string): Promise<string> => {
      const { body } = await pipeline.ok('recordTestRun', { path: inProject, body: { ...RUN, suite, ran_at } });
      return body.data.id;
    };
    const newest = await record('unit', '2026-11-20T11:30:00Z');
    const oldest = await record('\u200bunit ', '2026-11-20T11:10:00Z');
    const middle = await record('end to end', '2026-11-20T11:20:00Z');
    const listed = async (query: object): Promise<readonly string[]> => {
      const { body } = await pipeline.ok('listTestRuns', { path: inProject, query });
      return body.data.map(({ id }) => id);
    };
    expect(await listed({})).to.deep.equal([newest, middle, oldest]);
    expect(await listed({ order: 'asc' })).to.deep.equal([oldest, middle, newest]);
    for (const suite of ['unit', ' un\u200bit\u00a0']) expect(await listed({ suite })).to.deep.equal([newest, oldest]);
    expect(await listed({ release_id: release.id })).to.have.length(3);
    expect(await listed({ release_id: MISSING })).to.deep.equal([]);
    expect(await listed({ ran_from: '2026-11-20T11:10:00Z', ran_to: '2026-11-20T11:20:00Z' })).to.deep.equal([oldest]);
    const { body } = await pipeline.ok('listTestRuns', { path: inProject, query: { limit: 2 } });
    expect(body.data.map(({ attribution }) => attribution.releases[0]?.counts)).to.deep.equal([true, false]);
    const next = await pipeline.ok('listTestRuns', {
      path: inProject,
      query: { limit: 2, cursor: body.next_cursor ?? '' },
    });
    expect(next.body).to.deep.include({ next_cursor: null }).and.have.nested.property('data[0].id', oldest);
  });

  it('are exported as CSV, filtered like the list', async () => {
    const { pipeline, inProject: path } = stage();
    const body = { ...RUN, suite: '+suite of formulas', ran_at: '2026-11-20T11:00:00Z' };
    const { data } = (await pipeline.ok('recordTestRun', { path, body })).body;
    const later = { ...body, ran_at: '2026-11-20T11:01:00Z' };
    await pipeline.ok('recordTestRun', { path, body: later });
    const query = { suite: '+suite of formulas', ran_to: '2026-11-20T11:01:00Z' };
    const { headers, text } = await pipeline.ok('exportTestRuns', { path, query });
    expect(headers['content-disposition']).to.equal('attachment; filename="test-runs.csv"');
    const [head, line, ...rest] = text.split('\r\n');
    expect(head).to.match(/^ran_at,suite,total,passed,failed,skipped,.*,counts_for,reason,set_aside,/);
    expect(line).to.contain(
      `"2026-11-20T11:00:00.000Z","'+suite of formulas",${RUN.total},${RUN.passed},${RUN.failed},`,
    );
    expect(line).to.contain(',,"superseded_by_newer_run",,');
    expect(line).to.contain(`"${data.id}"`);
    expect(rest).to.deep.equal(['']);
    const found = { q: 'FORMULAS +suite', ran_to: query.ran_to };
    expect((await pipeline.ok('exportTestRuns', { path, query: found })).text).to.equal(text);
    expect((await pipeline.ok('listTestRuns', { path, query: { q: 'no such suite' } })).body.data).to.deep.equal([]);
  });

  it('reads one with what it does to the score', async () => {
    const { pipeline, inProject, release } = stage();
    const { data } = (await pipeline.ok('recordTestRun', { path: inProject, body: { total: 4, passed: 1, failed: 3 } }))
      .body;
    const read = await pipeline.ok('readTestRun', { path: { ...inProject, test_run_id: data.id } });
    const [line] = read.body.data.attribution.releases;
    expect(line).to.deep.include({ id: release.id, counts: true });
    expect(line?.contribution).to.deep.equal({ score_with: 12.5, score_without: 49.75 });
    await pipeline.refused('readTestRun', 'not-found', { path: { ...inProject, test_run_id: MISSING } });
  });
});

const ID = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';
const FULL = {
  ...RUN,
  release_id: ID,
  commit_sha: '9fceb02',
  url: 'https://ci.acme.dev/1',
  duration_seconds: 0,
  skipped: 0,
  ran_at: '1970-01-01T00:00:01.000Z',
};

describe('testRunReport', () => {
  it('takes what was sent, and null for what was not', () => {
    expect(testRunReport({ total: 2, passed: 1, failed: 1 })).to.deep.equal({
      releaseId: null,
      suite: null,
      total: 2,
      passed: 1,
      failed: 1,
      skipped: null,
      commitSha: null,
      url: null,
      durationSeconds: null,
      ranAt: null,
      external: null,
    });
  });

  it('takes all that can be sent, zeros included', () => {
    const report = testRunReport({ ...FULL, release_id: ID.toUpperCase(), external_id: 'run-1' });
    expect(report).to.deep.include({ releaseId: ID, suite: 'unit', skipped: 0, durationSeconds: 0, ranAt: 1000 });
    expect(report.external).to.have.property('id', 'run-1');
  });
});

describe('wireTestRun', () => {
  it('shows every field', () => {
    const report = testRunReport(FULL);
    const recording = { id: ID, projectId: ID, releaseId: ID, ranAt: 1000, recordedAt: 2000, recordedBy: 'ci' };
    const setAside = { reason: 'Wrong branch.', by: 'Ada', at: 3000 };
    const attribution = {
      project: { id: ID, name: 'checkout' },
      releases: [{ id: ID, name: '2.4', counts: true, reason: null, contribution: null }],
      axis: 'verification',
      reason: null,
    } as const;
    const wire = wireTestRun({ testRun: { ...report, ...recording, setAside }, attribution });
    expectToFit(TestRunSchema, wire, 'The test run');
    expect(wire).to.deep.equal({
      ...FULL,
      id: ID,
      project_id: ID,
      recorded_at: '1970-01-01T00:00:02.000Z',
      recorded_by: 'ci',
      set_aside: { reason: 'Wrong branch.', by: 'Ada', at: '1970-01-01T00:00:03.000Z' },
      attribution: {
        project: { id: ID, name: 'checkout' },
        releases: [{ id: ID, name: '2.4', counts: true }],
        axis: 'verification',
      },
    });
  });
});
