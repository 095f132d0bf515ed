import { AxisRow } from '@shipworthy/client/contract';
import type { ChecklistItem, Issue } from '@shipworthy/domain';
import { DEFAULT_POLICY, type Policy } from '@shipworthy/domain/readiness';
import { changePolicy, editChecklistItem } from '@shipworthy/domain/use-cases';
import { expect } from 'chai';
import { wireChecklistRow, wireIssueRow } from '../../src/routes/axis-rows.js';
import { wireChecklistItem } from '../../src/routes/checklists.js';
import { wireIssue } from '../../src/routes/issues.js';
import { expectToFit } from '../harness/contract-check.js';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN, STARTED } from '../harness/reports.js';
import { useFreshStage } from '../harness/stage.js';
import { ID } from '../wire/judged-release.js';

type Axis = 'scope' | 'quality' | 'ops' | 'verification' | 'stability';

onEveryStore('listAxisRows', (open) => {
  const stage = useFreshStage(open);

  const rows = async (axis: Axis, query: object = {}) => {
    const { pipeline, inRelease } = stage();
    return (await pipeline.ok('listAxisRows', { path: { ...inRelease, axis }, query })).body;
  };
  const counting = async (axis: Axis) =>
    (await rows(axis)).data.map(({ counts, reason }) => (counts ? 'counts' : reason));
  const usePolicy = async (policy: Partial<Policy>): Promise<void> => {
    const { service, world, ada, project } = stage();
    const at = { by: await world.actor(ada), teamId: project.teamId, projectId: project.id };
    await changePolicy(service.ports, { ...at, policy: { ...DEFAULT_POLICY, ...policy }, version: 1 });
  };

  it('lists the issues of the release under scope, its bugs under quality, open ones first', async () => {
    const { world, ada, project, release, service } = stage();
    const made = async (title: string, fields: object): Promise<void> => {
      service.clock.pass(10);
      await world.issue(ada, project, { title, releaseId: release.id, ...fields });
    };
    await made('old bug', { type: 'bug', severity: 'critical' });
    await made('dropped', { state: 'canceled' });
    await made('fixed', { type: 'bug', state: 'done' });
    await made('new', {});
    await world.issue(ada, project, { title: 'elsewhere', releaseId: null });
    const scope = await rows('scope');
    expect(scope.data.map((row) => ('title' in row ? row.title : ''))).to.deep.equal([
      'new',
      'old bug',
      'fixed',
      'dropped',
    ]);
    expect(await counting('scope')).to.deep.equal(['counts', 'counts', 'counts', 'canceled']);
    const quality = await rows('quality');
    expect(quality.data.map((row) => ('title' in row ? row.title : ''))).to.deep.equal(['old bug', 'fixed']);
    expect(quality.data[0]).to.include({ severity: 'critical', type: 'bug', version: 1, counts: true });
  });

  it('lists the checklist in its order, page by page', async () => {
    const { service, world, ada, project, release } = stage();
    const [, flag] = await service.ports.stores.checklists.ofRelease(release.id);
    const at = { by: await world.actor(ada), teamId: project.teamId, projectId: project.id, releaseId: release.id };
    const edit = { state: 'not_applicable', reason: 'Texts only' } as const;
    await editChecklistItem(service.ports, { ...at, itemId: flag?.id ?? '', edit, version: null });
    const first = await rows('ops', { limit: 2 });
    expect(first.data.map((row) => ('key' in row ? row.key : ''))).to.deep.equal(['docs', 'feature_flag']);
    expect(first.data[1]).to.include({ counts: false, reason: 'not_applicable' });
    const second = await rows('ops', { limit: 2, cursor: first.next_cursor });
    expect(second.data.map((row) => ('key' in row ? row.key : ''))).to.deep.equal(['rollback']);
    expect(second.next_cursor).to.equal(null);
  });

  it('lists the deployments of the window with commit, environment, status and time', async () => {
    const { pipeline, service } = stage();
    for (const body of [
      { ...FINISHED, started_at: '2026-01-01T00:00:00Z' },
      { ...FINISHED, environment: 'staging' },
      STARTED,
      FINISHED,
    ]) {
      service.clock.pass(10);
      await pipeline.ok('recordDeployment', { body });
    }
    expect(await counting('stability')).to.deep.equal(['counts', 'still_in_progress', 'counts']);
    const [newest] = (await rows('stability')).data;
    expect(newest).to.include({ commit_sha: FINISHED.commit_sha, environment: 'production', status: 'success' });
    await usePolicy({ environments: ['production'] });
    expect(await counting('stability')).to.deep.equal(['counts', 'still_in_progress', 'environment_not_counted']);
  });

  it('lists the test runs, one of which counts, or one of each suite, unless it is too old', async () => {
    const { pipeline, inProject, service } = stage();
    for (const suite of ['unit', 'unit', 'end to end']) {
      service.clock.pass(1000);
      await pipeline.ok('recordTestRun', { path: inProject, body: { ...RUN, suite } });
    }
    const superseded = 'superseded_by_newer_run';
    expect(await counting('verification')).to.deep.equal(['counts', superseded, superseded]);
    await usePolicy({ verification: 'latest_per_suite', freshnessHours: 1 });
    expect(await counting('verification')).to.deep.equal(['counts', 'counts', superseded]);
    service.clock.pass(3_600_000);
    expect(await counting('verification')).to.deep.equal(['counts', 'stale_test_run', superseded]);
  });

  it('agrees with the frozen reading of a shipped release at any later moment and under any later policy', async () => {
    const { browser, pipeline, inProject, inRelease, service, world, ada, project } = stage();
    const own = { name: 'security', freshForHours: 24 };
    await usePolicy({
      freshnessHours: 24,
      environments: ['production'],
      verification: 'latest_per_suite',
      ownAxes: [own],
    });
    for (const suite of ['unit', 'end to end']) {
      service.clock.pass(1000);
      await pipeline.ok('recordTestRun', { path: inProject, body: { ...RUN, suite } });
    }
    for (const environment of ['staging', 'production'])
      await pipeline.ok('recordDeployment', { body: { ...FINISHED, environment } });
    await pipeline.ok('recordAxisReport', { path: { ...inProject, axis: 'security' }, body: { part: 9, whole: 10 } });
    const ofAxis = async (axis: string) => {
      const { data } = (await pipeline.ok('listAxisRows', { path: { ...inRelease, axis }, query: {} })).body;
      return data.map(({ counts, reason }) => (counts ? 'counts' : reason)).toSorted();
    };
    const all = async () => [await ofAxis('verification'), await ofAxis('stability'), await ofAxis('security')];
    const shown = [['counts', 'counts'], ['counts', 'environment_not_counted'], ['counts']];
    expect(await all()).to.deep.equal(shown);
    service.clock.pass(1000);
    await browser.ok('shipRelease', { path: inRelease });
    service.clock.pass(25 * 3_600_000);
    expect(await all()).to.deep.equal(shown);
    const at = { by: await world.actor(ada), teamId: project.teamId, projectId: project.id };
    const policy = {
      ...DEFAULT_POLICY,
      freshnessHours: 1,
      environments: ['staging'],
      verification: 'latest_run',
    } as const;
    await changePolicy(service.ports, { ...at, policy, version: 2 });
    expect(await all()).to.deep.equal(shown);
    const stability = (await rows('stability')).data;
    for (const row of stability)
      if ('environment' in row) expect(row.attribution.releases[0]?.counts).to.equal(row.environment === 'production');
  });

  it('pages through what is many and knows no other axis', async () => {
    const { pipeline, inRelease } = stage();
    const reports = Array.from({ length: 7 }, () => FINISHED);
    await pipeline.ok('importDeployments', { rawBody: JSON.stringify(reports) });
    const seen = new Set<string>();
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof rows>> = await rows('stability', {
        limit: 3,
        ...(cursor === null ? {} : { cursor }),
      });
      for (const { id } of page.data) seen.add(id);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen.size).to.equal(7);
    const { next_cursor } = await rows('stability', { limit: 3 });
    const elsewhere = { path: { ...inRelease, axis: 'scope' as const }, query: { cursor: next_cursor ?? '' } };
    await pipeline.refused('listAxisRows', 'invalid', elsewhere);
    const path = { ...inRelease, axis: 'speed' as 'scope' };
    await pipeline.refused('listAxisRows', 'not-found', { path });
  });

  /** The table of an axis as its name, its head and its lines. */
  const tableOf = async (axis: string) => {
    const { pipeline, inRelease } = stage();
    const { headers, text } = await pipeline.ok('exportAxisRows', { path: { ...inRelease, axis } });
    const [head, ...lines] = text.trimEnd().split('\r\n');
    return { file: headers['content-disposition'], head, lines };
  };

  it('is exported as CSV: whether each record counts, and the columns of its own list', async () => {
    const { ada, pipeline, project, release, service, world, inProject } = stage();
    await world.issue(ada, project, { title: '=Refund', type: 'bug', releaseId: release.id });
    service.clock.pass(10);
    await world.issue(ada, project, { title: 'dropped', state: 'canceled', releaseId: release.id });
    await world.issue(ada, project, { title: 'elsewhere', releaseId: null });
    const scope = await tableOf('scope');
    expect(scope.file).to.equal('attachment; filename="scope-rows.csv"');
    expect(scope.head).to.equal('counts,reason,title,type,state,severity,url,created_at,updated_at,external_id,id');
    expect(scope.lines).to.have.length(2);
    expect(scope.lines[0]).to.match(/^"yes",,"'=Refund","bug","todo",/);
    expect(scope.lines[1]).to.match(/^"no","canceled","dropped","feature","canceled",/);
    const quality = await tableOf('quality');
    expect([quality.file, quality.head]).to.deep.equal(['attachment; filename="quality-rows.csv"', scope.head]);
    expect(quality.lines).to.deep.equal(scope.lines.slice(0, 1));
    await pipeline.ok('recordDeployment', { body: { ...STARTED, version: '=2.4' } });
    await pipeline.ok('recordTestRun', { path: inProject, body: RUN });
    const ofList = async (id: 'exportDeployments' | 'exportTestRuns') =>
      (await pipeline.ok(id, { path: inProject })).text.split('\r\n')[0]?.replace('reason,', '');
    const stability = await tableOf('stability');
    expect(stability.head).to.equal(`counts,reason,${await ofList('exportDeployments')}`);
    expect(stability.lines).to.have.length(1);
    expect(stability.lines[0])
      .to.match(/^"no","still_in_progress",/)
      .and.contain(`,"'=2.4",`);
    const verification = await tableOf('verification');
    expect(verification.head).to.equal(`counts,reason,${await ofList('exportTestRuns')}`);
    expect(verification.lines).to.have.length(1);
    expect(verification.lines[0]).to.match(/^"yes",,"[^"]+","unit",412,410,2,/);
  });

  it('is exported with the checklist in its order, and the reason of a mark beside that of the count', async () => {
    const { browser, inRelease } = stage();
    const [, flag] = (await browser.ok('listChecklist', { path: inRelease })).body.data;
    const path = { ...inRelease, item_id: flag?.id ?? '' };
    await browser.ok('changeChecklistItem', { path, body: { state: 'not_applicable', reason: 'Texts only' } });
    await browser.ok('addEvidence', { path, body: { url: 'https://docs.acme.dev', label: 'Notes' } });
    const { file, head, lines } = await tableOf('ops');
    expect(file).to.equal('attachment; filename="ops-rows.csv"');
    expect(head).to.equal(
      'counts,reason,title,key,origin,state,mark_reason,marked_by,marked_at,confirmed_by,confirmed_at,evidence,updated_by,updated_at,id',
    );
    expect(lines.map((line) => line.split(',')[3])).to.deep.equal(['"docs"', '"feature_flag"', '"rollback"']);
    expect(lines[0]).to.match(/^"yes",,"Docs","docs","template","open",,,,,,,/);
    expect(lines[1]).to.match(
      /^"no","not_applicable","Feature flag","feature_flag","template","not_applicable","Texts only","Ada","[^"]+","Ada","[^"]+","https:\/\/docs\.acme\.dev","Ada",/,
    );
  });

  it('is exported with all rows of many, in the order of the list, and under no unknown axis', async () => {
    const { pipeline, inRelease } = stage();
    const reports = Array.from({ length: 450 }, (_, nth) => ({ ...FINISHED, environment: `e${nth}` }));
    await pipeline.ok('importDeployments', { rawBody: JSON.stringify(reports) });
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof rows>> = await rows('stability', {
        limit: 200,
        ...(cursor === null ? {} : { cursor }),
      });
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    const { lines } = await tableOf('stability');
    expect(ids).to.have.length(450);
    expect(lines.map((line) => line.split(',').at(-1))).to.deep.equal(ids.map((id) => `"${id}"`));
    await pipeline.refused('exportAxisRows', 'not-found', { path: { ...inRelease, axis: 'speed' } });
  });

  it('has no deployments under a release without a window', async () => {
    const { pipeline, world, ada, project, inProject } = stage();
    await pipeline.ok('recordDeployment', { body: FINISHED });
    const planned = await world.release(ada, project, '3.0', { state: 'planned' });
    const path = { ...inProject, release_id: planned.id, axis: 'stability' as const };
    const { body } = await pipeline.ok('listAxisRows', { path });
    expect(body).to.deep.equal({ data: [], next_cursor: null });
  });
});

