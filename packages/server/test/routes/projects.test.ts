import { type Operations, PortfolioEntry, type QueryOf } from '@shipworthy/client/contract';
import type { Team } from '@shipworthy/domain';
import { expect } from 'chai';
import { wirePortfolioEntry } from '../../src/routes/projects.js';
import { expectToFit } from '../harness/contract-check.js';
import { onEveryDatabase, onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN } from '../harness/reports.js';
import { type Stage, useFreshStage } from '../harness/stage.js';
import { FACTS, ID, judged } from '../wire/judged-release.js';

onEveryStore('projects', (open) => {
  const stage = useFreshStage(open);
  const inTeam = () => ({ team_id: stage().team.id });

  it('are created, found at their place and listed by name', async () => {
    const { browser, pipeline, team, project, release, service } = stage();
    const answer = await browser.ok('createProject', { path: inTeam(), body: { name: 'Billing Portal' } });
    const { data } = answer.body;
    expect(data).to.deep.equal({
      id: data.id,
      team_id: team.id,
      name: 'Billing Portal',
      slug: 'billing-portal',
      active_release: null,
      version: 1,
      created_at: new Date(service.clock.read()).toISOString(),
      archived_at: null,
    });
    expect(answer.headers.location).to.equal(`/api/teams/${team.id}/projects/${data.id}`);
    const path = { ...inTeam(), project_id: data.id };
    expect((await pipeline.ok('readProject', { path })).body.data).to.deep.equal({ ...data, repository: null });
    const listed = (await pipeline.ok('listProjects', { path: inTeam() })).body.data;
    expect(listed.map(({ name }) => name)).to.deep.equal(['Billing Portal', 'checkout']);
    expect(listed[1]).to.deep.include({ id: project.id, active_release: { id: release.id, name: '2.4' } });
    const read = (await pipeline.ok('readProject', { path: stage().inProject })).body.data;
    expect(read).to.deep.equal({ ...listed[1], repository: null });
  });

  it('are exported as CSV, archived ones included, as far as they are in sight', async () => {
    const { browser, pipeline, project, release, service, world, ada } = stage();
    const { data } = (await browser.ok('createProject', { path: inTeam(), body: { name: '=Billing' } })).body;
    await browser.ok('archiveProject', { path: { ...inTeam(), project_id: data.id } });
    const { headers, text } = await pipeline.ok('exportProjects', { path: inTeam() });
    expect(headers['content-disposition']).to.equal('attachment; filename="projects.csv"');
    const at = new Date(service.clock.read()).toISOString();
    expect(text.split('\r\n')).to.deep.equal([
      'name,slug,active_release,created_at,archived_at,id,active_release_id',
      `"'=Billing","${data.slug}",,"${data.created_at}","${at}","${data.id}",`,
      `"checkout","checkout","2.4","${new Date(project.createdAt).toISOString()}",,"${project.id}","${release.id}"`,
      '',
    ]);
    const ofOne = service.withKey(await world.key(ada, { projectId: project.id }));
    const lines = (await ofOne.ok('exportProjects', { path: inTeam() })).text.split('\r\n');
    expect(lines).to.have.length(3);
    expect(lines[1]).to.contain(project.id);
    await service.signedIn(await world.person('Bob')).refused('exportProjects', 'not-found', { path: inTeam() });
  });

  it('have names of their own within the team, case counting', async () => {
    const { browser, world } = stage();
    const { status } = await browser.refused('createProject', 'name-taken', {
      path: inTeam(),
      body: { name: 'checkout' },
    });
    expect(status).to.equal(409);
    await browser.ok('createProject', { path: inTeam(), body: { name: 'Checkout' } });
    const bob = await world.person('Bob');
    await world.project(bob, await world.team(bob, 'Elsewhere'), 'checkout');
    await browser.refused('renameProject', 'name-taken', { path: stage().inProject, body: { name: 'Checkout' } });
  });

  it('take reports under the new name only once renamed, and say so', async () => {
    const { browser, pipeline, inProject, release } = stage();
    const recorded = (await pipeline.ok('recordDeployment', { body: FINISHED })).body.data;
    const { data } = (await browser.ok('renameProject', { path: inProject, body: { name: 'till' } })).body;
    expect(data).to.deep.include({
      name: 'till',
      slug: 'checkout',
      version: 2,
      active_release: { id: release.id, name: '2.4' },
    });
    const { body } = await pipeline.refused('recordDeployment', 'unknown-app-name', { body: FINISHED });
    expect(body.renamed_to).to.equal('till');
    await pipeline.ok('recordDeployment', { body: { ...FINISHED, app_name: 'till' } });
    const path = { deployment_id: recorded.id };
    expect((await pipeline.ok('readDeployment', { path })).body.data.project_id).to.equal(data.id);
  });

  it('are not renamed over an unseen change', async () => {
    const { browser, inProject } = stage();
    const named = (name: string) => ({ path: inProject, body: { name }, headers: { 'if-match': '"1"' } });
    const { data } = (await browser.ok('renameProject', named('till'))).body;
    const { status, body } = await browser.refused('renameProject', 'version-mismatch', named('desk'));
    expect([status, body.current]).to.deep.equal([412, data]);
  });

  it('of a team are out of sight in another of the same person', async () => {
    const { browser, world, ada, project } = stage();
    const platform = await world.team(ada, 'Platform');
    await browser.ok('createTeam', { body: { name: 'Third' } });
    await browser.refused('readProject', 'not-found', { path: { team_id: platform.id, project_id: project.id } });
  });
});

