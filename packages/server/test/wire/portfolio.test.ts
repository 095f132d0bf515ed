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
      lastDeployment: null,
      lastTestRun: null,
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

  it('shows the first reason that nobody has accepted', () => {
    const { report, release } = judged(FACTS);
    const reasons = report.gate.reasons.map((reason, index) => ({ ...reason, waived: index === 0 }));
    const active = { release, report: { ...report, gate: { ...report.gate, reasons } }, trend: [] };
    const row = { team: { ...names, demo: false }, project: names, active, lastDeployment: null, lastTestRun: null };
    const wire = wirePortfolioEntry(row);
    expectToFit(PortfolioEntry, wire, 'The entry');
    expect(wire.readiness?.reason).to.include({ code: 'axis_below_minimum', axis: 'quality', waived: false });
    const accepted = reasons.map((reason) => ({ ...reason, waived: true }));
    const waived = { ...active, report: { ...report, gate: { ...report.gate, reasons: accepted } } };
    expect(wirePortfolioEntry({ ...row, active: waived }).readiness?.reason).to.equal(null);
  });
});
