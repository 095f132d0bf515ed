import { expect } from 'chai';
import {
  contribution,
  withContributions,
  withoutDeployment,
  withoutTestRun,
} from '../../src/attribution/contribution.js';
import { testRunFrom } from '../../src/report/test-run-report.js';
import type { TestRun } from '../../src/test-run/test-run.js';
import { dossierOf } from '../release/dossier-of.js';
import { testRunReport } from '../report/report-of.js';

const dossier = dossierOf();
const { facts } = dossier;
const run = (over: Partial<TestRun>): TestRun => ({
  ...testRunFrom(testRunReport(), { id: 'x', projectId: 'p1', releaseId: 'r1', recordedBy: 'CI', now: 1_000 }),
  ...over,
});

describe('Facts without one record', () => {
  it('have one deployment less of its status', () => {
    expect(withoutDeployment(facts, { status: 'success' }).stability).to.deep.include({ succeeded: 8, failed: 1 });
    expect(withoutDeployment(facts, { status: 'failure' }).stability).to.deep.include({ succeeded: 9, failed: 0 });
    const worse = { ...facts, stability: { ...facts.stability, failed: 3 } };
    expect(withoutDeployment(worse, { status: 'failure' }).stability).to.deep.include({ failed: 2 });
    expect(withoutDeployment(facts, { status: 'started' }).stability).to.deep.equal(facts.stability);
  });
  it('have no run, or the one before', () => {
    const counted = run({ passed: 99, total: 100 });
    expect(withoutTestRun(facts, counted, null).verification).to.equal(null);
    const before = run({ passed: 3, total: 4, ranAt: 500 });
    expect(withoutTestRun(facts, counted, before).verification).to.include({
      passed: 3,
      total: 4,
      ranAt: 500,
      runs: 1,
    });
  });
  it('keep the runs of other suites', () => {
    const summed = { passed: 15, total: 20, ranAt: 400, suite: null, commitSha: null, runs: 2 };
    const without = withoutTestRun({ ...facts, verification: summed }, run({ passed: 9, total: 10 }), null);
    expect(without.verification).to.include({ passed: 6, total: 10, runs: 1 });
  });
});

describe('A contribution', () => {
  it('is the score with the record and without it', () => {
    const without = withoutDeployment(facts, { status: 'failure' });
    expect(contribution(dossier, without, 5_000)).to.deep.equal({ scoreWith: 91.13, scoreWithout: 93.13 });
  });
  it('is told only for releases the record counts for', () => {
    const line = { id: 'r1', name: '1.0', counts: true, reason: null, contribution: null };
    const other = { ...line, counts: false, reason: 'still_in_progress' as const };
    const receipt = {
      project: { id: 'p1', name: 'Shop' },
      releases: [line, other],
      axis: 'stability' as const,
      reason: null,
    };
    const told = withContributions(receipt, [undefined, dossier], (all) => all, 5_000);
    expect(told.releases.map((release) => release.contribution)).to.deep.equal([
      { scoreWith: 91.13, scoreWithout: 91.13 },
      null,
    ]);
  });
});