onEveryStore('readPortfolio', (open) => {
  const stage = useFreshStage(open);

  it('shows every project in sight by team and name, and what its active release is worth', async () => {
    const { pipeline, world, ada, team, project, release, inProject, inRelease, service } = stage();
    await world.project(ada, team, 'basket');
    const first = await world.team(ada, 'Accounts');
    await world.project(ada, first, 'ledger');
    const eve = await world.person('Eve');
    await world.project(eve, await world.team(eve, 'Elsewhere'), 'hidden');
    service.clock.pass(2000);
    await pipeline.ok('recordDeployment', { body: FINISHED });
    service.clock.pass(1000);
    await pipeline.ok('recordTestRun', { path: inProject, body: RUN });
    const { data } = (await pipeline.ok('readPortfolio')).body;
    expect(data.map((entry) => [entry.team.name, entry.project.name])).to.deep.equal([
      ['Accounts', 'ledger'],
      ['Payments', 'basket'],
      ['Payments', 'checkout'],
    ]);
    expect(data[0]).to.deep.include({ readiness: null, last_deployment_at: null, last_test_run_at: null });
    const [, , entry] = data;
    expect(entry?.team).to.deep.equal({ id: team.id, name: 'Payments', slug: 'payments', demo: false });
    expect(entry?.project).to.deep.equal({ id: project.id, name: 'checkout', slug: 'checkout' });
    expect(entry).to.include({
      last_deployment_at: new Date(service.clock.read() - 1000).toISOString(),
      last_test_run_at: new Date(service.clock.read()).toISOString(),
    });
    const report = (await pipeline.ok('readReadiness', { path: inRelease })).body.data;
    const readiness = entry?.readiness;
    expect(readiness).to.deep.include({
      release: { id: release.id, name: '2.4' },
      as_of: report.as_of,
      score: report.score,
      coverage: report.coverage,
      decision: report.gate.decision,
      reason: report.gate.reasons[0],
    });
  });

  it('shows every change at once, although it keeps what did not change', async () => {
    const { pipeline, inProject, inRelease } = stage();
    const entryNow = async () =>
      (await pipeline.ok('readPortfolio')).body.data.find(({ readiness }) => readiness)?.readiness;
    const before = await entryNow();
    expect(await entryNow()).to.deep.equal(before);
    await pipeline.ok('recordTestRun', { path: inProject, body: RUN });
    const report = (await pipeline.ok('readReadiness', { path: inRelease })).body.data;
    const after = await entryNow();
    expect(after).to.deep.include({ score: report.score, coverage: report.coverage, decision: report.gate.decision });
    expect(after?.coverage).to.be.above(before?.coverage ?? 1);
  });

  it('leaves out what is archived, whose reports count and whose gate answers as before', async () => {
    const { browser, pipeline, team, project, inProject, inRelease } = stage();
    const inTeam = { team_id: team.id };
    const shown = async () => (await pipeline.ok('readPortfolio')).body.data.map((entry) => entry.project.id);
    const { gate } = (await pipeline.ok('readReadiness', { path: inRelease })).body.data;
    for (const [archive, restore, path] of [
      ['archiveProject', 'restoreProject', inProject],
      ['archiveTeam', 'restoreTeam', inTeam],
    ] as const) {
      const { body } = await browser.ok(archive, { path: { ...inProject, ...path } });
      expect(body.data.archived_at).to.be.a('string');
      expect(await shown()).to.deep.equal([]);
      expect((await pipeline.ok('readReadiness', { path: inRelease })).body.data.gate).to.deep.equal(gate);
      expect((await browser.ok(restore, { path: { ...inProject, ...path } })).body.data.archived_at).to.equal(null);
      expect(await shown()).to.deep.equal([project.id]);
    }
    await browser.ok('archiveProject', { path: inProject });
    await pipeline.ok('recordTestRun', { path: inProject, body: RUN });
    const { axes } = (await pipeline.ok('readReadiness', { path: inRelease })).body.data;
    expect(axes.find(({ axis }) => axis === 'verification')?.state).to.equal('measured');
    const [listed] = (await pipeline.ok('listTeams')).body.data;
    expect(listed?.projects[0]?.archived_at).to.be.a('string');
  });

  it('is empty for anyone who sees nothing', async () => {
    const { service, world } = stage();
    const { body } = await service.signedIn(await world.person('Eve')).ok('readPortfolio');
    expect(body.data).to.deep.equal([]);
  });
});

