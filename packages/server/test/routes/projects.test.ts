import { PortfolioEntry } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { wirePortfolioEntry } from '../../src/routes/projects.js';
import { expectToFit } from '../harness/contract-check.js';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN } from '../harness/reports.js';
import { useFreshStage } from '../harness/stage.js';
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

const names = { id: ID, name: 'checkout', slug: 'checkout' };

describe('wirePortfolioEntry', () => {
  it('shows a project of which nothing is known yet', () => {
    const row = {
      team: { ...names, demo: false },
      project: names,
      active: null,
      lastDeploymentAt: null,
      lastTestRunAt: null,
    };
    const wire = wirePortfolioEntry(row);
    expectToFit(PortfolioEntry, wire, 'The entry');
    expect(wire).to.deep.equal({
      team: { ...names, demo: false },
      project: names,
      readiness: null,
      last_deployment_at: null,
      last_test_run_at: null,
    });
  });

  it('shows the judgement of the active release, and why', () => {
    const { report, release } = judged(FACTS);
    const { asOf, score, coverage, gate } = report;
    const { decision, decisionWithoutWaivers } = gate;
    const reason = gate.reasons[1] ?? null;
    const active = {
      release,
      standing: { asOf, score, coverage, decision, decisionWithoutWaivers, waivers: 2, reason },
      trend: [{ at: 1000, score: null }],
    };
    const row = {
      team: { ...names, demo: false },
      project: names,
      active,
      lastDeploymentAt: null,
      lastTestRunAt: null,
    };
    const wire = wirePortfolioEntry(row);
    expectToFit(PortfolioEntry, wire, 'The entry');
    expect(wire.readiness).to.include({ as_of: '1970-01-01T00:00:01.000Z', score, coverage, decision: 'hold' });
    expect(wire.readiness).to.include({ decision_without_waivers: 'hold', waivers: 2 });
    expect(wire.readiness?.reason).to.include({ code: 'axis_below_minimum', axis: 'quality', waived: false });
    expect(wire.readiness?.trend).to.deep.equal([{ at: '1970-01-01T00:00:01.000Z', score: null }]);
    const accepted = { ...active, standing: { ...active.standing, reason: null } };
    expect(wirePortfolioEntry({ ...row, active: accepted }).readiness?.reason).to.equal(null);
  });
});
