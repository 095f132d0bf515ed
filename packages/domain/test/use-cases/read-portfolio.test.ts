import { expect } from 'chai';
import { createProject } from '../../src/use-cases/create-project.js';
import { readPortfolio } from '../../src/use-cases/read-portfolio.js';
import { readReadiness } from '../../src/use-cases/read-readiness.js';
import { recordHistory } from '../../src/use-cases/record-history.js';
import { deployed, tested } from './reporting.js';
import { planned, releaseScene } from './scene.js';

describe('Reading the portfolio', () => {
  it('lists every project in sight with its active release, score, decision, trend and last reports', async () => {
    const here = await releaseScene();
    const { testRun } = await tested(here);
    const { deployment } = await deployed(here);
    await recordHistory(here)({ limit: 10, leaseMs: 1_000 });
    const [row, ...others] = await readPortfolio(here, { standings: new Map(), trends: new Map() })({
      principal: here.viewer.principal,
    });
    expect(others).to.deep.equal([]);
    expect(row?.team).to.deep.equal({ id: here.teamId, name: 'Payments', slug: 'payments', demo: false });
    expect(row?.project).to.deep.equal({ id: here.project.id, name: 'Shop', slug: 'shop' });
    expect(row?.lastDeploymentAt).to.equal(deployment.createdAt);
    expect(row?.lastTestRunAt).to.equal(testRun.recordedAt);
    expect(row?.active?.release).to.deep.equal({ id: here.release.id, name: '1.0' });
    const { report } = await readReadiness(here)({ principal: here.viewer.principal, ...here.at, view: null });
    expect(row?.active?.standing).to.include({
      asOf: report.asOf,
      score: report.score,
      coverage: report.coverage,
      decision: report.gate.decision,
    });
    expect(row?.active?.standing.reason).to.deep.equal(report.gate.reasons[0]);
    expect(row?.active?.trend).to.deep.equal([{ at: report.asOf, score: report.score }]);
  });
  it('lists projects without an active release or report, in order of their names', async () => {
    const here = await releaseScene();
    for (const name of ['Zoo', 'Abacus']) await createProject(here)({ by: here.member, teamId: here.teamId, name });
    await planned(here, '2.0');
    const rows = await readPortfolio(here, { standings: new Map(), trends: new Map() })({
      principal: here.viewer.principal,
    });
    expect(rows.map((row) => row.project.name)).to.deep.equal(['Abacus', 'Shop', 'Zoo']);
    expect(rows.map((row) => row.active === null)).to.deep.equal([true, false, true]);
    expect(rows[0]).to.include({ lastDeploymentAt: null, lastTestRunAt: null });
  });
  it('shows nothing out of sight', async () => {
    const here = await releaseScene();
    expect(
      await readPortfolio(here, { standings: new Map(), trends: new Map() })({ principal: here.stranger.principal }),
    ).to.deep.equal([]);
  });
});