const DAY = 24 * 3_600_000;

type PortfolioQuery = QueryOf<Operations['readPortfolio']>;

/** Beside `checkout` (hold): `basket` (hold) and seven of `Accounts` without an active release. */
const fillPortfolio = async ({ world, ada, team, service }: Stage): Promise<Team> => {
  await world.release(ada, await world.project(ada, team, 'basket'), '1.0');
  const accounts = await world.team(ada, 'accounts');
  for (let nth = 0; nth < 7; nth += 1) await world.project(ada, accounts, `${nth % 2 === 0 ? 'L' : 'l'}edger ${nth}`);
  service.clock.pass(1000);
  return accounts;
};

onEveryDatabase('readPortfolio by pages', (open) => {
  const stage = useFreshStage(open);

  it('answers pages where a limit is sent, with what there is in all, and leads from one to the next', async () => {
    const { pipeline, team } = stage();
    const accounts = await fillPortfolio(stage());
    const query = { limit: 4, sort: 'decision' } as const;
    const first = await pipeline.ok('readPortfolio', { query });
    expect(first.headers.link).to.match(/^<\/api\/portfolio\?limit=4&sort=decision&cursor=[\w-]+>; rel="next"$/);
    const { data: _, next_cursor: __, ...head } = first.body;
    expect(head).to.deep.equal({
      total: 9,
      counts: { hold: 2, unknown: 0, go: 0, none: 7 },
      teams: [
        { id: accounts.id, name: 'accounts', projects: 7 },
        { id: team.id, name: 'Payments', projects: 2 },
      ],
    });
    const seen = [...first.body.data];
    let cursor = first.body.next_cursor ?? null;
    while (cursor !== null) {
      const { body } = await pipeline.ok('readPortfolio', { query: { ...query, cursor } });
      expect({ ...body, data: [], next_cursor: null }).to.deep.equal({ ...head, data: [], next_cursor: null });
      seen.push(...body.data);
      cursor = body.next_cursor ?? null;
    }
    expect(seen.map(({ project }) => project.name)).to.deep.equal([
      ...['basket', 'checkout'],
      ...['Ledger 0', 'ledger 1', 'Ledger 2', 'ledger 3', 'Ledger 4', 'ledger 5', 'Ledger 6'],
    ]);
    const whole = (await pipeline.ok('readPortfolio', { query: { sort: 'decision' } })).body;
    expect(Object.keys(whole)).to.deep.equal(['data']);
    const said = ({ project, readiness }: PortfolioEntry) => [project.id, readiness?.decision, readiness?.main_reason];
    expect(whole.data.map(said)).to.deep.equal(seen.map(said));
  });

  it('filters with and without pages, and counts what all but one filter let through', async () => {
    const { pipeline, team, project, service } = stage();
    const accounts = await fillPortfolio(stage());
    await pipeline.ok('recordDeployment', { body: FINISHED });
    const names = async (query: PortfolioQuery) =>
      (await pipeline.ok('readPortfolio', { query })).body.data.map((entry) => entry.project.name);
    expect(await names({ decision: 'hold', q: 'BASK pay' })).to.deep.equal(['basket']);
    expect(await names({ team: accounts.id.toUpperCase(), q: '3', limit: 200 })).to.deep.equal(['ledger 3']);
    expect(await names({ decision: 'none', team: team.id })).to.deep.equal([]);
    expect(await names({ q: '%_' })).to.deep.equal([]);
    const inTeam = { team: team.id, limit: 1 } as const;
    expect(await names({ ...inTeam, sort: 'reported', order: 'desc' })).to.deep.equal([project.name]);
    for (let day = 0; day < 5; day += 1) {
      service.clock.pass(DAY);
      await pipeline.ok('recordDeployment', { body: FINISHED });
    }
    expect(await names({ silent: 'any' })).to.deep.equal([]);
    service.clock.pass(4 * DAY);
    expect(await names({ silent: 'deployments', limit: 5 })).to.deep.equal(['checkout']);
    expect(await names({ silent: 'test_runs' })).to.deep.equal([]);
    const { counts, teams } = (await pipeline.ok('readPortfolio', { query: { ...inTeam, decision: 'none' } })).body;
    expect(counts).to.deep.equal({ hold: 2, unknown: 0, go: 0, none: 0 });
    expect(teams?.map(({ projects }) => projects)).to.deep.equal([7]);
    const { rows } = { rows: await names({ group: 'team', sort: 'project', order: 'desc', limit: 3 }) };
    expect(rows).to.deep.equal(['Ledger 6', 'ledger 5', 'Ledger 4']);
  });

  it('shows nothing out of sight, neither by a filter nor in the export', async () => {
    const { service, world, team } = stage();
    await fillPortfolio(stage());
    const eve = service.signedIn(await world.person('Eve'));
    const { body } = await eve.ok('readPortfolio', { query: { limit: 50, team: team.id } });
    expect(body).to.deep.equal({
      data: [],
      next_cursor: null,
      total: 0,
      counts: { hold: 0, unknown: 0, go: 0, none: 0 },
      teams: [],
    });
    expect((await eve.ok('exportPortfolio')).text.split('\r\n')).to.have.length(2);
  });

  it('refuses what it does not know and what says nothing, naming each', async () => {
    const { pipeline } = stage();
    const refused = async (query: Record<string, string | number>) => {
      const { status, body } = await pipeline.refused('readPortfolio', 'invalid', { query } as never);
      expect(status).to.equal(422);
      return (body.errors ?? []).map(({ pointer }) => pointer).sort();
    };
    expect(await refused({ limit: 0, sort: 'name', decision: 'no', team: 'x', silent: 'all', q: '' })).to.deep.equal([
      'decision',
      'limit',
      'q',
      'silent',
      'sort',
      'team',
    ]);
    expect(await refused({ order: 'desc' })).to.deep.equal(['order']);
    expect(await refused({ limit: 201, stale: 'any' })).to.deep.equal(['limit', 'stale']);
    await fillPortfolio(stage());
    const { next_cursor } = (await pipeline.ok('readPortfolio', { query: { limit: 2 } })).body;
    const cursor = next_cursor ?? '';
    expect(await refused({ cursor })).to.deep.equal(['cursor']);
    expect(await refused({ cursor, limit: 2, decision: 'hold' })).to.deep.equal(['cursor']);
    expect(await refused({ cursor: 'x', limit: 2 })).to.deep.equal(['cursor']);
  });
});

