import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../src/readiness/policy.js';
import { deploymentMove, policyMove, projectMove, releaseMove, waiverMove } from '../../src/release/move.js';
import type { ReleaseState } from '../../src/release/release.js';

describe('A move', () => {
  const release = (state: ReleaseState, startsAt: number | null) => ({ id: 'r1', state, startsAt });

  it('of a release is one of its window', () => {
    const what = (...sides: Parameters<typeof release>[]) => {
      const [before, after] = sides.map((side) => release(...side));
      if (before === undefined || after === undefined) throw new Error('two sides were expected');
      const { what: happened, axes } = releaseMove(before, after, 9);
      expect(axes).to.deep.equal(happened.length === 0 ? [] : ['stability']);
      return happened;
    };
    expect(what(['planned', 1], ['active', 1])).to.deep.equal([]);
    expect(what(['planned', null], ['active', 5])).to.deep.equal(['window_changed']);
    expect(what(['active', 1], ['shipped', 1])).to.deep.equal(['shipped']);
    expect(what(['planned', 1], ['canceled', 2])).to.deep.equal(['window_changed', 'canceled']);
  });
  it('of a policy names its version, as the current one says less', () => {
    const next = { policy: { ...DEFAULT_POLICY, threshold: 3 }, version: 4, changedAt: 9, changedBy: null };
    const move = policyMove('p1', DEFAULT_POLICY, next);
    expect(move).to.deep.equal({ kind: 'policy', id: 'p1', at: 9, what: ['changed'], axes: [], title: 'version 4' });
  });
  it('of a waiver is one of its reason', () => {
    expect(waiverMove({ id: 'w1', axis: 'ops' }, 'signed', 9).axes).to.deep.equal(['ops']);
    expect(waiverMove({ id: 'w1', axis: null }, 'withdrawn', 9).axes).to.deep.equal([]);
  });
  it('of a deployment is one of stability, and of a name none', () => {
    expect(deploymentMove('d1', 'begun', 9)).to.deep.include({ what: ['begun'], axes: ['stability'] });
    expect(projectMove('p1', 9)).to.deep.include({ what: [], axes: [] });
  });
});
