import { expect } from 'chai';
import { testRunFaults } from '../../src/report/test-run-report.js';
import { importedTestRun } from '../../src/repository/imported-test-run.js';
import { testRunOf } from './host-records-of.js';

describe('An imported test run', () => {
  it('counts what passed and failed, as one report for the active release', () => {
    const report = importedTestRun(testRunOf(), 'github:checks:T1');
    expect(report).to.deep.equal({
      releaseId: null,
      suite: 'ci',
      total: 10,
      passed: 8,
      failed: 2,
      skipped: 3,
      commitSha: 'abcdef1',
      url: 'https://ci.example/1',
      durationSeconds: null,
      ranAt: 1_000,
      external: { id: 'github:checks:T1', fingerprint: '8/2/3@1000' },
    });
    expect(report === null ? null : testRunFaults(report, 1_000)).to.deep.equal([]);
  });
  it('is none when everything was skipped', () => {
    expect(importedTestRun(testRunOf({ passed: 0, failed: 0 }), 'x')).to.equal(null);
    expect(importedTestRun(testRunOf({ passed: 0, failed: 1 }), 'x')).to.include({ total: 1 });
  });
  it('leaves out what it cannot name', () => {
    expect(importedTestRun(testRunOf({ suite: '\n', commitSha: 'main', url: 'x' }), 'x')).to.include({
      suite: null,
      commitSha: null,
      url: null,
    });
  });
});
