import { Gate } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { wireGate } from '../../src/wire/gate.js';
import { expectToFit } from '../harness/contract-check.js';
import { FACTS, judged, NO_FACTS } from './judged-release.js';

describe('wireGate', () => {
  it('shows reasons in their order, an axis only where there is one', () => {
    const wire = wireGate(judged(FACTS).report.gate);
    expectToFit(Gate, wire, 'The gate');
    expect(wire).to.include({ decision: 'hold', decision_without_waivers: 'hold' });
    expect(wire.reasons.map(({ code, axis }) => [code, axis])).to.deep.equal([
      ['score_below_threshold', undefined],
      ['axis_below_minimum', 'quality'],
      ['axis_below_minimum', 'ops'],
      ['open_critical_bugs', undefined],
    ]);
    expect(wire.next_steps.length).to.be.above(0);
  });

  it('shows null where nothing was measured or no number helps', () => {
    const wire = wireGate(judged(NO_FACTS).report.gate);
    expectToFit(Gate, wire, 'The gate');
    expect(wire.decision).to.equal('unknown');
    for (const { actual, required } of wire.reasons) expect([actual, required]).to.deep.equal([null, null]);
  });
});
