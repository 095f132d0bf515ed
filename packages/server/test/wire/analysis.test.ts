import { ReleaseAnalysis } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { wireAnalysis } from '../../src/wire/analysis.js';
import { expectToFit } from '../harness/contract-check.js';
import { ANALYSIS, ID } from './sample-analysis.js';

describe('wireAnalysis', () => {
  const wire = wireAnalysis(ANALYSIS);

  it('fits the contract', () => {
    expectToFit(ReleaseAnalysis, wire, 'The analysis');
  });

  it('shows the progress point by point', () => {
    expect(wire).to.include({ as_of: '2026-11-20T16:00:00.000Z', step: 'change' });
    const levels = { bugs: 2, open_bugs: 1, done: 1, total: 2 };
    expect(wire.points[1]).to.deep.equal({
      from: '2026-11-20T13:00:00.000Z',
      at: '2026-11-20T13:00:00.000Z',
      ...levels,
      ...{ added: 1, removed: 0, canceled: 0, completed: 1 },
    });
  });

  it('shows the release in seconds and rates', () => {
    expect(wire.release).to.deep.equal({
      id: ID,
      name: '=2.4',
      starts_at: '2026-11-20T12:00:00.000Z',
      shipped_at: '2026-11-20T16:00:00.000Z',
      duration_seconds: 14_400,
      issues: { done: 1, total: 2 },
      bugs: { open: 1, total: 2 },
      scope: {
        before_start: { added: 1, removed: 0, canceled: 0, net: 1 },
        after_start: { added: 1, removed: 0, canceled: 0, net: 1 },
        change_rate: 1,
      },
      deployments: { succeeded: 2, failed: 1 },
      lead: {
        first_deployment_at: '2026-11-20T14:00:00.000Z',
        first_success_at: '2026-11-20T15:00:00.000Z',
        to_first_success_seconds: 3600,
        to_shipping_seconds: 7200,
      },
    });
    expect(wire.earlier.map(({ duration_seconds, scope }) => [duration_seconds, scope.after_start])).to.deep.equal([
      [null, null],
    ]);
  });
});
