import { Difference } from '@shipworthy/client/contract';
import { DEFAULT_POLICY, difference, type ReleaseDifference } from '@shipworthy/domain';
import { expect } from 'chai';
import { wireDifference } from '../../src/wire/difference.js';
import { expectToFit } from '../harness/contract-check.js';
import { FACTS, ID, judged, NO_FACTS } from './judged-release.js';

const known = (facts: typeof FACTS): ReleaseDifference['from'] => ({
  ...judged(facts),
  knowledge: { revision: 1, at: 0 },
  basis: { facts, policy: { policy: DEFAULT_POLICY, version: 1, changedAt: 0, changedBy: null }, waivers: [] },
});

describe('wireDifference', () => {
  const [from, to] = [known(NO_FACTS), known(FACTS)];
  const cause = { kind: 'issue', id: ID, at: 999, what: ['added', 'done'], axes: ['scope'] } as const;
  const records = [
    { ...cause, title: 'Refunds' },
    { ...cause, title: null },
  ];
  const wire = wireDifference({ from, to, ...difference(from.report, to.report), records, recordCount: 7 }, 'sealed');

  it('shows both readings, every axis and the reasons that went and came', () => {
    expectToFit(Difference, wire, 'The difference');
    expect(wire.from).to.deep.equal({
      as_of: '1970-01-01T00:00:01.000Z',
      score: null,
      coverage: 0,
      decision: 'unknown',
    });
    expect(wire.to).to.include({ coverage: 1, decision: 'hold' });
    expect(wire.axes.map(({ before }) => before)).to.deep.equal(Array(5).fill({ state: 'unmeasured', score: null }));
    expect(wire.axes[0]?.after).to.deep.equal({ state: 'measured', score: 66.66 });
    expect(wire.reasons.gone.map(({ axis }) => axis)).to.include('scope');
    expect(wire.reasons.come[0]).to.have.keys('code', 'actual', 'required', 'message', 'waived');
  });

  it('leaves out the title where there is none', () => {
    const issue = { kind: 'issue', id: ID, at: '1970-01-01T00:00:00.999Z', what: ['added', 'done'], axes: ['scope'] };
    expect(wire.data).to.deep.equal([{ ...issue, title: 'Refunds' }, issue]);
    expect([wire.record_count, wire.next_cursor]).to.deep.equal([7, 'sealed']);
  });
});
