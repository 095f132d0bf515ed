import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN } from '../harness/reports.js';
import { useFreshStage } from '../harness/stage.js';

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

  it('is empty for whoever sees nothing', async () => {
    const { service, world } = stage();
    const { body } = await service.signedIn(await world.person('Eve')).ok('readPortfolio');
    expect(body.data).to.deep.equal([]);
  });
});
