import { expect } from 'chai';
import type { Cause } from '../../src/readiness/history-store.js';
import { historyPoint, readsTheSame } from '../../src/release/history-point.js';
import { liveReport } from '../../src/release/live-report.js';
import { dossierOf } from './dossier-of.js';

const cause: Cause = { kind: 'deployment', id: 'd1', at: 900 };
const dirty = { releaseId: 'r1', revision: 4, causes: [cause], causeCount: 1 };
const report = liveReport(dossierOf(), 5_000);

describe('A point of the trend', () => {
  it('holds time, five readings, score, coverage, decision and causes', () => {
    expect(historyPoint(dirty, report, false)).to.deep.equal({
      releaseId: 'r1',
      at: 1_000,
      score: report.score,
      coverage: 1,
      decision: report.gate.decision,
      axes: [
        { axis: 'scope', score: 66.66 },
        { axis: 'quality', score: 100 },
        { axis: 'ops', score: 100 },
        { axis: 'verification', score: 99 },
        { axis: 'stability', score: 90 },
      ],
      causes: [cause],
      causeCount: 1,
    });
  });
  it('names a passed time limit as a cause', () => {
    const point = historyPoint({ ...dirty, causes: [], causeCount: 0 }, report, true);
    expect(point.causes).to.deep.equal([{ kind: 'time_limit', id: 'r1', at: 1_000 }]);
    expect(point.causeCount).to.equal(1);
  });
  it('holds the first 20 causes and how many there were', () => {
    const causes = Array.from({ length: 20 }, (_, at) => ({ ...cause, at }));
    const point = historyPoint({ ...dirty, causes, causeCount: 37 }, report, true);
    expect(point.causes).to.deep.equal(causes);
    expect(point.causeCount).to.equal(38);
  });
  it('has null for an axis that is unmeasured', () => {
    const dossier = dossierOf();
    const unmeasured = liveReport({ ...dossier, facts: { ...dossier.facts, verification: null } }, 5_000);
    expect(historyPoint(dirty, unmeasured, false).axes[3]).to.deep.equal({ axis: 'verification', score: null });
  });
  it('reads the same as another when the numbers and the decision do, whatever the causes', () => {
    const point = historyPoint(dirty, report, false);
    expect(readsTheSame(point, { ...point, at: 7, causes: [], causeCount: 0 })).to.equal(true);
    for (const moved of [{ score: 1 }, { coverage: 0.5 }, { decision: 'unknown' as const }])
      expect(readsTheSame(point, { ...point, ...moved })).to.equal(false);
    const axes = point.axes.map((one) => (one.axis === 'ops' ? { ...one, score: null } : one));
    expect(readsTheSame(point, { ...point, axes })).to.equal(false);
  });
});
