import { ReleaseAnalysis } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { progressTable, releasesTable, wireAnalysis } from '../../src/routes/analysis.js';
import { expectToFit } from '../harness/contract-check.js';
import { inMemory, inPostgres, inSqlite } from '../harness/openings.js';
import { FINISHED } from '../harness/reports.js';
import { type Stage, useFreshStage } from '../harness/stage.js';
import { NOON } from '../harness/test-clock.js';
import { ANALYSIS, ID } from '../wire/sample-analysis.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const moment = (at: number) => new Date(at).toISOString();

/** A day of work in the active release, one issue of which was there before: one done, one canceled, one failed deployment. */
const work = async ({ world, ada, project, release, pipeline, service, inProject }: Stage) => {
  const releaseId = release.id;
  const { clock } = service;
  clock.pass(HOUR);
  const one = await world.issue(ada, project, { title: 'Refunds', releaseId });
  const two = await world.issue(ada, project, { title: 'Crash', releaseId, type: 'bug' });
  await world.issue(ada, project, { title: 'Freeze', releaseId, type: 'bug' });
  clock.pass(HOUR);
  await pipeline.ok('recordDeployment', { body: { ...FINISHED, status: 'failure' } });
  clock.pass(HOUR);
  await pipeline.ok('recordDeployment', { body: FINISHED });
  clock.pass(DAY);
  // The first session has expired by now.
  const browser = service.signedIn(await world.session(ada.user));
  for (const [{ id }, state] of [
    [one, 'done'],
    [two, 'canceled'],
  ] as const)
    await browser.ok('changeIssue', { path: { ...inProject, issue_id: id }, body: { state } });
};

for (const [where, open] of [
  ['in memory', inMemory],
  ['on SQLite', inSqlite],
  ['on PostgreSQL', inPostgres],
] as const)
  describe(`readAnalysis, ${where}`, () => {
    const stage = useFreshStage(open);

    it('tells progress, scope change and lead, and agrees with the readiness report', async () => {
      await work(stage());
      const { pipeline, inRelease, release } = stage();
      const { data } = (await pipeline.ok('readAnalysis', { path: inRelease })).body;
      expect(data).to.include({ as_of: moment(NOON + 3 * HOUR + DAY), step: 'day' });
      expect(data.points.map(({ from, done, total, open_bugs }) => [from, done, total, open_bugs])).to.deep.equal([
        [moment(NOON), 0, 3, 2],
        [moment(NOON + DAY / 2), 1, 2, 1],
      ]);
      expect(data.points[1]).to.include({ added: 0, canceled: 1, completed: 1 });
      expect(data.release).to.deep.include({
        id: release.id,
        duration_seconds: null,
        bugs: { open: 1, total: 1 },
        deployments: { succeeded: 1, failed: 1 },
      });
      expect(data.release.scope).to.deep.equal({
        before_start: { added: 0, removed: 0, canceled: 0, net: 0 },
        after_start: { added: 3, removed: 0, canceled: 1, net: 2 },
        change_rate: null,
      });
      expect(data.release.lead).to.deep.equal({
        first_deployment_at: moment(NOON + 2 * HOUR),
        first_success_at: moment(NOON + 3 * HOUR),
        to_first_success_seconds: 3600,
        to_shipping_seconds: null,
      });
      const { axes } = (await pipeline.ok('readReadiness', { path: inRelease })).body.data;
      expect(axes[0]).to.deep.include({ axis: 'scope', facts: data.release.issues });
    });

    it('shows a shipped release as it shipped, and the next one beside it', async () => {
      await work(stage());
      const { pipeline, world, ada, project, release, service, inProject, inRelease } = stage();
      const shippedAt = service.clock.pass(1_000);
      await world.ship(ada, project, release);
      service.clock.pass(DAY);
      const next = await world.release(ada, project, '2.5');
      const { data } = (await pipeline.ok('readAnalysis', { path: inRelease })).body;
      expect([data.as_of, data.release.shipped_at]).to.deep.equal([moment(shippedAt), moment(shippedAt)]);
      expect(data.release).to.include({ duration_seconds: (shippedAt - NOON) / 1000 });
      expect(data.release.lead.to_shipping_seconds).to.equal((shippedAt - NOON) / 1000 - 7200);
      const path = { ...inProject, release_id: next.id };
      const after = (await pipeline.ok('readAnalysis', { path })).body.data;
      expect(after.earlier).to.deep.equal([data.release]);
      expect(after.points).to.have.lengthOf(1);
    });
  });

describe('readAnalysis', () => {
  const stage = useFreshStage();

  it('shows nothing of an empty release without a window', async () => {
    const { pipeline, world, ada, project, inProject } = stage();
    const { id } = await world.release(ada, project, '3.0', { state: 'planned' });
    const { data } = (await pipeline.ok('readAnalysis', { path: { ...inProject, release_id: id } })).body;
    expect(data.points).to.have.lengthOf(1);
    expect(data.release.scope).to.deep.include({ after_start: null, change_rate: null });
    expect(data.release).to.deep.include({ starts_at: null, issues: { done: 0, total: 0 } });
    expect(data.release.lead.first_deployment_at).to.equal(null);
  });

  it('answers the part and the step that are asked for', async () => {
    await work(stage());
    const { pipeline, inRelease: path } = stage();
    const [from, to] = [moment(NOON + HOUR), moment(NOON + 2 * HOUR)];
    const asked = (query: { from?: string; to?: string; step?: 'day' | 'week' | 'change' }) =>
      pipeline.ok('readAnalysis', { path, query });
    expect((await asked({ from, to })).body.data.points.map((point) => [point.from, point.at])).to.deep.equal([
      [from, to],
    ]);
    const changes = (await asked({ step: 'change' })).body.data.points;
    expect(changes.map(({ at, total }) => [at, total])).to.deep.equal([
      [from, 3],
      [moment(NOON + 3 * HOUR + DAY), 2],
    ]);
    expect((await asked({ step: 'week' })).body.data.points.map(({ completed }) => completed)).to.deep.equal([1]);
  });

  it('refuses a beginning after its end, and what is no step', async () => {
    const { pipeline, inRelease: path } = stage();
    const refused = async (rawQuery: string) =>
      (await pipeline.refused('readAnalysis', 'invalid', { path, rawQuery })).body.errors?.map(
        ({ pointer }) => pointer,
      );
    expect(await refused(`from=${moment(NOON + 1)}`)).to.deep.equal(['from']);
    expect(await refused(`from=${moment(NOON)}&to=${moment(NOON - 1)}`)).to.deep.equal(['from']);
    expect(await refused('step=month')).to.deep.equal(['step']);
    expect(await refused('to=yesterday')).to.include('to');
  });
});