describe('exportPortfolio', () => {
  const stage = useFreshStage();

  it('answers every project that the filters let through as CSV, harmless to a spreadsheet', async () => {
    const { pipeline, world, ada, team, inRelease, project } = stage();
    await fillPortfolio(stage());
    await world.project(ada, team, '=cmd|"/c calc"!A1');
    const { headers, text } = await pipeline.ok('exportPortfolio', { query: { team: team.id, sort: 'decision' } });
    expect(headers['content-type']).to.equal('text/csv; charset=utf-8');
    expect(headers['content-disposition']).to.equal('attachment; filename="portfolio.csv"');
    const lines = text.split('\r\n');
    expect(lines[0]).to.match(/^team,project,release,decision,.*,main_reason,/);
    expect(lines.map((line) => line.split(',')[1])).to.deep.equal([
      ...['project', '"basket"', '"checkout"', `"'=cmd|""/c calc""!A1"`],
      undefined,
    ]);
    const { score, gate } = (await pipeline.ok('readReadiness', { path: inRelease })).body.data;
    expect(lines[2]).to.contain(`"${project.name}","2.4","${gate.decision}","hold",0,${score ?? ''},`);
    expect((await pipeline.ok('exportPortfolio')).text.split('\r\n')).to.have.length(12);
    await pipeline.refused('exportPortfolio', 'invalid', { query: { order: 'asc' } });
  });
});

