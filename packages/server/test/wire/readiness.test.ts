import { GateReport, HistoryPoint, ReadinessReport } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { wireGateReport, wireHistoryPoint, wireReport } from '../../src/wire/readiness.js';
import { expectToFit } from '../harness/contract-check.js';
import { FACTS, ID, judged, NO_FACTS } from './judged-release.js';

describe('wireReport', () => {
  it('shows a live report in the order of its description', () => {
    const wire = wireReport(judged(FACTS));
    expectToFit(ReadinessReport, wire, 'The report');
    expect(Object.keys(wire)).to.deep.equal([
      'project',
      'release',
      'as_of',
      'formula',
      'score',
      'coverage',
      'axes',
      'gate',
      'silent_sources',
    ]);
    expect(wire).to.deep.include({ as_of: '1970-01-01T00:00:01.000Z', formula: '1', score: 67.9, coverage: 1 });
  });

  it('says when it was frozen, and that nothing is known', () => {
    const wire = wireReport({ ...judged(NO_FACTS), frozenAt: 2000 });
    expectToFit(ReadinessReport, wire, 'The report');
    expect(wire).to.include({ frozen_at: '1970-01-01T00:00:02.000Z', score: null, coverage: 0 });
  });
});

describe('wireGateReport', () => {
  it('is the gate of the report with its times', () => {
    for (const frozenAt of [null, 2000]) {
      const wire = wireGateReport({ ...judged(FACTS), frozenAt });
      expectToFit(GateReport, wire, 'The gate');
      const { as_of, frozen_at, gate } = wireReport({ ...judged(FACTS), frozenAt });
      expect(wire).to.deep.equal({ as_of, ...(frozen_at === undefined ? {} : { frozen_at }), ...gate });
    }
  });
});

describe('wireHistoryPoint', () => {
  it('shows the five readings and the causes', () => {
    const { report } = judged(NO_FACTS);
    const axes = report.axes.map(({ axis }) => ({ axis, score: null }));
    const causes = [{ kind: 'deployment' as const, id: ID, at: 900 }];
    const numbers = { score: null, coverage: 0, decision: 'unknown' as const };
    const wire = wireHistoryPoint({ releaseId: ID, at: 1000, ...numbers, axes, causes, causeCount: 21 });
    expectToFit(HistoryPoint, wire, 'The point');
    expect(wire).to.deep.equal({
      at: '1970-01-01T00:00:01.000Z',
      ...numbers,
      axes,
      causes: [{ kind: 'deployment', id: ID, at: '1970-01-01T00:00:00.900Z' }],
      cause_count: 21,
    });
  });
});
