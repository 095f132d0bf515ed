import { expect } from 'chai';
import { deploymentFaults, deploymentFrom } from '../../src/report/deployment-report.js';
import { deploymentReport } from './report-of.js';

describe('A deployment report', () => {
  it('becomes a record of the project with the clock’s times', () => {
    const { projectId: _, ...said } = deploymentReport();
    expect(deploymentFrom(deploymentReport({ projectId: 'other' }), 'p1', 'd1', 700)).to.deep.equal({
      ...said,
      id: 'd1',
      projectId: 'p1',
      startedAt: 700,
      finishedAt: 700,
      createdAt: 700,
    });
  });
  it('keeps the duration as reported, whatever the times say', () => {
    const record = deploymentFrom(deploymentReport({ durationSeconds: 999.5 }), 'p1', 'd1', 700);
    expect([record.durationSeconds, record.startedAt, record.finishedAt]).to.deep.equal([999.5, 700, 700]);
  });
  for (const durationSeconds of [Number.NaN, Number.POSITIVE_INFINITY, -1])
    it(`refuses a duration of ${durationSeconds}`, () => {
      const faults = deploymentFaults(deploymentReport({ durationSeconds }), 700);
      const message = 'duration_seconds is finite and at least 0.';
      expect(faults).to.deep.equal([{ pointer: '/duration_seconds', code: 'out-of-range', message }]);
    });
  it('takes a duration of 0 and none', () => {
    expect(deploymentFaults(deploymentReport({ durationSeconds: 0 }), 700)).to.deep.equal([]);
    expect(deploymentFaults(deploymentReport(), 700)).to.deep.equal([]);
  });
  it('names every fault at once', () => {
    const report = deploymentReport({ durationSeconds: -1, startedAt: 9, finishedAt: 8 });
    const faults = deploymentFaults(report, 700).map((fault) => fault.pointer);
    expect(faults).to.deep.equal(['/finished_at', '/duration_seconds']);
  });
});
