import { expect } from 'chai';
import { AXES } from '../../src/readiness/axis.js';
import { difference } from '../../src/readiness/difference.js';
import type { ReadinessReport, Reason } from '../../src/readiness/readiness-report.js';
import { liveReport } from '../../src/release/live-report.js';
import { dossierOf } from '../release/dossier-of.js';

const report = liveReport(dossierOf(), 5_000);
const reason = (over: Partial<Reason>): Reason => ({
  code: 'axis_below_minimum',
  axis: 'scope',
  actual: 50,
  required: 60,
  message: '.',
  waived: false,
  ...over,
});
const withReasons = (...reasons: readonly Reason[]): ReadinessReport => ({
  ...report,
  gate: { ...report.gate, reasons },
});

describe('The difference of two reports', () => {
  it('has all five axes in order, changed or not', () => {
    const { facts } = dossierOf();
    const after = liveReport({ ...dossierOf(), facts: { ...facts, verification: null } }, 5_000);
    const { axes } = difference(report, after);
    expect(axes.map(({ axis }) => axis)).to.deep.equal(AXES);
    expect(axes[0]?.before).to.deep.equal({ state: 'measured', score: 66.66 });
    expect(axes[0]?.after).to.deep.equal(axes[0]?.before);
    expect(axes[3]?.before).to.deep.equal({ state: 'measured', score: 99 });
    expect(axes[3]?.after).to.deep.equal({ state: 'unmeasured', score: null });
  });
  it('tells a reason by its code and its axis, whatever its numbers', () => {
    const before = withReasons(reason({}), reason({ code: 'score_below_threshold', axis: null }));
    const after = withReasons(reason({ actual: 40, waived: true }), reason({ axis: 'ops' }));
    expect(difference(before, after).reasons).to.deep.equal({
      gone: [reason({ code: 'score_below_threshold', axis: null })],
      come: [reason({ axis: 'ops' })],
    });
    const unmeasured = reason({ code: 'axis_unmeasured' });
    expect(difference(withReasons(reason({})), withReasons(unmeasured)).reasons).to.deep.equal({
      gone: [reason({})],
      come: [unmeasured],
    });
    expect(difference(before, before).reasons).to.deep.equal({ gone: [], come: [] });
  });
});
