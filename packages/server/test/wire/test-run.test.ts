import { TestRun as TestRunSchema } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { testRunReport, wireTestRun } from '../../src/wire/test-run.js';
import { expectToFit } from '../harness/contract-check.js';
import { RUN } from '../harness/reports.js';

const ID = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';
const FULL = {
  ...RUN,
  release_id: ID,
  commit_sha: '9fceb02',
  url: 'https://ci.acme.dev/1',
  duration_seconds: 0,
  skipped: 0,
  ran_at: '1970-01-01T00:00:01.000Z',
};

describe('testRunReport', () => {
  it('takes what was sent, and null for what was not', () => {
    expect(testRunReport({ total: 2, passed: 1, failed: 1 })).to.deep.equal({
      releaseId: null,
      suite: null,
      total: 2,
      passed: 1,
      failed: 1,
      skipped: null,
      commitSha: null,
      url: null,
      durationSeconds: null,
      ranAt: null,
      external: null,
    });
  });

  it('takes all that can be sent, zeros included', () => {
    const report = testRunReport({ ...FULL, release_id: ID.toUpperCase(), external_id: 'run-1' });
    expect(report).to.deep.include({ releaseId: ID, suite: 'unit', skipped: 0, durationSeconds: 0, ranAt: 1000 });
    expect(report.external).to.have.property('id', 'run-1');
  });
});

describe('wireTestRun', () => {
  it('shows every field', () => {
    const report = testRunReport(FULL);
    const recording = { id: ID, projectId: ID, releaseId: ID, ranAt: 1000, recordedAt: 2000, recordedBy: 'ci' };
    const setAside = { reason: 'Wrong branch.', by: 'Ada', at: 3000 };
    const attribution = {
      project: { id: ID, name: 'checkout' },
      releases: [{ id: ID, name: '2.4', counts: true, reason: null, contribution: null }],
      axis: 'verification',
      reason: null,
    } as const;
    const wire = wireTestRun({ testRun: { ...report, ...recording, setAside }, attribution });
    expectToFit(TestRunSchema, wire, 'The test run');
    expect(wire).to.deep.equal({
      ...FULL,
      id: ID,
      project_id: ID,
      recorded_at: '1970-01-01T00:00:02.000Z',
      recorded_by: 'ci',
      set_aside: { reason: 'Wrong branch.', by: 'Ada', at: '1970-01-01T00:00:03.000Z' },
      attribution: {
        project: { id: ID, name: 'checkout' },
        releases: [{ id: ID, name: '2.4', counts: true }],
        axis: 'verification',
      },
    });
  });
});
