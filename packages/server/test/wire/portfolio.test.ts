import { PortfolioEntry } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { wirePortfolioEntry } from '../../src/wire/portfolio.js';
import { expectToFit } from '../harness/contract-check.js';
import { FACTS, ID, judged } from './judged-release.js';

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

  it('shows how the active release stands, and why', () => {
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