const names = { id: ID, name: 'checkout', slug: 'checkout' };

describe('wirePortfolioEntry', () => {
  it('shows a project of which nothing is known yet', () => {
    const row = {
      team: { ...names, demo: false },
      project: names,
      active: null,
      lastDeploymentAt: null,
      lastTestRunAt: null,
      lastAxisReportAt: 1000,
    };
    const wire = wirePortfolioEntry(row);
    expectToFit(PortfolioEntry, wire, 'The entry');
    expect(wire).to.deep.equal({
      team: { ...names, demo: false },
      project: names,
      readiness: null,
      last_deployment_at: null,
      last_test_run_at: null,
      last_axis_report_at: '1970-01-01T00:00:01.000Z',
    });
  });

  it('shows the judgement of the active release, and why', () => {
    const { report, release } = judged(FACTS);
    const { asOf, score, coverage, gate } = report;
    const { decision, decisionWithoutWaivers } = gate;
    const reason = gate.reasons[1] ?? null;
    const mainReason = gate.reasons[2] ?? null;
    const active = {
      release,
      standing: {
        asOf,
        score,
        coverage,
        decision,
        decisionWithoutWaivers,
        waivers: 2,
        reason,
        mainReason,
        openReasons: 3,
        silentSources: ['test_runs'] as const,
      },
      trend: [{ at: 1000, score: null }],
    };
    const row = {
      team: { ...names, demo: false },
      project: names,
      active,
      lastDeploymentAt: null,
      lastTestRunAt: null,
      lastAxisReportAt: 1000,
    };
    const wire = wirePortfolioEntry(row);
    expectToFit(PortfolioEntry, wire, 'The entry');
    expect(wire.readiness).to.include({ as_of: '1970-01-01T00:00:01.000Z', score, coverage, decision: 'hold' });
    expect(wire.readiness).to.include({ decision_without_waivers: 'hold', waivers: 2 });
    expect(wire.readiness?.reason).to.include({ code: 'axis_below_minimum', axis: 'quality', waived: false });
    expect(wire.readiness?.main_reason).to.include({ code: mainReason?.code, message: mainReason?.message });
    expect(wire.readiness?.silent_sources).to.deep.equal(['test_runs']);
    expect(wire.readiness?.open_reasons).to.equal(3);
    expect(wire.readiness?.trend).to.deep.equal([{ at: '1970-01-01T00:00:01.000Z', score: null }]);
    const accepted = { ...active, standing: { ...active.standing, reason: null, mainReason: null } };
    expect(wirePortfolioEntry({ ...row, active: accepted }).readiness).to.include({ reason: null, main_reason: null });
  });
});