const ISSUE: Issue = {
  id: ID,
  projectId: ID,
  releaseId: null,
  title: 'Refunds',
  type: 'bug',
  state: 'canceled',
  severity: null,
  url: null,
  externalId: null,
  version: 3,
  createdAt: 1000,
  updatedAt: 2000,
};
const ITEM: ChecklistItem = {
  id: ID,
  releaseId: ID,
  key: 'docs',
  title: 'Docs',
  origin: 'template',
  state: 'done',
  mark: null,
  position: 0,
  evidence: [{ id: ID, url: 'https://docs.acme.dev', label: 'Notes', addedBy: 'Ada', addedAt: 1000 }],
  version: 2,
  updatedAt: 2000,
  updatedBy: 'Ada',
  removal: null,
};

describe('rows under an axis', () => {
  it('are the record itself and why it does not count', () => {
    const wire = wireIssueRow(ISSUE, { counts: false, reason: 'canceled' });
    expectToFit(AxisRow, wire, 'The row');
    expect(wire).to.deep.equal({ ...wireIssue(ISSUE), counts: false, reason: 'canceled' });
    expect(wireIssue(ISSUE)).to.deep.equal({
      id: ID,
      project_id: ID,
      release_id: null,
      title: 'Refunds',
      type: 'bug',
      state: 'canceled',
      severity: null,
      url: null,
      external_id: null,
      version: 3,
      created_at: '1970-01-01T00:00:01.000Z',
      updated_at: '1970-01-01T00:00:02.000Z',
    });
  });

  it('have no reason where they count', () => {
    const wire = wireChecklistRow(ITEM, { counts: true, reason: null });
    expectToFit(AxisRow, wire, 'The row');
    const { reason, ...item } = wireChecklistItem(ITEM);
    expect(reason).to.equal(null);
    expect(wire).to.deep.equal({ ...item, mark_reason: null, counts: true });
    expect(item).to.deep.equal({
      id: ID,
      key: 'docs',
      title: 'Docs',
      origin: 'template',
      state: 'done',
      marked_by: null,
      marked_at: null,
      confirmed_by: null,
      confirmed_at: null,
      evidence: [
        {
          id: ID,
          url: 'https://docs.acme.dev',
          label: 'Notes',
          added_by: 'Ada',
          added_at: '1970-01-01T00:00:01.000Z',
        },
      ],
      version: 2,
      updated_at: '1970-01-01T00:00:02.000Z',
      updated_by: 'Ada',
    });
  });

  it('tell the reason of a mark from why the item counts as it does', () => {
    const mark = { reason: 'Texts only', markedBy: 'Eve', markedAt: 1000, confirmedBy: null, confirmedAt: null };
    const item = { ...ITEM, state: 'not_applicable', mark } as const;
    const wire = wireChecklistRow(item, { counts: true, reason: 'awaiting_confirmation' });
    expectToFit(AxisRow, wire, 'The row');
    expect(wire).to.include({
      mark_reason: 'Texts only',
      marked_by: 'Eve',
      counts: true,
      reason: 'awaiting_confirmation',
    });
  });
});