describe('exportAnalysis', () => {
  const stage = useFreshStage();

  it('answers both tables as CSV, harmless to a spreadsheet', async () => {
    await work(stage());
    const { pipeline, world, ada, project, release, service, inProject } = stage();
    service.clock.pass(1);
    await world.ship(ada, project, release);
    service.clock.pass(1);
    const { id } = await world.release(ada, project, '=cmd|"/c calc"!A1');
    const path = { ...inProject, release_id: id };
    const progress = await pipeline.ok('exportAnalysis', { path });
    expect(progress.headers['content-type']).to.equal('text/csv; charset=utf-8');
    expect(progress.headers['content-disposition']).to.equal('attachment; filename="=cmd___c calc_!A1-progress.csv"');
    const [header, line] = progress.text.split('\r\n');
    expect(header).to.match(/^release,from,at,done,total,/);
    expect(line).to.match(/^"'=cmd\|""\/c calc""!A1","2026-11-21T15:00:00\.002Z",/);
    const releases = await pipeline.ok('exportAnalysis', { path, query: { table: 'releases' } });
    expect(releases.headers['content-disposition']).to.match(/-releases\.csv"$/);
    expect(releases.text.split('\r\n').map((text) => text.split(',')[0])).to.deep.equal([
      'release',
      `"'=cmd|""/c calc""!A1"`,
      '"2.4"',
      '',
    ]);
  });
});

describe('wireAnalysis', () => {
  const wire = wireAnalysis(ANALYSIS);

  it('fits the contract', () => {
    expectToFit(ReleaseAnalysis, wire, 'The analysis');
  });

  it('shows the progress point by point', () => {
    expect(wire).to.include({ as_of: '2026-11-20T16:00:00.000Z', step: 'change' });
    const levels = { bugs: 2, open_bugs: 1, done: 1, total: 2 };
    expect(wire.points[1]).to.deep.equal({
      from: '2026-11-20T13:00:00.000Z',
      at: '2026-11-20T13:00:00.000Z',
      ...levels,
      ...{ added: 1, removed: 0, canceled: 0, completed: 1 },
    });
  });

  it('shows the release in seconds and rates', () => {
    expect(wire.release).to.deep.equal({
      id: ID,
      name: '=2.4',
      starts_at: '2026-11-20T12:00:00.000Z',
      shipped_at: '2026-11-20T16:00:00.000Z',
      duration_seconds: 14_400,
      issues: { done: 1, total: 2 },
      bugs: { open: 1, total: 2 },
      scope: {
        before_start: { added: 1, removed: 0, canceled: 0, net: 1 },
        after_start: { added: 1, removed: 0, canceled: 0, net: 1 },
        change_rate: 1,
      },
      deployments: { succeeded: 2, failed: 1 },
      lead: {
        first_deployment_at: '2026-11-20T14:00:00.000Z',
        first_success_at: '2026-11-20T15:00:00.000Z',
        to_first_success_seconds: 3600,
        to_shipping_seconds: 7200,
      },
    });
    expect(wire.earlier.map(({ duration_seconds, scope }) => [duration_seconds, scope.after_start])).to.deep.equal([
      [null, null],
    ]);
  });
});

describe('the tables of an analysis', () => {
  it('of the progress have a line per point', () => {
    expect(progressTable(ANALYSIS).split('\r\n')).to.deep.equal([
      'release,from,at,done,total,bugs,open_bugs,added,removed,canceled,completed',
      `"'=2.4","2026-11-20T11:00:00.000Z","2026-11-20T11:00:00.000Z",0,1,1,1,1,0,0,0`,
      `"'=2.4","2026-11-20T13:00:00.000Z","2026-11-20T13:00:00.000Z",1,2,2,1,1,0,0,1`,
      '',
    ]);
  });

  it('of the releases have a line for each, empty where nothing is known', () => {
    const [header = '', release, earlier, end] = releasesTable(ANALYSIS).split('\r\n');
    expect(header.split(',')).to.have.lengthOf(17).and.include.members(['release', 'to_shipping_seconds']);
    expect(release).to.equal(
      `"'=2.4","2026-11-20T12:00:00.000Z","2026-11-20T16:00:00.000Z",14400,1,2,1,2,1,0,0,1,2,1,"2026-11-20T14:00:00.000Z",3600,7200`,
    );
    expect(earlier).to.equal('"2.3, the ""big"" one",,"2026-11-20T12:00:00.000Z",,0,0,0,0,,,,,0,0,,,');
    expect(end).to.equal('');
  });
});
